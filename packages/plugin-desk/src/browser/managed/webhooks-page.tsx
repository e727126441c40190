import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Asked } from '../page-parts/asked.tsx'
import { Bar } from '../page-parts/bar.tsx'
import { useOpening } from '../page-parts/opening.ts'
import { useText } from '../text/index.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { useWebhooks, type Webhook } from './webhooks.ts'

/** The webhooks: addresses to which the server sends what happens to entries and files. */
export default function WebhooksPage() {
  const text = useText()
  const client = useQueryClient()
  const webhooks = useWebhooks()
  const { data } = webhooks
  const [opened, open, close] = useOpening<Webhook | 'new'>()
  useEffect(() => {
    document.title = text.webhooks
  }, [text])
  const changed = () => client.invalidateQueries({ queryKey: ['webhooks'] })
  const isEmpty = data !== undefined && data.webhooks.length + data.configured.length === 0
  return (
    <div className="room">
      <Bar>
        <span className="grow" />
        <button type="button" className="button main" onClick={() => open('new')}>
          {text.newWebhook}
        </button>
      </Bar>
      <main id="main" className="page" tabIndex={-1}>
        <div className="head">
          <h1>{text.webhooks}</h1>
        </div>
        <Asked of={{ [text.webhooks]: webhooks }} />
        {isEmpty && <p className="empty">{text.noWebhooks(text.newWebhook)}</p>}
        <ul className="people">
          {data?.webhooks.map((webhook) => (
            <li key={webhook.id}>
              <span className="who">
                <button type="button" className="linked" onClick={() => open(webhook)}>
                  {webhook.name}
                </button>
                <span className="num">{webhook.url}</span>
              </span>
              <span className={webhook.enabled ? 'pill live' : 'pill off'}>
                {webhook.enabled ? text.webhookOn : text.webhookOff}
              </span>
            </li>
          ))}
          {data?.configured.map(({ name, origin }) => (
            <li key={name}>
              <span className="who">
                <strong>{name}</strong>
                <span className="num">{origin}</span>
              </span>
              <span className="pill off">{text.inConfiguration}</span>
            </li>
          ))}
        </ul>
      </main>
      {opened !== undefined && (
        <WebhookDialog
          key={opened === 'new' ? opened : opened.id}
          webhook={opened === 'new' ? undefined : opened}
          onDone={changed}
          onClose={close}
        />
      )}
    </div>
  )
}
