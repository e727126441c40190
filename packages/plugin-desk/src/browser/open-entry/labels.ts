import type { FieldNode, Form } from '../../form/index.ts'
import { type FieldLook, lookOf, mainFieldOf } from '../model/layout.ts'
import type { Model } from '../model/model.ts'
import { beginningOf, isBlank, type Texts } from '../text/index.ts'
import { scalarWords } from '../values/words.ts'

export function lookOfNode(form: Form, model: Model, node: FieldNode): FieldLook {
  const owner = form.find(node.parent ?? '')
  return lookOf(model, owner?.kind === 'group' ? owner.uid : '', node.name)
}

/** Whether the layout shows a field, or a part that has it, without a way to change it. */
export const isShownOnly = (form: Form, model: Model, key: string): boolean =>
  form.pathTo(key).some((at) => {
    const node = form.find(at)
    return node !== undefined && node.kind !== 'group' && lookOfNode(form, model, node).readOnly === true
  })

/** The place of a field in words: `Sections 3 / Text`. */
export function placeOf(form: Form, model: Model, key: string): string {
  const words = form.pathTo(key).flatMap((at): readonly string[] => {
    const node = form.find(at)
    if (!node || at === '') return []
    if (node.kind !== 'group') return [lookOfNode(form, model, node).label]
    const list = form.find(node.parent ?? '')
    return list?.kind === 'components' && list.shape.many ? [String(list.items.indexOf(at) + 1)] : []
  })
  return words
    .reduce<string[]>((parts, word) => {
      if (/^\d+$/.test(word) && parts.length > 0) parts[parts.length - 1] += ` ${word}`
      else parts.push(word)
      return parts
    }, [])
    .join(' / ')
}

/** A part in a few words: its name, or else the first of its values. `''` for a part without a value. */
export function summaryOf(form: Form, key: string, model: Model, text: Texts): string {
  const node = form.find(key)
  const component = node?.kind === 'group' && model.components.find(({ uid }) => uid === node.uid)
  if (!component) return ''
  const main = mainFieldOf(component)
  const names = [...(main ? [main] : []), ...Object.keys(node.fields)]
  const fields = names.flatMap((name) => {
    const field = form.find(node.fields[name] ?? ' ')
    return field && field.kind !== 'group' ? [field] : []
  })
  const texts = fields.map((field) => textOf(field))
  return firstOf(texts) || firstOf(fields.map((field) => valueIn(form, field, model, text)))
}

const firstOf = (words: readonly string[]): string => words.find((one) => one !== '') ?? ''

/** Types whose values are strings that say nothing without the label of the field. */
const withLabel: readonly string[] = ['date', 'time', 'datetime', 'enumeration', 'biginteger', 'decimal']

/** The text of a field that is read without its label: that of a line, or the names of related entries. */
function textOf(field: FieldNode): string {
  const { type } = field.definition
  if (field.kind === 'scalar') {
    const isText = typeof field.value === 'string' && !withLabel.includes(type) && type !== 'password'
    return isText && !isBlank(String(field.value)) ? beginningOf(String(field.value), 120) : ''
  }
  if (field.kind !== 'relation' || type === 'media') return ''
  const [first, ...others] = field.items
  const label = Object.values(first?.attributes ?? {}).find((value) => typeof value === 'string')
  return typeof label === 'string' ? withOthers(label, others.length) : ''
}

/** Any other value, such as `Rating: 5`, `6 files`, or the summary of the first part within. */
function valueIn(form: Form, field: FieldNode, model: Model, text: Texts): string {
  if (field.kind === 'relation') return field.items.length === 0 ? '' : text.files(field.items.length)
  if (field.kind === 'components') {
    const [first, ...others] = field.items
    if (first === undefined) return ''
    const words = summaryOf(form, first, model, text)
    return words === '' ? text.parts(field.items.length) : withOthers(words, others.length)
  }
  const { type } = field.definition
  const words = type === 'password' ? '' : beginningOf(scalarWords(field.value, type, text), 120)
  if (isBlank(words) || type === 'blocks') return words.trim()
  return `${lookOfNode(form, model, field).label}: ${words}`
}

const withOthers = (words: string, others: number): string => (others > 0 ? `${words} +${others}` : words)
