import type { Transaction } from '@octavo/database'
import { join, param, sql } from '@octavo/database'
import type { ContentType } from '../content-type/model.ts'

/** The scalar values of an entry as PostgreSQL's texts, by attribute; `undefined` when it does not exist. */
export async function storedTexts(
  type: ContentType,
  id: number,
  tx: Transaction,
): Promise<Readonly<Record<string, string | null>> | undefined> {
  const columns = [type.id, ...type.attributes.values()].filter((attribute) => attribute.kind === 'scalar')
  const texts = columns.map(({ name, column }) => sql`${sql.id(column)}::text as ${sql.id(name)}`)
  const [row] = await tx.run(
    sql`select ${join(texts, ', ')} from ${sql.id(type.table)} where "id" = ${param(id, 'int8')}`,
  )
  return row
}
