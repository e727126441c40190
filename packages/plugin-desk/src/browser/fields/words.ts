/** Values of fields to read. */
import type { FieldNode, FieldValue } from '../../form/index.ts'
import { labelOf } from '../entries.ts'
import { inWords, type Model, nounOf } from '../model.ts'
import { beginningOf, dateOf, joined, momentOf, type Texts } from '../text/index.ts'

/** A value in words, with a line for each part; `''` for none. */
export function wordsOf(value: FieldValue, node: FieldNode, model: Model, text: Texts): string {
  switch (value.kind) {
    case 'scalar':
      return value.unfinished ?? scalarWords(value.value, node.definition.type, text)
    case 'relation': {
      const uid = node.kind === 'relation' ? node.shape.target : ''
      const target = model.types.find((one) => one.uid === uid)
      const noun = target ? nounOf(target) : ''
      return joined(
        value.items.map(({ id, attributes = {} }) => labelOf({ id, attributes }, target, noun, text)),
        text,
      )
    }
    case 'components':
      return value.items
        .map((item) => {
          const name = model.components.find(({ uid }) => uid === item.uid)?.name ?? item.uid
          const words = firstWords(item.fields)
          return words === '' ? name : `${name}: ${words}`
        })
        .join('\n')
  }
}

/** The first text of a part, at most 120 letters. */
function firstWords(fields: Readonly<Record<string, FieldValue>>): string {
  for (const field of Object.values(fields)) {
    const words = field.kind === 'scalar' && typeof field.value === 'string' ? field.value.trim() : ''
    if (words !== '') return beginningOf(words, 120)
  }
  return ''
}

export function scalarWords(value: unknown, type: string, text: Texts): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? text.yes : text.no
  if (type === 'enumeration') return inWords(String(value))
  if (type === 'date') return dateOf(String(value), text)
  if (type === 'datetime') return momentOf(String(value), text)
  if (typeof value !== 'object') return String(value)
  const words = Array.isArray(value) ? blockWords(value) : ''
  return words === '' ? JSON.stringify(value, null, 2) : words
}

/** The text of blocks, each in a line; `''` for a value that has none. */
function blockWords(nodes: readonly unknown[]): string {
  const textIn = (node: unknown): string => {
    const { text, children, image } = (node ?? {}) as {
      readonly text?: unknown
      readonly children?: unknown
      readonly image?: { readonly name?: unknown; readonly url?: unknown }
    }
    if (typeof text === 'string') return text
    if (image) return String(image.name ?? image.url ?? '')
    return Array.isArray(children) ? children.map(textIn).join(isInline(children) ? '' : '\n') : ''
  }
  return nodes.map(textIn).join('\n').trim()
}

const isInline = (nodes: readonly unknown[]): boolean =>
  nodes.every((node) => ['text', 'link'].includes(String((node as { readonly type?: unknown } | null)?.type)))
