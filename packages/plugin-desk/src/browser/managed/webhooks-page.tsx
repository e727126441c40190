import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Asked } from '../asked.tsx'
import { useText } from '../text/index.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { useWebhooks } from './webhooks.ts'

/** The webhooks: addresses to which the server sends what happens to entries and files. */
export default function WebhooksPage() {
  const text = useText()
  const client = useQueryClient()
  const webhooks = useWebhooks()
  const { data } = webhooks
  const [opened, open] = useState<number | 'new' | undefined>()
  useEffect(() => {
    document.title = text.webhooks
  }, [text])
  const changed = () => client.invalidateQueries({ queryKey: ['webhooks'] })
  const webhook = data?.webhooks.find(({ id }) => id === opened)
  const isEmpty = data !== undefined && data.webhooks.length + data.configured.length === 0
  return (
    <div className="room">
      <div className="bar">
        <span className="grow" />
        <button type="button" className="button main" onClick={() => open('new')}>
          {text.newWebhook}
        </button>
      </div>
      <main id="main" className="page" tabIndex={-1}>
        <div className="head">
          <h1>{text.webhooks}</h1>
        </div>
        <Asked of={{ [text.webhooks]: webhooks }} />
        {isEmpty && <p className="empty">{text.noWebhooks(text.newWebhook)}</p>}
        <ul className="people">
          {data?.webhooks.map(({ id, name, url, enabled }) => (
            <li key={id}>
              <span className="who">
                <button type="button" className="linked" onClick={() => open(id)}>
                  {name}
                </button>
                <span className="num">{url}</span>
              </span>
              <span className={enabled ? 'pill live' : 'pill off'}>
                {enabled ? text.webhookOn : text.webhookOff}
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
      {opened !== undefined && (opened === 'new' || webhook) && (
        <WebhookDialog
          key={opened}
          {...{ webhook }}
          onDone={changed}
          // A dialog that closes late does not close one that was opened after it.
          onClose={() => open((now) => (now === opened ? undefined : now))}
        />
      )}
    </div>
  )
}
