import { useEffect, useState } from 'react'
import { type DraftPlace, draftsAt } from '../../form/draft.ts'
import type { Draft } from '../../form/draft-text.ts'
import { changedFields, Form, type FormModel, modelOf } from '../../form/index.ts'
import { labelOf } from '../model/entries.ts'
import { type ContentType, nounOf } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { deviceStorage } from '../page-parts/device.ts'
import { momentOf, type Texts, useText } from '../text/index.ts'
import { wordsOfChanges } from '../values/words.ts'
import { KeptText } from './kept-text.tsx'
import { useCopy } from './use-copy.ts'

type Drafts = ReadonlyMap<string, Draft>

/** The values of copies in a form, with the language of the newest one. */
interface Together {
  readonly form: Form
  readonly locale: string | undefined
}

/** The values of all copies together, where two have the same field the newer one; `undefined` without one of the present model. */
function together(model: FormModel, drafts: Drafts): Together | undefined {
  let found: Together | undefined
  for (const { base, mine, locale } of drafts.values()) {
    try {
      const form = found?.form ?? new Form(model, base)
      form.restore(base, mine)
      found = { form, locale }
    } catch {
      // A copy of an older model stays where it is.
    }
  }
  return found
}

/** The name of the entry by what a form shows. */
function nameIn(form: Form, type: ContentType, text: Texts): string {
  const values = Object.entries(form.value().fields).map(([name, field]) => [
    name,
    field.kind === 'scalar' ? field.value : undefined,
  ])
  return labelOf({ id: form.base.id ?? 0, attributes: Object.fromEntries(values) }, type, nounOf(type), text)
}

/** The end of an address: an id, `new`, or `undefined` for a single type. */
const entryOf = (id: string | undefined): DraftPlace['entry'] =>
  id === undefined ? 0 : id === 'new' ? 'new' : Number(id)

interface LeftTextProps {
  /** `undefined` where the desk does not show the content-type of the address. */
  readonly type: ContentType | undefined
  readonly route: string
  readonly id: string | undefined
}

/** Says what is not saved of an entry that is not shown any more, and offers it for a new one where the person may make one. */
export function LeftText({ type, route, id }: LeftTextProps) {
  const { me, model } = useSession()
  const [drafts, setDrafts] = useState<Drafts>(new Map())
  const person = me.person.id
  useEffect(() => {
    let isGone = false
    const find = async () => {
      // A content-type that the desk does not show is known by its address only.
      const isOf = (uid: string) => (type ? uid === type.uid : !model.types.some((one) => one.uid === uid))
      const found = await draftsAt(deviceStorage, { person, route, entry: entryOf(id) }, isOf)
      if (!isGone) setDrafts(found)
    }
    void find().catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [person, type, route, id, model])
  if (drafts.size === 0) return null
  const discard = async () => {
    for (const key of drafts.keys()) await deviceStorage.delete(key)
    setDrafts(new Map())
  }
  const props = { drafts, onDiscard: () => void discard() }
  return type ? <Offer {...props} type={type} /> : <Unplaced {...props} />
}

interface LeftProps {
  readonly drafts: Drafts
  readonly onDiscard: () => void
}

const lastOf = (drafts: Drafts): string =>
  new Date(Math.max(...[...drafts.values()].map(({ at }) => at))).toISOString()

/** The changes to read and to copy. */
function Unplaced({ drafts, onDiscard }: LeftProps) {
  const text = useText()
  const changes = [...drafts.values()].flatMap((draft) => [draft, ...(draft.left ?? [])])
  return (
    <KeptText words={wordsOfChanges(changes, text)} onDiscard={onDiscard}>
      {text.leftHere(momentOf(lastOf(drafts), text))} {text.leftUnplaced}
    </KeptText>
  )
}

function Offer({ type, drafts, onDiscard }: LeftProps & { readonly type: ContentType }) {
  const text = useText()
  const { model } = useSession()
  const [left] = useState(() => together(modelOf(model), drafts))
  const goOn = useCopy(type, left?.locale)
  // A new entry has the fields that the person may read: text of others would not be in it.
  const isWhole = (form: Form): boolean =>
    [...drafts.values()].every((draft) => Object.keys(changedFields(draft)).every((name) => form.find(name)))
  if (!left || !goOn || !isWhole(left.form)) return <Unplaced {...{ drafts, onDiscard }} />
  const { form } = left
  return (
    <p className="note info">
      {text.leftHere(momentOf(lastOf(drafts), text))}
      <button type="button" className="linked" onClick={() => void goOn(form, nameIn(form, type, text))}>
        {text.goOnAsNew}
      </button>
      <button type="button" className="linked" onClick={onDiscard}>
        {text.discard}
      </button>
    </p>
  )
}
