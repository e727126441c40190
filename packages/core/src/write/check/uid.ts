import { param, sql, type Transaction, where } from '@octavo/database'
import slugify from '@sindresorhus/slugify'
import type { ContentType, ScalarAttribute } from '../../content-type/model.ts'
import type { EntryInput } from '../../content-type/types/entry-input.ts'
import { onceFor } from '../../once-for.ts'
import { literal } from '../../operator/table.ts'
import { uniqueKeys } from '../../schema/unique-keys.ts'

/**
 * A slug for URLs from any text: `generateUid('Les Misérables')` is `les-miserables`. A text without letters and
 * digits gives `entry`.
 */
export const generateUid = (text: string): string => slugify(text) || 'entry'

/**
 * The input with a value for each uid attribute with `"generate": true` whose `targetField` has a value and
 * which the input does not set; a number is added to an existing value: `emma`, `emma-1`, `emma-2`.
 */
export async function withGeneratedUids(
  type: ContentType,
  input: EntryInput,
  tx: Transaction,
): Promise<EntryInput> {
  let generated = input
  for (const attribute of generatedOf(type)) {
    const source = input[String(attribute.definition.targetField)]
    if ((input[attribute.name] ?? '') !== '' || typeof source !== 'string' || source === '') continue
    const base = generateUid(source)
    generated = { ...generated, [attribute.name]: await freeUid(base, attribute, type, generated, tx) }
  }
  return generated
}

/** The attributes with generated values. */
const generatedOf = onceFor(({ attributes }: ContentType): readonly ScalarAttribute[] =>
  [...attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar')
    .filter(({ type, definition }) => type.name === 'uid' && definition.generate === true),
)

async function freeUid(
  base: string,
  attribute: ScalarAttribute,
  type: ContentType,
  input: EntryInput,
  tx: Transaction,
): Promise<string> {
  const column = sql.id(attribute.column)
  // Non-strings are checked against all rows.
  const within = uniqueKeys(type).find((key) => key.attribute === attribute)?.within ?? []
  const same = within.map((scope) => {
    const value = input[scope.name]
    return typeof value === 'string'
      ? sql`${sql.id(scope.column)}::text = ${param(value, 'text')}`
      : undefined
  })
  const similar = sql`(${column} = ${param(base, 'text')} or ${column} like ${param(`${literal(base)}-%`, 'text')})`
  const rows = await tx.run(
    sql`select ${column} as "value" from ${sql.id(type.table)}${where([similar, ...same])}`,
  )
  const used = new Set(rows.map(({ value }) => value))
  if (!used.has(base)) return base
  for (let n = 1; ; n++) if (!used.has(`${base}-${n}`)) return `${base}-${n}`
}
