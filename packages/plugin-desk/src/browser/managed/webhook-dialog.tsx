import { type FormEvent, useId, useState } from 'react'
import { fileUid, titleOf } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { SubmitRow } from '../page-parts/desk-parts.tsx'
import { Dialog } from '../page-parts/dialog.tsx'
import { useAttempt } from '../page-parts/trouble.tsx'
import { nowSaved } from '../page-parts/unsaved.ts'
import { useChanges } from '../page-parts/version.tsx'
import { request } from '../requests/api.ts'
import { useCreation } from '../requests/creation.ts'
import { TextField } from '../settings/setting.tsx'
import { useText } from '../text/index.ts'
import { EventName } from './action-words.tsx'
import { useSecret } from './secret-note.tsx'
import { WebhookTools } from './webhook-tools.tsx'
import { eventNames, readHeaders, type Webhook, type WebhookInput, type Webhooks } from './webhooks.ts'

interface WebhookDialogProps {
  /** `undefined`: a new one. */
  readonly webhook: Webhook | undefined
  /** Asks for the list again. A dialog that closes before it would open with what was there. */
  readonly onDone: () => Promise<unknown>
  readonly onClose: () => void
}

/** A webhook: where it leads, and what it gets. The secret of a new one is shown once. */
export function WebhookDialog(props: WebhookDialogProps) {
  const { webhook, onClose } = props
  const text = useText()
  // The form keeps what was typed when the list of the page has another version of the webhook, or lacks it.
  const [{ shown, turn }, show] = useState({ shown: webhook, turn: 0 })
  return (
    <Dialog title={shown?.name ?? text.newWebhook} onClose={onClose}>
      {shown ? (
        <StoredWebhook
          key={turn}
          {...props}
          webhook={shown}
          onTheirs={(theirs) => show({ shown: theirs, turn: turn + 1 })}
        />
      ) : (
        <NewWebhook {...props} />
      )}
    </Dialog>
  )
}

function NewWebhook({ onDone }: WebhookDialogProps) {
  const text = useText()
  const { isShown, show, note } = useSecret(text.secretOnce)
  const { attempt, trouble } = useAttempt()
  const make = useMaking()
  const save = (body: WebhookInput) =>
    attempt(async () => {
      show(await make(body))
      await onDone()
    })
  return (
    <>
      {trouble}
      {isShown ? note : <WebhookForm webhook={undefined} onSave={save} />}
    </>
  )
}

interface StoredWebhookProps extends WebhookDialogProps {
  readonly webhook: Webhook
  readonly onTheirs: (theirs: Webhook) => void
}

function StoredWebhook({ webhook, onTheirs, onDone, onClose }: StoredWebhookProps) {
  const text = useText()
  const { show, note, mayEnd, latest } = useSecret(text.secretOnce)
  const { inTurn, trouble, save } = useChanges<Webhook>(`webhooks/${webhook.id}`, webhook, onTheirs)
  const change = async (body: WebhookInput, form: HTMLFormElement): Promise<void> => {
    // The dialog is closed with the save.
    if (!mayEnd()) return
    const before = latest()
    await inTurn(async () => {
      await save(body)
      await onDone()
      // A secret that has arrived since has been seen by nobody.
      if (latest() === before) onClose()
      else nowSaved(form)
    }, 'save')
  }
  return (
    <>
      {trouble}
      {note}
      <WebhookForm webhook={webhook} onSave={change} />
      <WebhookTools {...{ webhook, inTurn, onDone, onClose }} onSecret={show} />
    </>
  )
}

const secretOf = async (path: string, body: object): Promise<string> =>
  (await request<{ readonly secret: string }>('POST', path, { body })).body.secret

/** Makes a webhook. @returns a function whose result is the secret */
function useMaking() {
  const create = useCreation<Webhook, Webhooks>({
    queryKey: ['webhooks'],
    path: 'webhooks',
    items: ({ webhooks }) => webhooks,
  })
  return (body: WebhookInput): Promise<string> =>
    create({
      body,
      make: () => secretOf('webhooks', body),
      isIt: ({ name, url }) => name === body.name.trim() && url === body.url.trim(),
      // Its secret was in the answer that was lost.
      found: ({ id }) => secretOf(`webhooks/${id}/secret`, { endFormer: true }),
    })
}

interface WebhookFormProps {
  readonly webhook: Webhook | undefined
  readonly onSave: (body: WebhookInput, form: HTMLFormElement) => Promise<unknown>
}

function WebhookForm({ webhook, onSave }: WebhookFormProps) {
  const text = useText()
  const id = useId()
  const { me } = useSession()
  const mayAll = me.may.everything === true
  const [isAll, setAll] = useState(webhook ? webhook.types === null : mayAll)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const body = {
      name: String(given.get('name')),
      url: String(given.get('url')),
      events: given.getAll('events').map(String),
      types: isAll ? null : given.getAll('types').map(String),
      headers: readHeaders(String(given.get('headers'))),
      enabled: given.has('enabled'),
    }
    void onSave(body, event.currentTarget)
  }
  return (
    <form className="sign-in" onSubmit={submit}>
      <TextField label={text.webhookName} name="name" value={webhook?.name ?? ''} />
      <TextField label={text.webhookUrl} name="url" type="url" value={webhook?.url ?? ''} />
      <fieldset className="names">
        <legend>{text.webhookEvents}</legend>
        {eventNames.map((event) => (
          <label key={event}>
            <input
              type="checkbox"
              name="events"
              value={event}
              defaultChecked={webhook ? webhook.events.includes(event) : event.startsWith('entry.')}
            />
            <EventName event={event} />
          </label>
        ))}
      </fieldset>
      <fieldset className="names">
        <legend>{text.webhookTypes}</legend>
        {(mayAll || isAll) && (
          <label>
            <input type="checkbox" checked={isAll} onChange={({ target }) => setAll(target.checked)} />
            {text.allTypes}
          </label>
        )}
        {!isAll && <Types chosen={webhook?.types ?? []} />}
      </fieldset>
      <div className="field">
        <label htmlFor={id}>{text.webhookHeaders}</label>
        <textarea
          className="in"
          id={id}
          name="headers"
          rows={2}
          defaultValue={Object.keys(webhook?.headers ?? {})
            .map((name) => `${name}:\n`)
            .join('')}
          aria-describedby={`${id}-hint`}
        />
        <p className="hint" id={`${id}-hint`}>
          {text.webhookHeadersWhy}
        </p>
      </div>
      <label className="check">
        <input type="checkbox" name="enabled" defaultChecked={webhook?.enabled ?? true} />
        {text.webhookEnabled}
      </label>
      <SubmitRow label={webhook ? text.save : text.makeWebhook} />
    </form>
  )
}

/** The content-types of which the person reads everything: no other one may be sent. */
function Types({ chosen }: { chosen: readonly string[] }) {
  const { me, model } = useSession()
  const isWhole = (uid: string): boolean =>
    me.may.content[uid]?.read?.some(({ fields, locales, where }) => !fields && !locales && !where) === true
  return model.types
    .filter(({ uid }) => uid !== fileUid && (isWhole(uid) || chosen.includes(uid)))
    .map((type) => (
      <label key={type.uid}>
        <input type="checkbox" name="types" value={type.uid} defaultChecked={chosen.includes(type.uid)} />
        {titleOf(type)}
      </label>
    ))
}
