import type { Draft } from '../draft/drafts.ts'
import { isGiven, isPlain } from '../draft/given.ts'
import type { ReportMistake } from '../draft/mistakes.ts'
import { show } from '../draft/names.ts'
import type { Attribute } from '../model.ts'
import { didYouMean } from '../nearest.ts'
import { fullTextWeights, searchLanguages } from '../search/full-text.ts'

const modes = ['trigrams', 'fulltext']

/** The keys of `options.search` besides `attributes` and `mode`, by mode. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  trigrams: ['shortTerms'],
  fulltext: ['language', 'weights'],
}

/** Reports mistakes in `options.search`: `{ "attributes": ["title", "body"], "mode": "fulltext", "language": "english" }`. */
export function checkSearch(draft: Draft, attributes: ReadonlyMap<string, Attribute>): void {
  const given: unknown = draft.definition.options?.search
  if (!isGiven(given)) return
  const report: ReportMistake = (path, reason) => draft.report(['options', 'search', ...path], reason)
  if (!isPlain(given) || !Array.isArray(given.attributes) || given.attributes.length === 0) {
    report([], `must be an object such as { "attributes": ["title"] }, not ${show(given)}`)
    return
  }
  const mode = oneOf(given.mode ?? 'trigrams', modes, ['mode'], report)
  for (const [i, name] of given.attributes.entries()) {
    const isRepeated = given.attributes.indexOf(name) < i
    const reason = reasonAgainst(attributes.get(String(name)), isRepeated, mode)
    if (reason === undefined) continue
    const hint = attributes.has(String(name)) ? '' : didYouMean(String(name), attributes.keys())
    report(['attributes', String(i)], `${show(name)} ${reason}${hint}`)
  }
  if (mode === undefined) return
  checkKeys(given, mode, report)
  if (mode === 'fulltext') {
    oneOf(given.language ?? 'simple', searchLanguages, ['language'], report)
    checkWeights(given.weights, given.attributes, report)
  } else oneOf(given.shortTerms ?? 'scan', ['scan', 'refuse'], ['shortTerms'], report)
}

function checkKeys(given: Readonly<Record<string, unknown>>, mode: string, report: ReportMistake): void {
  const known = ['attributes', 'mode', ...(keysOf[mode] ?? [])]
  for (const key of Object.keys(given).filter((one) => !known.includes(one))) {
    const other = modes.find((one) => keysOf[one]?.includes(key))
    report(
      [key],
      other === undefined
        ? `is not known; a search has ${known.join(', ')}${didYouMean(key, known)}`
        : `belongs to the mode "${other}", and the mode is "${mode}"`,
    )
  }
}

/** `{ title: 'A' }` */
function checkWeights(given: unknown, searched: readonly unknown[], report: ReportMistake): void {
  if (!isGiven(given)) return
  if (!isPlain(given)) {
    report(['weights'], `must be an object such as { "title": "A" }, not ${show(given)}`)
    return
  }
  for (const [name, weight] of Object.entries(given)) {
    if (!searched.includes(name))
      report(['weights', name], `is not one of the attributes${didYouMean(name, searched.map(String))}`)
    oneOf(weight, fullTextWeights, ['weights', name], report)
  }
}

/** The value; `undefined` after it was reported. */
function oneOf(
  value: unknown,
  allowed: readonly string[],
  path: readonly string[],
  report: ReportMistake,
): string | undefined {
  if (typeof value === 'string' && allowed.includes(value)) return value
  const hint = typeof value === 'string' ? didYouMean(value, allowed) : ''
  report(path, `must be one of ${allowed.join(', ')}, not ${show(value)}${hint}`)
  return undefined
}

function reasonAgainst(
  attribute: Attribute | undefined,
  isRepeated: boolean,
  mode: string | undefined,
): string | undefined {
  if (!attribute) return 'is no attribute'
  if (isRepeated) return 'is named twice'
  const isText = attribute.kind === 'scalar' && attribute.type.search === 'text' && !attribute.type.secret
  if (!isText) return 'is not a text that _q searches'
  const isHidden = attribute.private || attribute.definition.searchable === false
  return mode === 'fulltext' && isHidden
    ? 'is private or has "searchable": false, so _q never searches it'
    : undefined
}
