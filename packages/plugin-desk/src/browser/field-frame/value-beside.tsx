import { useEffect, useState } from 'react'
import { type FieldNode, type FieldValue, isTakenOver, takeOver, takeOverAll } from '../../form/index.ts'
import { isShared } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { valueBeside } from '../open-entry/beside.ts'
import { useEntry, useLook } from '../open-entry/context.ts'
import { useText } from '../text/index.ts'
import { wordsOf } from '../values/words.ts'

/** The value of a field in the language beside the page, to read and to take over. */
export function BesideView({ node }: { node: FieldNode }) {
  const { form, type, beside } = useEntry()
  if (!beside) return null
  const root = form.get(form.pathTo(node.key)[1] ?? node.key)
  if (root.kind !== 'group' && isShared(type, root.name)) return null
  const value = valueBeside(form, beside.value, node.key)
  return value ? <Value {...{ node, value }} /> : null
}

function Value({ node, value }: { node: FieldNode; value: FieldValue }) {
  const text = useText()
  const entry = useEntry()
  const { form, beside } = entry
  const { model } = useSession()
  const { label } = useLook(node)
  const words = wordsOf(value, node, model, text)
  if (!beside || words === '') return null
  const { code, name } = beside.locale
  return (
    <div className="beside">
      <div className="beside-head">
        <span>{name}</span>
        {isTakenOver(node, entry) && (
          <button
            type="button"
            className="linked"
            aria-label={text.takeOverOf(label, name)}
            onClick={() => takeOver(form, node.key, value, entry)}
          >
            {text.takeOver}
          </button>
        )}
      </div>
      <div className="beside-text" lang={code} dir="auto" translate="no">
        {words}
      </div>
    </div>
  )
}

/** Takes all values of the language beside the page over at once, and says so: undo takes them back. */
export function TakeOverAll() {
  const text = useText()
  const entry = useEntry()
  const { form, type, beside } = entry
  const [said, setSaid] = useState('')
  // The sentence is about the last step: another one, or its undo, ends it.
  useEffect(() => (said === '' ? undefined : form.subscribeHistory(() => setSaid(''))), [form, said])
  if (!beside) return null
  const { name } = beside.locale
  const isTaken = (node: FieldNode): boolean => isTakenOver(node, entry) && !isShared(type, node.name)
  const root = form.get('')
  const fields = root.kind === 'group' ? Object.values(root.fields).map((key) => form.get(key)) : []
  if (!fields.some((node) => node.kind !== 'group' && isTaken(node))) return null
  const take = () => {
    const count = takeOverAll(form, beside.value, isTaken, entry)
    setSaid(count === 0 ? text.nothingToTakeOver(name) : text.takenOver(name))
  }
  return (
    <div className="beside-all">
      <button type="button" className="button small" onClick={take}>
        {text.takeOverAll(name)}
      </button>
      <span role="status">{said}</span>
    </div>
  )
}
