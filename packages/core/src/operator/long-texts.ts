import { type Sql, sql } from '@octavo/database'
import type { OperatorName } from './table.ts'

/**
 * The number of characters from which a text is searched for without LIKE. LIKE compares the text at each character of the stored one: 1,000 characters in a
 * mebibyte of one letter took the embedded database 5 s. Nothing else ran in this time, and no limit of time interrupts the comparison with one stored text.
 */
const shortest = 64

/** A search for a literal text in linear time: a regular expression is run as an automaton, and `***=` makes all of its characters literal. */
const inside = (c: Sql, v: Sql): Sql => sql`${c} ~ ('***=' || ${v})`

/** The first condition is there because an index of trigrams can serve it, and not the second one. */
const atEnd = (c: Sql, v: Sql): Sql => sql`(${inside(c, v)} and right(${c}, char_length(${v})) = ${v})`

const lower = (value: Sql): Sql => sql`lower(${value})`

/** The conditions of the operators whose text may be anywhere in another one, or at its end. */
const searches: Partial<Record<OperatorName, (column: Sql, text: Sql) => Sql>> = {
  $contains: inside,
  $containsi: (c, v) => inside(lower(c), lower(v)),
  $notContains: (c, v) => sql`not ${inside(c, v)}`,
  $notContainsi: (c, v) => sql`not ${inside(lower(c), lower(v))}`,
  $endsWith: atEnd,
  $endsWithi: (c, v) => atEnd(lower(c), lower(v)),
}

/** How an operator searches for a long text. */
export interface LongSearch {
  readonly text: string
  readonly sql: (column: Sql, text: Sql) => Sql
}

/**
 * @param pattern The pattern of LIKE that the operator has made of a text.
 * @returns the search of the operator for this text; `undefined` for short texts, for other operators, and for patterns of plugins that have
 *   wildcards within the text
 */
export function longSearch(operator: OperatorName, pattern: unknown): LongSearch | undefined {
  const search = searches[operator]
  if (!search || typeof pattern !== 'string' || pattern.length < shortest) return undefined
  const [, escaped] = /^%((?:[^\\%_]|\\[\\%_])*)%?$/u.exec(pattern) ?? []
  return escaped === undefined ? undefined : { text: escaped.replace(/\\(.)/gu, '$1'), sql: search }
}
