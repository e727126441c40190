import { useEffect, useState } from 'react'
import { draftsOf } from '../../form/draft.ts'
import type { Draft } from '../../form/draft-text.ts'
import { Form, type FormModel, modelOf } from '../../form/index.ts'
import { deviceStorage } from '../device.ts'
import { labelOf } from '../entries.ts'
import { type ContentType, nounOf } from '../model.ts'
import { useSession } from '../session.tsx'
import { momentOf, type Texts, useText } from '../text/index.ts'
import { useCopy } from './use-copy.ts'

/** The unsaved changes of a person in an entry that is gone. */
interface Left {
  readonly form: Form
  readonly locale: string | undefined
  /** Milliseconds since 1970. */
  readonly at: number
  /** The keys of the copies on this device. */
  readonly keys: readonly string[]
}

/** The values of all copies together, where two have the same field the newer one; `undefined` without one of the present model. */
function together(model: FormModel, drafts: ReadonlyMap<string, Draft>): Left | undefined {
  let left: Left | undefined
  for (const [key, { base, mine, locale, at }] of drafts) {
    try {
      const form = left?.form ?? new Form(model, base)
      form.restore(base, mine)
      left = { form, locale, at, keys: [...(left?.keys ?? []), key] }
    } catch {
      // A copy of an older model stays where it is.
    }
  }
  return left
}

/** The name of the entry by what a form shows. */
function nameIn(form: Form, type: ContentType, text: Texts): string {
  const values = Object.entries(form.value().fields).map(([name, field]) => [
    name,
    field.kind === 'scalar' ? field.value : undefined,
  ])
  return labelOf({ id: form.base.id ?? 0, attributes: Object.fromEntries(values) }, type, nounOf(type), text)
}

/** Offers what is not saved of an entry that is not there any more, for a new one. */
export function LeftText({ type, id }: { type: ContentType; id: string | undefined }) {
  const { me, model } = useSession()
  const [left, setLeft] = useState<Left>()
  const { uid } = type
  const person = me.person.id
  useEffect(() => {
    let isGone = false
    const find = async () => {
      const drafts = await draftsOf(deviceStorage, { person, uid, entry: Number(id) })
      if (!isGone) setLeft(together(modelOf(model), drafts))
    }
    void find()
    return () => {
      isGone = true
    }
  }, [person, uid, id, model])
  return left && <Offer {...{ type, left }} onDiscard={() => setLeft(undefined)} />
}

interface OfferProps {
  readonly type: ContentType
  readonly left: Left
  readonly onDiscard: () => void
}

function Offer({ type, left: { form, locale, at, keys }, onDiscard }: OfferProps) {
  const text = useText()
  const goOn = useCopy(type, locale)
  if (!goOn) return null
  const discard = async () => {
    for (const key of keys) await deviceStorage.delete(key)
    onDiscard()
  }
  return (
    <p className="note info">
      {text.leftHere(momentOf(new Date(at).toISOString(), text))}
      <button type="button" className="linked" onClick={() => void goOn(form, nameIn(form, type, text))}>
        {text.goOnAsNew}
      </button>
      <button type="button" className="linked" onClick={() => void discard()}>
        {text.discard}
      </button>
    </p>
  )
}
