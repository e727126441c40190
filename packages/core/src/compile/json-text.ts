import { join, type Sql, sql } from '@octavo/database'

/**
 * JSON as text in parts: strings of the definitions, and SQL whose value is text and not null. The parts are joined with `||`.
 *
 * `row_to_json` over nested subselects gives the same text, but takes half as long again for a deep answer. It runs a subselect for
 * each level, copies the text of each level, and looks up the record type of each list of columns, which a connection never
 * forgets.
 */
export type JsonText = readonly (string | Sql)[]

export interface JsonMember {
  readonly name: string
  readonly value: JsonText
}

/** `{"id":1,"title":"a"}` */
export const jsonObject = (members: readonly JsonMember[]): JsonText => [
  '{',
  ...members.flatMap(({ name, value }, i) => [`${i === 0 ? '' : ','}${JSON.stringify(name)}:`, ...value]),
  '}',
]

/**
 * A list of texts.
 * @param items Their texts with commas between them; null without any.
 * @param empty The text without items.
 */
export function jsonList(items: Sql, empty: '[]' | 'null'): JsonText {
  return empty === '[]'
    ? ['[', sql`coalesce(${items}, '')`, ']']
    : [sql`coalesce('[' || ${items} || ']', 'null')`]
}

/** JSON text that may be null. @param empty The text in place of null. */
export const jsonOrNull = (value: Sql, empty = 'null'): JsonText => [
  sql`coalesce(${value}, ${sql.lit(empty)})`,
]

/** The parts as one SQL expression. */
export function joinedJson(text: JsonText): Sql {
  const parts: (string | Sql)[] = []
  for (const part of text) {
    const last = parts.at(-1)
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
    else parts.push(part)
  }
  return joinedInPairs(parts.map((part) => (typeof part === 'string' ? sql.lit(part) : part)))
}

/**
 * `((a || b) || (c || d))`: each `||` copies both of its texts. In pairs a long text is copied a few times; one after another it
 * would be copied for each further part.
 */
function joinedInPairs(parts: readonly Sql[]): Sql {
  if (parts.length <= 2) return sql`(${join(parts, ' || ')})`
  const middle = Math.ceil(parts.length / 2)
  return sql`(${joinedInPairs(parts.slice(0, middle))} || ${joinedInPairs(parts.slice(middle))})`
}
