import {
  type Bindable,
  column as columnOf,
  join,
  param,
  type Sql,
  sql,
  type Transaction,
  where,
} from '@octavo/database'
import { type Model, ownerColumns, type Registry, type ScalarAttribute } from '../../content-type/model.ts'
import { problem } from '../../error/problems.ts'
import { type UniqueKey, uniqueKeys } from '../../schema/unique-keys.ts'
import { type RecordColumn, recordset } from '../compile/recordset.ts'
import { type InputMistakes, inWords } from '../input/mistakes.ts'
import {
  allRows,
  type BodyPath,
  type ComponentWrite,
  type Reference,
  type RowWrite,
  referencesOf,
} from '../input/write-plan.ts'

/** A finding of a check; the check defines the meaning of the two numbers. */
export type Found = readonly [n: number, id: number]

/** A check of a write that needs the database, as data: it runs by itself, or in the message of the write. */
export interface Check {
  /** A query with a row `(n, id)` for each thing that is wrong, and none for a write that is permitted. */
  readonly finds: Sql
  /** Whether it reads stored values or components of the written entry. Default false. */
  readonly readsEntry?: boolean
  /** Adds the mistakes that were found. @throws OctavoError for one that stands for all of them. */
  report(found: readonly Found[], mistakes: InputMistakes): void
}

/** The query of the ids that a reference may be to, among given ones; `undefined`: all. The same function for the same entries. */
export type Narrow = (reference: Reference) => ((ids: readonly number[]) => Sql) | undefined

const all: Narrow = () => undefined

/** Each id in the rows exists, unique values are unique, and components that are changed in place belong to their row. */
export function checksOf(
  roots: readonly RowWrite[],
  registry: Registry,
  narrow: Narrow = all,
): readonly Check[] {
  const rows = roots.flatMap(allRows)
  return [
    ...relatedChecks(roots.flatMap(referencesOf), registry, narrow),
    ...uniqueChecks(rows),
    ...rows.flatMap((row) => row.components.flatMap((component) => ownedCheck(row, component))),
  ]
}

/** Runs checks one after the other. @throws OctavoError; other mistakes are added to `mistakes`. */
export async function runChecks(
  checks: readonly Check[],
  tx: Transaction,
  mistakes: InputMistakes,
): Promise<void> {
  for (const { finds, report } of checks) {
    const rows = await tx.run(sql`select "c"."n", "c"."id" from (${finds}) as "c" ("n", "id")`)
    report(
      rows.map(({ n, id }): Found => [Number(n), Number(id)]),
      mistakes,
    )
  }
}

/** The entry of an update exists. That is more to say than any other mistake. */
export const existsCheck = ({ model, id }: Pick<RowWrite, 'model' | 'id'>): Check => ({
  finds: sql`select 0, 0 where not exists (select 1 from ${sql.id(model.table)} where "id" = ${param(id ?? null, 'int4')})`,
  report: (found) => {
    if (found.length > 0) throw problem('entry/not-found')
  },
})

export const lockOf = ({ model, id }: Pick<RowWrite, 'model' | 'id'>, lock: Lock): Sql =>
  sql`select "id" from ${sql.id(model.table)} where "id" = ${param(id ?? null, 'int4')} for ${sql.raw(lock)}`

/** The lock of a delete, and that of an update, which lets other entries refer to the entry. */
type Lock = 'update' | 'no key update'

/** The stored entry has the required values that an update leaves out. */
export function presentChecks(row: RowWrite): readonly Check[] {
  const missing = [...row.model.attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar')
    .filter((attribute) => attribute.definition.required === true && !row.values.has(attribute))
  if (missing.length === 0 || row.id === undefined) return []
  const values = join(
    missing.map(({ column }, n) => sql`(${sql.lit(n)}, ${columnOf('t', column)} is null)`),
    ', ',
  )
  return [
    {
      finds: sql`select "v"."n", 0 from ${sql.id(row.model.table)} as "t", lateral (values ${values}) as "v" ("n", "isMissing") where "t"."id" = ${param(row.id, 'int4')} and "v"."isMissing" order by 1`,
      readsEntry: true,
      report: (found, mistakes) => {
        for (const [n] of found) mistakes.add([...row.at, missing[n]?.name ?? ''], '{at} must be defined.')
      },
    },
  ]
}

/** References to entries of one type, among which the same ids may be named. */
interface Group {
  readonly target: string
  readonly within: ReturnType<Narrow>
  readonly ids: Set<number>
}

function relatedChecks(
  references: readonly Reference[],
  registry: Registry,
  narrow: Narrow,
): readonly Check[] {
  const groups = new Map<unknown, Group>()
  const named = references.map((reference) => {
    const within = reference.ids.length > 0 ? narrow(reference) : undefined
    const key = within ?? reference.target
    const group = groups.get(key) ?? { target: reference.target, within, ids: new Set<number>() }
    groups.set(key, group)
    for (const id of reference.ids) group.ids.add(id)
    return { reference, group }
  })
  const filled = [...groups.values()].filter(({ ids }) => ids.size > 0)
  if (filled.length === 0) return []
  const report: Check['report'] = (found, mistakes) => {
    const missing = new Map(filled.map((group) => [group, new Set<number>()]))
    for (const [n, id] of found) missing.get(filled[n] as Group)?.add(id) // the number that the query gave it
    for (const { reference, group } of named) {
      const count = reference.ids.filter((id) => missing.get(group)?.has(id)).length
      const message = `${count} relation(s) of type ${group.target} associated with this entity do not exist`
      if (count > 0) mistakes.add(reference.at, message)
    }
  }
  return [{ finds: missingOf(filled, registry), report }]
}

/** The ids that do not exist. The others are locked until the end of the transaction, so that they are not deleted before the write. */
function missingOf(groups: readonly Group[], registry: Registry): Sql {
  const missing = groups.map(({ target, within, ids }, n) => {
    const given = [...ids]
    const narrowed = within ? sql` and "id" in (${within(given)})` : sql``
    const found = (which: Sql): Sql =>
      sql`select "id" from ${sql.id(registry.contentType(target).table)} where ${which}${narrowed} for key share`
    const [only] = given
    if (only !== undefined && given.length === 1) {
      const id = param(only, 'int8')
      return sql`select ${sql.lit(n)} as "n", ${id} as "id" where not exists (${found(sql`"id" = ${id}`)})`
    }
    // In a subquery, so that the plan does not depend on the number of ids and is kept.
    const list = sql`(select ${param(given, 'int8[]')})`
    return sql`select ${sql.lit(n)} as "n", "g"."id" from unnest(${list}) as "g" ("id") where "g"."id" not in (${found(sql`"id" = any(${list}::int8[])`)})`
  })
  return join(missing, ' union all ')
}

interface UniqueValue {
  readonly value: Bindable
  /** The values of the scope of uniqueness; `undefined` for attributes that the write does not set. */
  readonly within: readonly (Bindable | undefined)[]
  /** The row that may have the value. */
  readonly id: number | undefined
  readonly at: BodyPath
}

function uniqueChecks(rows: readonly RowWrite[]): readonly Check[] {
  if (!rows.some(({ model }) => uniqueKeys(model).length > 0)) return []
  return [...Map.groupBy(rows, (row) => row.model)].flatMap(([model, written]) =>
    uniqueKeys(model).flatMap((key): readonly Check[] => {
      const given = written.flatMap(({ id, at, values }): readonly UniqueValue[] => {
        const value = values.get(key.attribute) ?? null
        const within = key.within.map((scope) => values.get(scope))
        return value === null ? [] : [{ value, within, id, at: [...at, key.attribute.name] }]
      })
      return given.length === 0 ? [] : [uniqueCheck(key, model, given)]
    }),
  )
}

/** Finds the numbers of the values: with the id 0 those that an earlier row of the write has, with 1 those that a stored row has. */
function uniqueCheck(key: UniqueKey, model: Model, given: readonly UniqueValue[]): Check {
  const again = twice(given)
  const stored = storedClashes(key, model, given)
  return {
    finds:
      again.length === 0
        ? stored
        : sql`select "n", 0 as "id" from unnest(${param(again, 'int4[]')}) as "n" union all (${stored})`,
    report: (found, mistakes) => {
      for (const [n] of [...found].sort((a, b) => a[1] - b[1] || a[0] - b[0]))
        mistakes.add(given[n]?.at ?? [], 'This attribute must be unique')
    },
  }
}

/** The numbers of the candidates whose value occurs in an earlier row of the write. */
function twice(given: readonly UniqueValue[]): readonly number[] {
  const seen = new Set<string>()
  return given.flatMap(({ value, within }, n) => {
    const key = JSON.stringify([value, within.map((scope) => scope ?? null)])
    if (seen.has(key)) return [n]
    seen.add(key)
    return []
  })
}

function storedClashes(
  { attribute, within }: UniqueKey,
  { table }: Model,
  given: readonly UniqueValue[],
): Sql {
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
  return sql`select "r"."n", 1 as "id" from ${recordset('r', columns, rows)} where exists (select 1 from ${sql.id(table)} as "t"${clash})`
}

/** Components that are changed in place belong to this row and attribute. */
function ownedCheck(row: RowWrite, { attribute, items, at }: ComponentWrite): readonly Check[] {
  const byTable = Map.groupBy(
    items.filter((item) => item.id !== undefined),
    (item) => item.model.table,
  )
  return [...byTable].map(([table, inPlace]): Check => {
    const ids = [...new Set(inPlace.map((item) => item.id as number))] // those without an id were left out above
    const owned = where([
      sql`"id" = any(${param(ids, 'int8[]')})`,
      sql`${sql.id(ownerColumns.type)} = ${param(row.model.uid, 'text')}`,
      sql`${sql.id(ownerColumns.id)} = ${param(row.id ?? null, 'int4')}`,
      sql`${sql.id(ownerColumns.field)} = ${param(attribute.name, 'text')}`,
    ])
    return {
      finds: sql`select 0, 0 where (select count(*) from ${sql.id(table)}${owned}) < ${sql.lit(inPlace.length)}`,
      readsEntry: true,
      report: (found) => {
        if (found.length > 0) throw problem('entry/foreign-component', { at: inWords(at) })
      },
    }
  })
}
