import { type Sql, sql } from '@octavo/database'
import type { OperatorName } from './table.ts'

/**
 * Characters of a text from which LIKE does not search for it: LIKE compares the text at each character of the other one. For 1,000 characters in a
 * mebibyte of one letter the embedded database took 5 s, in which nothing else ran, and no limit of time ends that before the end of the other text.
 */
const shortest = 64

/** A search for a literal text in linear time: a regular expression is run as an automaton, and `***=` makes all of its characters literal. */
const inside = (c: Sql, v: Sql): Sql => sql`${c} ~ ('***=' || ${v})`

/** The first condition is for an index of trigrams, which does not know the second one. */
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

/** The search of an operator for the text of its pattern; `undefined` for a short text, other operators, and patterns of plugins with wildcards within. */
export function longSearch(operator: OperatorName, pattern: unknown): LongSearch | undefined {
  const search = searches[operator]
  if (!search || typeof pattern !== 'string' || pattern.length < shortest) return undefined
  const [, escaped] = /^%((?:[^\\%_]|\\[\\%_])*)%?$/u.exec(pattern) ?? []
  return escaped === undefined ? undefined : { text: escaped.replace(/\\(.)/gu, '$1'), sql: search }
}
