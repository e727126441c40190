/** Ranked full-text search: `options.search` with `mode: 'fulltext'`. */
import { join, type Sql, sql } from '@octavo/database'
import type { FullTextWeight, SearchLanguage } from '../definition/definition.ts'
import type { Model, ScalarAttribute } from '../model.ts'
import { searchOptions } from './searched.ts'

/** Sorts by the rank of the entries that `_q` finds. No attribute has this name, since names begin with a letter. */
export const scoreName = '_score'

/** The generated column with the words of the searched attributes. No attribute has a column of this name. */
export const wordsColumn = '_search'

/**
 * Characters that are searched, divided equally among the attributes. PostgreSQL refuses a list of words above 1 MB, and a
 * character takes up to six bytes there; without a limit the writes of very long texts would fail.
 */
const searchedCharacters = 120_000

/** The configurations that PostgreSQL 15 and later contain. */
export const searchLanguages = [
  ...(['simple', 'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english'] as const),
  ...(['finnish', 'french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish'] as const),
  ...(['italian', 'lithuanian', 'nepali', 'norwegian', 'portuguese', 'romanian', 'russian'] as const),
  ...(['serbian', 'spanish', 'swedish', 'tamil', 'turkish', 'yiddish'] as const),
] as const satisfies readonly SearchLanguage[]

/** From the most important to the least; a rank counts them as 1, 0.4, 0.2 and 0.1. */
export const fullTextWeights = ['A', 'B', 'C', 'D'] as const satisfies readonly FullTextWeight[]

export interface FullText {
  readonly language: SearchLanguage
  readonly attributes: readonly SearchedText[]
  /** Whether every row has its words stored. While a column of words is made they are computed. */
  readonly isStored: boolean
}

interface SearchedText {
  readonly attribute: ScalarAttribute
  readonly weight: FullTextWeight
}

/** The full-text search of a model; `undefined` without `mode: 'fulltext'`. The definition was checked. */
export function fullTextOf(model: Model, isStored = true): FullText | undefined {
  const search = searchOptions(model)
  if (search?.mode !== 'fulltext') return undefined
  const { attributes, language = 'simple', weights = {} } = search
  return {
    isStored,
    language,
    attributes: attributes.flatMap((name) => {
      const attribute = model.attributes.get(name)
      return attribute?.kind === 'scalar' ? [{ attribute, weight: weights[name] ?? 'D' }] : []
    }),
  }
}

/** The words of the attributes, or of some of them, as a `tsvector`. */
export function wordsOf(
  { language, attributes }: FullText,
  columnOf: (name: string) => Sql,
  among: readonly ScalarAttribute[] = attributes.map(({ attribute }) => attribute),
): Sql {
  const length = Math.floor(searchedCharacters / attributes.length)
  const parts = attributes
    .filter(({ attribute }) => among.includes(attribute))
    .map(({ attribute, weight }) => {
      const text = sql`left(coalesce(${attribute.type.toText(columnOf(attribute.column))}, ''), ${sql.lit(length)})`
      return sql`setweight(to_tsvector(${configuration(language)}, ${text}), ${sql.lit(weight)})`
    })
  return join(parts, ' || ')
}

/** Whether a search may read the column with the words: it is among all of their attributes. */
export const isWhole = (search: FullText, among: readonly ScalarAttribute[]): boolean =>
  search.isStored && among.length === search.attributes.length

/**
 * The words that a search compares. Without the column of words when it is not among all attributes: a word of an attribute
 * that the caller may not read must not be found.
 */
export const matchedWords = (
  search: FullText,
  among: readonly ScalarAttribute[],
  columnOf: (name: string) => Sql,
): Sql => (isWhole(search, among) ? columnOf(wordsColumn) : sql`(${wordsOf(search, columnOf, among)})`)

/** A phrase in the syntax of search engines: `"exact phrase" or other -without`. Every text is valid. */
export const phraseQuery = ({ language }: FullText, phrase: Sql): Sql =>
  sql`websearch_to_tsquery(${configuration(language)}, ${phrase})`

const configuration = (language: SearchLanguage): Sql => sql`${sql.lit(`pg_catalog.${language}`)}::regconfig`
