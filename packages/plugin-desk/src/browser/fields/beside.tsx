import type { FieldNode, FieldValue, Form } from '../../form/index.ts'
import { valueBeside } from '../entry/beside.ts'
import { useEntry, useLook } from '../entry/context.ts'
import { isShared } from '../model.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/index.ts'
import { wordsOf } from './words.ts'

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
  const { form, beside, mayWrite } = useEntry()
  const { model } = useSession()
  const { label } = useLook(node)
  const words = wordsOf(value, node, model, text)
  if (!beside || words === '') return null
  const { code, name } = beside.locale
  return (
    <div className="beside">
      <div className="beside-head">
        <span>{name}</span>
        {mayWrite(node.key) && node.definition.type !== 'password' && (
          <button
            type="button"
            className="linked"
            aria-label={text.takeOverOf(label, name)}
            onClick={() => takeOver(form, node, value)}
          >
            {text.takeOver}
          </button>
        )}
      </div>
      <div className="beside-text" lang={code} dir="auto">
        {words}
      </div>
    </div>
  )
}

function takeOver(form: Form, node: FieldNode, value: FieldValue): void {
  form.transaction(() => {
    if (value.kind === 'scalar') form.set(node.key, value.value)
    else if (value.kind === 'relation' && node.kind === 'relation') {
      for (const { id } of node.items) form.unlink(node.key, id)
      for (const entry of value.items) form.link(node.key, entry)
    } else if (value.kind === 'components' && node.kind === 'components') {
      for (const item of node.items) form.remove(item)
      for (const item of value.items) form.insert(node.key, item)
    }
  })
}
