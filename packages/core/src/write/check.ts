import type { Transaction } from '@octavo/database'
import { type Bindable, column as columnOf, join, param, type Sql, sql, where } from '@octavo/database'
import { type Model, ownerColumns, type Registry, type ScalarAttribute } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import { type UniqueKey, uniqueKeys } from '../schema/unique-keys.ts'
import { type InputMistakes, inWords } from './mistakes.ts'
import { type RecordColumn, recordset } from './recordset.ts'
import {
  allRows,
  type BodyPath,
  type ComponentWrite,
  type MorphWrite,
  type RelationWrite,
  type RowWrite,
} from './write-plan.ts'

/**
 * Runs the checks that need the database: related ids exist, unique values are unique, components that are changed
 * in place belong to their row. One statement per table or attribute, for any number of rows.
 *
 * @throws ApplicationError for a component of another entry; other mistakes are added to `mistakes`.
 */
export async function checkRows(
  roots: readonly RowWrite[],
  registry: Registry,
  tx: Transaction,
  mistakes: InputMistakes,
): Promise<void> {
  const rows = roots.flatMap((row) => [...allRows(row)])
  const references = rows.flatMap((row) => [
    ...row.relations.map(referencesOf),
    ...row.morphs.flatMap(morphReferencesOf),
  ])
  if (references.length > 0) await checkRelated(references, registry, tx, mistakes)
  await checkUnique(rows, tx, mistakes)
  for (const row of rows) for (const component of row.components) await checkOwned(row, component, tx)
}

/** Entries of one type that a write refers to. */
interface References {
  readonly target: string
  readonly ids: readonly number[]
  readonly at: BodyPath
}

const referencesOf = ({ attribute, change, at }: RelationWrite): References => ({
  target: attribute.target,
  ids: change.kind === 'set' ? change.ids : change.connect.map(({ id }) => id),
  at,
})

function morphReferencesOf({ change, at }: MorphWrite): readonly References[] {
  const items = change.kind === 'set' ? change.items : change.connect
  return [...Map.groupBy(items, ({ type }) => type)].map(([target, group]) => ({
    target,
    ids: group.map(({ id }) => id),
    at,
  }))
}

async function checkRelated(
  references: readonly References[],
  registry: Registry,
  tx: Transaction,
  mistakes: InputMistakes,
): Promise<void> {
  const missing = new Map<string, Set<number>>()
  for (const { target, ids } of references)
    missing.set(target, new Set([...(missing.get(target) ?? []), ...ids]))
  const targets = [...missing].filter(([, ids]) => ids.size > 0)
  if (targets.length > 0) {
    // Locked until the end of the transaction, so that no target is deleted before the write.
    const name = (i: number): Sql => sql.id(`t${i}`)
    const locks = targets.map(
      ([uid, ids], i) =>
        sql`${name(i)} as (select "id" from ${sql.id(registry.contentType(uid).table)} where "id" = any(${param([...ids], 'int8[]')}) for key share)`,
    )
    const found = await tx.run(
      sql`with ${join(locks, ', ')} ${join(
        targets.map((_, i) => sql`select ${sql.lit(i)} as "n", "id" from ${name(i)}`),
        ' union all ',
      )}`,
    )
    for (const { n, id } of found) targets[Number(n)]?.[1].delete(Number(id))
  }
  for (const { target, ids, at } of references) {
    const count = ids.filter((id) => missing.get(target)?.has(id)).length
    if (count > 0)
      mistakes.add(at, `${count} relation(s) of type ${target} associated with this entity do not exist`)
  }
}

interface UniqueValue {
  readonly value: Bindable
  /** The values of the scope of uniqueness; `undefined` for attributes that the write does not set. */
  readonly within: readonly (Bindable | undefined)[]
  /** The row that may have the value. */
  readonly id: number | undefined
  readonly at: BodyPath
}

async function checkUnique(
  rows: readonly RowWrite[],
  tx: Transaction,
  mistakes: InputMistakes,
): Promise<void> {
  for (const [model, written] of Map.groupBy(rows, (row) => row.model)) {
    for (const key of uniqueKeys(model)) {
      const given = written.flatMap(({ id, at, values }): readonly UniqueValue[] => {
        const value = values.get(key.attribute) ?? null
        const within = key.within.map((scope) => values.get(scope))
        return value === null ? [] : [{ value, within, id, at: [...at, key.attribute.name] }]
      })
      if (given.length === 0) continue
      const clashes = [...twice(given), ...(await storedClashes(key, model, given, tx))]
      for (const at of clashes) mistakes.add(at, 'This attribute must be unique')
    }
  }
}

/** The candidates whose value occurs in an earlier row of the write. */
function twice(given: readonly UniqueValue[]): readonly BodyPath[] {
  const seen = new Set<string>()
  const again: BodyPath[] = []
  for (const { value, within, at } of given) {
    const key = JSON.stringify([value, ...within])
    if (seen.has(key)) again.push(at)
    seen.add(key)
  }
  return again
}

async function storedClashes(
  { attribute, within }: UniqueKey,
  { table }: Model,
  given: readonly UniqueValue[],
  tx: Transaction,
): Promise<readonly BodyPath[]> {
  const typeOf = ({ type, definition }: ScalarAttribute): string => type.column(definition)
  const columns: readonly RecordColumn[] = [
    { name: 'n', type: 'int4' },
    { name: 'id', type: 'int4' },
    { name: 'value', type: typeOf(attribute) },
    ...within.map((scope, i) => ({ name: `within${i}`, type: typeOf(scope) })),
  ]
  // Attributes that an update does not set have their stored values.
  const same = within.map(({ column }, i) => {
    const stored = sql`(select ${columnOf('o', column)} from ${sql.id(table)} as "o" where "o"."id" = "r"."id")`
    return sql`${columnOf('t', column)} is not distinct from coalesce(${columnOf('r', `within${i}`)}, ${stored})`
  })
  const clash = where([
    sql`${columnOf('t', attribute.column)} = "r"."value"`,
    sql`"t"."id" is distinct from "r"."id"`,
    ...same,
  ])
  const rows = given.map((one, n) => [
    n,
    one.id ?? null,
    one.value,
    ...one.within.map((value) => value ?? null),
  ])
  const found = await tx.run(
    sql`select "r"."n" from ${recordset('r', columns, rows)} where exists (select 1 from ${sql.id(table)} as "t"${clash}) order by 1`,
  )
  return found.map(({ n }) => (given[Number(n)] as UniqueValue).at) // n counts the given values
}

/** Components that are changed in place must belong to this row and attribute. */
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
        : await tx.run(
            sql`select "id" from ${sql.id(table)}${where([
              sql`"id" = any(${param(ids, 'int8[]')})`,
              sql`${sql.id(ownerColumns.type)} = ${param(row.model.uid, 'text')}`,
              sql`${sql.id(ownerColumns.id)} = ${param(row.id, 'int4')}`,
              sql`${sql.id(ownerColumns.field)} = ${param(attribute.name, 'text')}`,
            ])}`,
          )
    if (found.length < inPlace.length) {
      throw problem('entry/foreign-component', { at: inWords(at) })
    }
  }
}
