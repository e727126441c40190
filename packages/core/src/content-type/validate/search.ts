import type { Attribute } from '../model.ts'
import { didYouMean } from '../nearest.ts'
import { type Draft, isGiven, isPlain } from './draft.ts'
import { show } from './names.ts'

/** Reports mistakes in `options.search`: `{ "attributes": ["title", "body"] }`. */
export function checkSearch(draft: Draft, attributes: ReadonlyMap<string, Attribute>): void {
  const given: unknown = draft.definition.options?.search
  if (!isGiven(given)) return
  const path = ['options', 'search']
  if (!isPlain(given) || !Array.isArray(given.attributes) || given.attributes.length === 0) {
    draft.report(path, `must be an object such as { "attributes": ["title"] }, not ${show(given)}`)
    return
  }
  const unknown = Object.keys(given).find((key) => key !== 'attributes')
  if (unknown !== undefined) draft.report([...path, unknown], 'is not known; a search has attributes')
  for (const [i, name] of given.attributes.entries()) {
    const reason = reasonAgainst(name, given.attributes.indexOf(name) < i, attributes)
    if (reason !== undefined) draft.report([...path, 'attributes', String(i)], `${show(name)} ${reason}`)
  }
}

function reasonAgainst(
  name: unknown,
  isRepeated: boolean,
  attributes: ReadonlyMap<string, Attribute>,
): string | undefined {
  const attribute = attributes.get(String(name))
  if (!attribute) return `is no attribute${didYouMean(String(name), attributes.keys())}`
  if (isRepeated) return 'is named twice'
  const isText = attribute.kind === 'scalar' && attribute.type.search === 'text' && !attribute.type.secret
  return isText ? undefined : 'is not a text that _q searches'
}
