/** Values of fields to read. */
import {
  type Changes,
  type ComponentValue,
  changedFields,
  type FieldNode,
  type Fields,
  type FieldValue,
  identityOf,
  type Overlap,
} from '../../form/index.ts'
import { labelOf } from '../model/entries.ts'
import { componentName, inWords, type Model, nounOf } from '../model/model.ts'
import { beginningOf, dateOf, joined, momentOf, type Texts } from '../text/index.ts'

/**
 * The values of a conflict in words that show what differs: a part that one side has changed and the other removed by itself, with all that it has, and
 * values whose short words are alike in full.
 */
export function wordsOfBoth(
  { mine, theirs, component }: Overlap,
  node: FieldNode,
  model: Model,
  text: Texts,
): readonly [mine: string, theirs: string] {
  const ofBoth = (words: (value: FieldValue) => string) => [words(mine), words(theirs)] as const
  if (component !== undefined)
    return ofBoth((value) => {
      const items = value.kind === 'components' ? value.items : []
      const part = items.find((item) => identityOf(item) === component)
      return part ? wordsOfPart(part, node, model, text) : text.removedPart
    })
  const short = ofBoth((value) => wordsOf(value, node, model, text))
  if (short[0] !== short[1]) return short
  return ofBoth((value) => {
    if (value.kind === 'components')
      return value.items.map((item) => wordsOfPart(item, node, model, text)).join('\n\n')
    return value.kind === 'relation' ? numbered(value, node, model, text) : exact(value.value, node, short[0])
  })
}

/** A part with all its fields, each with its name above it. */
const wordsOfPart = ({ uid, fields }: ComponentValue, node: FieldNode, model: Model, text: Texts): string =>
  [kindOf(uid, node, model), ...wordsOfFields(fields, text)].join('\n')

/** The name of the kind of a part in its list. */
const kindOf = (uid: string, node: FieldNode, model: Model): string =>
  componentName(model, uid, node.kind === 'components' ? node.shape.uids : [])

/** Linked entries with their ids, which tell those of one name apart. */
const numbered = (
  { items }: FieldValue & { kind: 'relation' },
  node: FieldNode,
  model: Model,
  text: Texts,
): string =>
  joined(
    items.map((item) => `${wordsOf({ kind: 'relation', items: [item] }, node, model, text)} (${item.id})`),
    text,
  )

/** A text or a number as it is stored, such as a time with its seconds; the words of what has a form of its own. */
const exact = (value: unknown, { definition }: FieldNode, words: string): string =>
  typeof value === 'object' || definition.type === 'blocks' ? words : String(value)

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
          const name = kindOf(item.uid, node, model)
          const words = firstWords(item.fields)
          return words === '' ? name : `${name}: ${words}`
        })
        .join('\n')
  }
}

/** The fields of changes to read, those of several changes once. */
export const wordsOfChanges = (changes: readonly Changes[], text: Texts): readonly string[] => [
  ...new Set(changes.flatMap((one) => wordsOfFields(changedFields(one), text))),
]

/** Changed fields to read, each with its place above it: `Sections 2 / Text`. The model may not have them any more. */
export function wordsOfFields(fields: Fields, text: Texts, place: readonly string[] = []): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    wordsOfField(value, text, [...place, inWords(name)]),
  )
}

function wordsOfField(value: FieldValue, text: Texts, place: readonly string[]): readonly string[] {
  const at = place.join(' / ')
  switch (value.kind) {
    case 'scalar': {
      const words = value.unfinished ?? scalarWords(value.value, '', text)
      return words === '' ? [] : [`${at}\n${words}`]
    }
    case 'relation': {
      const names = value.items.map(({ id, attributes = {} }) =>
        String(Object.values(attributes).find((one) => typeof one === 'string') ?? id),
      )
      return names.length === 0 ? [] : [`${at}\n${names.join('\n')}`]
    }
    case 'components':
      return value.items.flatMap(({ fields }, i) =>
        wordsOfFields(fields, text, [...place.slice(0, -1), `${place.at(-1)} ${i + 1}`]),
      )
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
