import { useState } from 'react'
import { Asked } from '../page-parts/asked.tsx'
import { SureButton } from '../page-parts/sure-button.tsx'
import { remove as removeAt, request } from '../requests/api.ts'
import { dayOf, useText } from '../text/index.ts'
import { EventName } from './action-words.tsx'
import { useDeliveries, type Webhook } from './webhooks.ts'

interface WebhookToolsProps {
  readonly webhook: Webhook
  /** Runs a request once those before it are done, and shows why it was refused. */
  readonly inTurn: (work: () => Promise<unknown>, of: string) => Promise<unknown>
  readonly onSecret: (secret: string) => void
  readonly onDone: () => Promise<unknown>
  readonly onClose: () => void
}

interface Outcome {
  readonly status: number | null
  readonly error: string | null
}

/** Further actions on a webhook: a test, a new secret, the end, and its last deliveries. */
export function WebhookTools({ webhook, inTurn, onSecret, onDone, onClose }: WebhookToolsProps) {
  const text = useText()
  const [told, tell] = useState('')
  const path = `webhooks/${webhook.id}`
  const test = () =>
    inTurn(async () => {
      tell('')
      const { error } = (await request<Outcome>('POST', `${path}/test`)).body
      tell(error === null ? text.testArrived : text.testFailed(error))
    }, 'test')
  const renew = () =>
    inTurn(
      async () =>
        onSecret((await request<{ readonly secret: string }>('POST', `${path}/secret`)).body.secret),
      'secret',
    )
  const remove = () =>
    inTurn(async () => {
      await removeAt(path)
      void onDone()
      onClose()
    }, 'remove')
  return (
    <>
      <div className="row dialog-foot">
        <button type="button" className="button" onClick={test}>
          {text.testWebhook}
        </button>
        <button type="button" className="button" onClick={renew}>
          {text.newSecret}
        </button>
        <SureButton label={text.removeWebhook} onSure={remove} />
      </div>
      <p role="status">{told}</p>
      <p className="hint">{text.newSecretWhy}</p>
      <Deliveries id={webhook.id} />
    </>
  )
}

/** Deliveries that are shown; the server has more. */
const shownDeliveries = 10

function Deliveries({ id }: { id: number }) {
  const text = useText()
  const deliveries = useDeliveries(id)
  const { data } = deliveries
  return (
    <>
      <h3>{text.deliveries}</h3>
      <Asked of={{ [text.deliveries]: deliveries }} />
      {data?.length === 0 && <p>{text.noDeliveries(text.testWebhook)}</p>}
      <ul className="uploads">
        {data?.slice(0, shownDeliveries).map(({ id: one, event, state, error, createdAt }) => (
          <li key={one}>
            <span className="name">
              <EventName event={event} /> <span className="num">{dayOf(createdAt, text)}</span>
              {error !== null && <span className="hint"> {error}</span>}
            </span>
            <span
              className={state === 'delivered' ? 'pill live' : state === 'failed' ? 'pill off' : 'pill draft'}
            >
              {text.deliveryNames[state]}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
