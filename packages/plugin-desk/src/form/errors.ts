/** Errors of the server, at the fields that they are about. */
import type { FieldError } from './check.ts'
import { childKey } from './merge.ts'
import type { ComponentValue, GroupValue } from './value.ts'

/** A mistake of `error.details.errors`. */
export interface ServerMistake {
  readonly path: readonly string[]
  readonly message: string
}

/** `sections[0].title`: a path as the server's sentences begin with. */
const inWords = (path: readonly string[]): string =>
  path.reduce(
    (text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )

/**
 * Finds the fields of mistakes. A path has the positions of the request, so it is read with the value that was sent: components may have
 * been moved since. A path that leads deeper than the form, as into a list of links, means the field.
 *
 * @returns Mistakes that are about no field of the form, as of a content-type that has got others since, have the key `''` and the whole sentence.
 */
export const placeErrors = (sent: GroupValue, mistakes: readonly ServerMistake[]): readonly FieldError[] =>
  mistakes.map((mistake) => {
    const key = keyAt(sent, mistake.path)
    return { key, message: key === '' ? mistake.message : withoutPlace(mistake) }
  })

/** The sentence of a mistake without the place that it begins with. */
export function withoutPlace({ path, message }: ServerMistake): string {
  const words = inWords(path)
  return words !== '' && message.startsWith(`${words} `) ? message.slice(words.length + 1) : message
}

function keyAt(sent: GroupValue, path: readonly string[]): string {
  let group = sent
  let key = ''
  const rest = [...path]
  while (rest.length > 0) {
    const name = rest.shift() ?? ''
    const field = group.fields[name]
    if (!field) return ''
    key = childKey(key, name)
    if (field.kind !== 'components') break
    const item = /^\d+$/.test(rest[0] ?? '')
      ? field.items[Number(rest.shift())]
      : rest.length > 0
        ? field.items[0]
        : undefined
    if (!item) break
    key = childKey(key, item.key)
    group = item
  }
  return key
}

/** The first field with a dotted name, such as `seo.metaTitle` in `desk/field`; `''` when the form has none. */
export function keyNamed(sent: GroupValue, name: string): string {
  const [first = '', ...rest] = name.split('.')
  const field = sent.fields[first]
  if (!field) return ''
  if (field.kind !== 'components' || rest.length === 0) return first
  for (const item of field.items) {
    const inner = keyNamed(item, rest.join('.'))
    if (inner !== '') return `${first}/${(item as ComponentValue).key}/${inner}`
  }
  return first
}
