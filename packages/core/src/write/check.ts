import type { Bindable } from '../content-type/attribute-type.ts'
import { type Model, ownerColumns, type Registry, type ScalarAttribute } from '../content-type/model.ts'
import { ApplicationError } from '../error/octavo-error.ts'
import type { Transaction } from '../store/store.ts'
import { uniqueColumns } from '../store/tables.ts'
import { inWords, type Mistakes } from './mistakes.ts'
import { quoted, type RecordColumn, recordset, recordsetValue } from './recordset.ts'
import {
  allRows,
  type BodyPath,
  type ComponentWrite,
  type RelationWrite,
  type RowWrite,
} from './write-plan.ts'

/**
 * Checks what only the database knows: related ids exist, values that must be unique are, components that are changed
 * in place belong to their row. A statement per table or attribute, however many rows are written.
 *
 * @throws ApplicationError for a component of another entry; other mistakes are added to `mistakes`.
 */
export async function checkRows(
  roots: readonly RowWrite[],
  registry: Registry,
  tx: Transaction,
  mistakes: Mistakes,
): Promise<void> {
  const rows = roots.flatMap((row) => [...allRows(row)])
  await checkRelated(
    rows.flatMap((row) => row.relations),
    registry,
    tx,
    mistakes,
  )
  await checkUnique(rows, tx, mistakes)
  for (const row of rows) for (const component of row.components) await checkOwned(row, component, tx)
}

const connected = ({ change }: RelationWrite): readonly number[] =>
  change.kind === 'set' ? change.ids : change.connect.map(({ id }) => id)

async function checkRelated(
  relations: readonly RelationWrite[],
  registry: Registry,
  tx: Transaction,
  mistakes: Mistakes,
): Promise<void> {
  const missing = new Map<string, Set<number>>()
  for (const relation of relations) {
    const { target } = relation.attribute
    missing.set(target, new Set([...(missing.get(target) ?? []), ...connected(relation)]))
  }
  for (const [uid, ids] of missing) {
    if (ids.size === 0) continue
    const { table } = registry.contentType(uid)
    // Locked against deletion until the write is done; a plain read would leave a gap for one.
    const found = await tx.query(
      `select "id" from ${quoted(table)} where "id" = any($1::int8[]) for key share`,
      [[...ids]],
    )
    for (const [id] of found) ids.delete(Number(id))
  }
  for (const relation of relations) {
    const { target } = relation.attribute
    const count = connected(relation).filter((id) => missing.get(target)?.has(id)).length
    if (count > 0)
      mistakes.add(
        relation.at,
        `${count} relation(s) of type ${target} associated with this entity do not exist`,
      )
  }
}

interface UniqueValue {
  readonly value: Bindable
  /** The row that may keep it. */
  readonly id: number | undefined
  readonly at: BodyPath
}

async function checkUnique(rows: readonly RowWrite[], tx: Transaction, mistakes: Mistakes): Promise<void> {
  const values = new Map<ScalarAttribute, { model: Model; given: UniqueValue[] }>()
  for (const { model, id, at, values: named } of rows) {
    const columns = uniqueColumns(model)
    if (columns.length === 0) continue
    for (const [attribute, value] of named) {
      if (value === null || !columns.includes(attribute.column)) continue
      const given = values.get(attribute)?.given ?? []
      given.push({ value, id, at: [...at, attribute.name] })
      values.set(attribute, { model, given })
    }
  }
  for (const [attribute, { model, given }] of values) {
    const clashes: readonly BodyPath[] = [...twice(given), ...(await taken(attribute, model, given, tx))]
    for (const at of clashes) mistakes.add(at, 'This attribute must be unique')
  }
}

/** Those whose value stands earlier among the rows that are written. */
function twice(given: readonly UniqueValue[]): readonly BodyPath[] {
  const seen = new Set<Bindable>()
  const again: BodyPath[] = []
  for (const { value, at } of given) {
    if (seen.has(value)) again.push(at)
    seen.add(value)
  }
  return again
}

async function taken(
  { column, type, definition }: ScalarAttribute,
  { table }: Model,
  given: readonly UniqueValue[],
  tx: Transaction,
): Promise<readonly BodyPath[]> {
  const columns: readonly RecordColumn[] = [
    { name: 'n', type: 'int4' },
    { name: 'id', type: 'int4' },
    { name: 'value', type: type.column(definition) },
  ]
  const found = await tx.query(
    `select "r"."n" from ${recordset('r', columns, 1)} where exists (` +
      `select 1 from ${quoted(table)} as "t" where "t".${quoted(column)} = "r"."value" and "t"."id" is distinct from "r"."id") order by 1`,
    [
      recordsetValue(
        columns,
        given.map(({ value, id }, n) => [n, id ?? null, value]),
      ),
    ],
  )
  return found.map(([n]) => (given[Number(n)] as UniqueValue).at) // n counts the given values
}

/** The components that are changed in place must be this row's, at this attribute. */
async function checkOwned(
  row: RowWrite,
  { attribute, items, at }: ComponentWrite,
  tx: Transaction,
): Promise<void> {
  const byTable = Map.groupBy(
    items.filter((item) => item.id !== undefined),
    (item) => item.model.table,
  )
  for (const [table, inPlace] of byTable) {
    const ids = [...new Set(inPlace.map((item) => item.id as number))] // those without an id were left out above
    const found =
      row.id === undefined
        ? []
        : await tx.query(
            `select "id" from ${quoted(table)} where "id" = any($1::int8[]) and ${quoted(ownerColumns.type)} = $2 ` +
              `and ${quoted(ownerColumns.id)} = $3 and ${quoted(ownerColumns.field)} = $4`,
            [ids, row.model.uid, row.id, attribute.name],
          )
    if (found.length < inPlace.length) {
      throw new ApplicationError(
        'entry/foreign-component',
        `Some of the provided components in ${inWords(at)} are not related to the entity`,
      )
    }
  }
}
