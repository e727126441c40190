import { column, param, type Sql, sql } from '@octavo/database'
import { mustBe } from '../input/scalar-input.ts'
import type { KeptParts, RowWrite } from '../input/write-plan.ts'
import type { Check } from './check.ts'

/** Parts of values that are valid only where they are stored are stored in the same attribute of the same row. */
export const keptChecks = (rows: readonly RowWrite[]): readonly Check[] =>
  rows.flatMap((row) => (row.kept ?? []).map((kept) => keptCheck(row, kept)))

const itemsOf = (json: Sql): Sql =>
  sql`jsonb_array_elements(case when jsonb_typeof(${json}) = 'array' then ${json} end)`

function keptCheck({ model, id }: RowWrite, { attribute, parts, at }: KeptParts): Check {
  const given = param(JSON.stringify(parts.map(({ value }) => value)), 'jsonb')
  const list = sql`select ${itemsOf(column('t', attribute.column))} from ${sql.id(model.table)} as "t" where "t"."id" = ${param(id ?? null, 'int8')}`
  // Not a JSON path: its time grows with the square of the value.
  const stored = sql`with recursive "stored" ("part") as (${list} union all select ${itemsOf(sql`"part" -> 'children'`)} from "stored")`
  const rows = sql`${stored} select "g"."n" - 1 from jsonb_array_elements(${given}) with ordinality as "g" ("part", "n") where not exists (select from "stored" where "stored"."part" = "g"."part") order by 1`
  const report: Check['report'] = ([found = []], mistakes) => {
    for (const n of found) mistakes.add(at, mustBe(parts[n]?.expected ?? ''))
  }
  return { lists: [{ rows, count: 0 }], readsEntry: true, report }
}
