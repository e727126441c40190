import slugify from '@sindresorhus/slugify'
import type { ContentType, ScalarAttribute } from '../content-type/model.ts'
import { literal } from '../operator/table.ts'
import type { Transaction } from '../store/store.ts'
import { quoted } from './recordset.ts'
import type { EntryInput } from './validate.ts'

/**
 * A text for addresses, made of any other: `generateUid('Les Misérables')` is `les-miserables`. What has no letters or
 * digits to keep gives `entry`.
 */
export const generateUid = (text: string): string => slugify(text) || 'entry'

/**
 * The input with a value for each uid attribute that says `"generate": true`, that has a `targetField` with a value and
 * that the input does not name; a number is added where the value is taken: `emma`, `emma-1`, `emma-2`.
 */
export async function withGeneratedUids(
  type: ContentType,
  input: EntryInput,
  tx: Transaction,
): Promise<EntryInput> {
  let generated = input
  for (const attribute of type.attributes.values()) {
    if (
      attribute.kind !== 'scalar' ||
      attribute.type.name !== 'uid' ||
      attribute.definition.generate !== true
    )
      continue
    const source = input[String(attribute.definition.targetField)]
    if ((input[attribute.name] ?? '') !== '' || typeof source !== 'string' || source === '') continue
    generated = { ...generated, [attribute.name]: await freeUid(generateUid(source), attribute, type, tx) }
  }
  return generated
}

async function freeUid(
  base: string,
  { column }: ScalarAttribute,
  { table }: ContentType,
  tx: Transaction,
): Promise<string> {
  const rows = await tx.query(
    `select ${quoted(column)} from ${quoted(table)} where ${quoted(column)} = $1 or ${quoted(column)} like $2`,
    [base, `${literal(base)}-%`],
  )
  const taken = new Set(rows.map(([value]) => value))
  if (!taken.has(base)) return base
  for (let n = 1; ; n++) if (!taken.has(`${base}-${n}`)) return `${base}-${n}`
}
