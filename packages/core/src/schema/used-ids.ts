import type { Queryable } from '@octavo/database'
import { param, sql } from '@octavo/database'
import { idType, type Table } from './tables/tables.ts'

/** The share of the ids of a table from which on it is named. */
const nearEnd = 0.8

/** The largest id: of PostgreSQL's `integer`. */
const largestId = 2_147_483_647

/** Sentences about tables whose sequence has given most of its ids. Deleted ids are not given again. */
export async function usedIds(
  db: Pick<Queryable, 'run'>,
  tables: readonly Table[],
): Promise<readonly string[]> {
  const names = tables.filter(({ primaryKey }) => primaryKey[0] === 'id').map(({ name }) => name)
  const rows = await db.run(
    sql`select c.relname as "table", s.last_value as "last" from pg_class c join pg_sequences s on format('%I.%I', s.schemaname, s.sequencename)::regclass = pg_get_serial_sequence(format('%I', c.relname), 'id')::regclass where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname = any(${param(names, 'text[]')}) and s.data_type::text = ${param(idType, 'text')} and s.last_value > ${param(largestId * nearEnd, 'float8')} order by 1`,
  )
  return rows.map(({ table, last }) => {
    const share = Math.floor((Number(last) / largestId) * 100)
    const label = tables.find(({ name }) => name === table)?.label
    return `${label}: ${share} % of its ids are used (the last is ${last} of ${largestId}). At the end no entry can be created.`
  })
}
