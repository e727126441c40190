import { param, type Sql, sql } from '../sql/sql.ts'

/**
 * Moves the id sequence of a table forward to an id that is there, and never back: the id of a deleted row is given to no other one, nor one that another
 * transaction has taken before. A rollback does not undo it. PostgreSQL compares and moves in two steps, so an id that is taken between them may be
 * given once more, and the second row is refused.
 */
export const movedSequence = (table: string, id: Sql): Sql =>
  sql`select setval(s, "id") from (select pg_get_serial_sequence(${param(`"${table}"`, 'text')}, 'id') as s, ${id} as "id") as t where "id" > coalesce(pg_sequence_last_value(s::regclass), 0)`
