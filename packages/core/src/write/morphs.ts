import { ownerColumns } from '../content-type/model.ts'
import type { Transaction } from '../store/store.ts'
import { quoted } from './recordset.ts'
import { nextPosition } from './related-list.ts'
import type { MorphReference, MorphWrite, RowWrite } from './write-plan.ts'

const type = quoted(ownerColumns.type)
const owner = quoted(ownerColumns.id)
const field = quoted(ownerColumns.field)
const position = quoted(ownerColumns.position)

/** Entries as rows; three parameters from the second on. */
const given = 'unnest($2::text[], $3::int4[], $4::text[]) as "g" ("type", "id", "field")'
const same = `"g"."type" = "l".${type} and "g"."id" = "l".${owner} and "g"."field" = "l".${field}`

/** Writes what is said of a row's polymorphic relations. */
export async function writeMorphs(row: RowWrite, id: number, tx: Transaction): Promise<void> {
  for (const morph of row.morphs) await writeMorph(morph, id, tx)
}

async function writeMorph({ attribute, change }: MorphWrite, id: number, tx: Transaction): Promise<void> {
  const table = quoted(attribute.table)
  const target = `"l".${quoted(attribute.column)}`
  const run = (text: string, items: readonly MorphReference[]): Promise<unknown> =>
    tx.query(text, [
      id,
      items.map((item) => item.type),
      items.map((item) => item.id),
      items.map((item) => item.field),
    ])
  const connect = change.kind === 'set' ? change.items : change.connect
  if (change.kind === 'patch' && change.disconnect.length > 0)
    await run(
      `delete from ${table} as "l" using ${given} where ${target} = $1::int4 and ${same}`,
      change.disconnect,
    )
  if (change.kind === 'set' || (!attribute.many && connect.length > 0))
    await run(
      `delete from ${table} as "l" where ${target} = $1::int4 and not exists (select 1 from ${given} where ${same})`,
      connect,
    )
  // An entry whose attribute takes one loses what it had.
  const single = connect.filter((item) =>
    attribute.sides.get(item.type)?.some(({ name, many }) => name === item.field && !many),
  )
  if (single.length > 0)
    await run(`delete from ${table} as "l" using ${given} where ${target} <> $1::int4 and ${same}`, single)
  if (connect.length > 0)
    await run(
      `insert into ${table} (${quoted(attribute.column)}, ${type}, ${owner}, ${field}, ${position}) ` +
        `select $1::int4, "g"."type", "g"."id", "g"."field", ${nextPosition} from ${given} ` +
        `where not exists (select 1 from ${table} as "l" where ${target} = $1::int4 and ${same})`,
      connect,
    )
}
