import type { Transaction } from '@octavo/database'
import { param, sql } from '@octavo/database'

/** Columns by the name of their table. */
type Columns = ReadonlyMap<string, ReadonlySet<string>>

/** The columns of these tables that exist; a table that does not exist is absent. */
export async function existingColumns(
  tx: Pick<Transaction, 'run'>,
  tables: readonly string[],
): Promise<Columns> {
  const rows = await tx.run(
    sql`select c.relname as "table", string_agg(a.attname, ',') as "columns" from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v') and c.relname = any(${param(tables, 'text[]')}) group by c.relname`,
  )
  return new Map(rows.map(({ table, columns }) => [table ?? '', new Set((columns ?? '').split(','))]))
}
