/** Entries of single types that nothing reads: the content-type was a collection before. */
import { type Sql, sql, type Transaction } from '@octavo/database'
import type { ContentType, Registry } from '../../content-type/model.ts'
import { hasRows } from './moved-tables.ts'

export const singleTypesOf = (registry: Registry): readonly ContentType[] =>
  [...registry.contentTypes.values()].filter(({ kind }) => kind === 'singleType')

/** Sentences about single types whose tables have several entries, of the same locale where they have locales. */
export async function hiddenEntries(tx: Transaction, registry: Registry): Promise<readonly string[]> {
  const sentences: string[] = []
  for (const type of singleTypesOf(registry)) {
    if (!(await hasRows(tx, type.table))) continue
    const [row] = await tx.run(
      sql`select max(n)::text as "entries" from (select count(*) as n from ${sql.id(type.table)}${byLocale(type)}) as counted`,
    )
    const entries = Number(row?.entries)
    if (entries > 1)
      sentences.push(
        `${type.uid}: it is a single type, and the table "${type.table}" has ${entries} entries. The first is read and written; the others stay, and each deletion brings the next one forward.`,
      )
  }
  return sentences
}

function byLocale({ attributes }: ContentType): Sql {
  for (const attribute of attributes.values())
    if (attribute.kind === 'relation' && attribute.storage.kind === 'siblings' && attribute.storage.distinct)
      return sql` group by ${sql.id(attribute.storage.distinct)}`
  return sql``
}
