import { type BatchedTransaction, type Sql, sql } from '@octavo/database'
import { nextPosition } from '../../compile/next-position.ts'
import { ownerColumns } from '../../content-type/model.ts'
import { connectedItems, type MorphItem, type MorphWrite, takenItems } from '../input/write-plan.ts'
import { recordColumns, recordset } from './recordset.ts'

const type = sql.id(ownerColumns.type)
const owner = sql.id(ownerColumns.id)
const field = sql.id(ownerColumns.field)
const position = sql.id(ownerColumns.position)

const itemColumns = recordColumns({ type: 'text', id: 'int4', field: 'text' })

/** References as rows. */
const references = (items: readonly MorphItem[]): Sql =>
  recordset(
    'g',
    itemColumns,
    items.map((item) => [item.type, item.id, item.field]),
  )
const same = sql`"g"."type" = "l".${type} and "g"."id" = "l".${owner} and "g"."field" = "l".${field}`

/** Writes a polymorphic relation of a row. @param own The id of the row, as an expression. */
export function writeMorph(morph: MorphWrite, own: Sql, tx: BatchedTransaction): void {
  const { attribute, change } = morph
  const table = sql.id(attribute.table)
  const target = sql`"l".${sql.id(attribute.column)}`
  const connect = connectedItems(morph)
  const single = takenItems(morph)
  if (change.kind === 'patch' && change.disconnect.length > 0)
    tx.send(
      sql`delete from ${table} as "l" using ${references(change.disconnect)} where ${target} = ${own} and ${same}`,
    )
  if (change.kind === 'set' || (!attribute.many && connect.length > 0))
    tx.send(
      sql`delete from ${table} as "l" where ${target} = ${own} and not exists (select 1 from ${references(connect)} where ${same})`,
    )
  if (single.length > 0)
    tx.send(
      sql`delete from ${table} as "l" using ${references(single)} where ${target} <> ${own} and ${same}`,
    )
  if (connect.length > 0)
    tx.send(
      sql`insert into ${table} (${sql.id(attribute.column)}, ${type}, ${owner}, ${field}, ${position}) select ${own}, "g"."type", "g"."id", "g"."field", ${nextPosition} from ${references(connect)} where ${own} is not null and not exists (select 1 from ${table} as "l" where ${target} = ${own} and ${same})`,
    )
}
