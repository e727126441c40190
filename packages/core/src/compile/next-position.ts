import { type Sql, sql } from '@octavo/database'

/**
 * Larger than any earlier position: the row is last in its list, without reading the other rows and
 * without waiting for concurrent writers of the same list.
 */
export const nextPosition: Sql = sql`nextval('octavo_position')`

/**
 * Rows `(id, position)` with the next positions, in the order of a query for ids. Materialized: in a table that had one row when it was
 * analyzed, PostgreSQL joins by running the query again for each row, which would number the entries in the order of the table.
 */
export const numbered = (inOrder: Sql): Sql =>
  sql`with "numbered" as materialized (select "o"."id", ${nextPosition} as "position" from (${inOrder}) as "o") select "id", "position" from "numbered"`
