import { param, type Sql, sql } from '@octavo/database'
import { float } from '../content-type/attribute-types/float.ts'
import { text } from '../content-type/attribute-types/text.ts'
import type { ComputedAttribute, Model, ScalarAttribute } from '../content-type/model.ts'
import {
  type FullText,
  fullTextOf,
  isWhole,
  matchedWords,
  phraseQuery,
  scoreName,
  wordsColumn,
} from '../content-type/search/full-text.ts'
import { refusesShortTerms, searchedAttributes } from '../content-type/search/searched.ts'
import { problem } from '../error/problems.ts'
import { literal } from '../operator/table.ts'
import { anyOf, compareText, constant, matches } from '../plan/condition.ts'
import type { Condition } from '../plan/plan.ts'
import type { Scope } from './scope.ts'

export interface Search {
  readonly where: Condition
  /** The value of `sort=_score`; `undefined`: the search has no ranks. */
  readonly score: ComputedAttribute | undefined
}

/**
 * Resolves `_q`. With `options.search.mode` of `fulltext` the words of the phrase are found in its attributes. Otherwise the phrase
 * occurs, without regard to case and literally, in the id or in any text attribute; when it is a number, also in the text of a
 * number attribute. With `options.search` only its attributes and the id are searched. Hidden attributes and those with
 * `searchable: false` are never searched.
 *
 * @throws ValidationError `query/search-too-short`
 */
export function resolveSearch(phrase: string, model: Model, scope: Scope): Search {
  const fullText = fullTextOf(model, !scope.lacksWords(model))
  return fullText
    ? resolveFullText(fullText, phrase, model, scope)
    : { where: resolvePart(phrase, model, scope), score: undefined }
}

function resolvePart(phrase: string, model: Model, scope: Scope): Condition {
  if (refusesShortTerms(model) && !/[\p{L}\p{M}\p{N}]{3}/u.test(phrase))
    throw problem('query/search-too-short', { at: '_q' })
  const isNumber = phrase.trim() !== '' && Number.isFinite(Number(phrase))
  const declared = searchedAttributes(model)
  const searched: ScalarAttribute[] = [model.id]
  for (const attribute of declared ?? model.attributes.values()) {
    if (attribute.kind !== 'scalar' || attribute.definition.searchable === false) continue
    const { search } = attribute.type
    if (search === 'never' || (search === 'number' && !isNumber)) continue
    if (scope.sees(attribute, model, 'filter')) searched.push(attribute)
  }
  const value = `%${literal(phrase)}%`
  return anyOf(searched.map((attribute) => compareText(attribute, '$containsi', value)))
}

function resolveFullText(search: FullText, phrase: string, model: Model, scope: Scope): Search {
  const attributes = search.attributes
    .map(({ attribute }) => attribute)
    .filter((attribute) => scope.sees(attribute, model, 'filter'))
  if (attributes.length === 0) return { where: constant(false), score: undefined }
  return {
    where: matches(search, attributes, phrase),
    score: scoreOf(search, attributes, phrase, model),
  }
}

/** The column with the words of all attributes, as an attribute that the rank is computed from. */
const words: ScalarAttribute = Object.freeze({
  kind: 'scalar',
  name: wordsColumn,
  column: wordsColumn,
  definition: { type: text.name },
  private: true,
  type: text,
})

/** The rank of an entry among those that match: a number from 0, greater for better matches. */
function scoreOf(
  search: FullText,
  among: readonly ScalarAttribute[],
  phrase: string,
  model: Model,
): ComputedAttribute {
  const from = isWhole(search, among) ? [words] : among
  const names = new Map(from.map(({ name, column }) => [column, name]))
  return {
    kind: 'computed',
    name: scoreName,
    definition: { type: float.name },
    private: false,
    type: float,
    from,
    compute: {
      kind: 'sql',
      sql: (columns) => {
        // Every column that the search compares is one of `from`.
        const compared = matchedWords(search, among, (column) => columns[names.get(column) ?? ''] as Sql)
        return sql`ts_rank(${compared}, ${phraseQuery(search, param(phrase, 'text'))})`
      },
    },
    place: `${model.uid}.${scoreName}`,
    plugin: undefined,
  }
}
