import { column as columnOf, join, param, sql } from '@octavo/database'
import { ownerColumns, type Registry } from '../../content-type/model.ts'
import { problem } from '../../error/problems.ts'
import { recordColumns, recordset } from '../compile/recordset.ts'
import { inWords } from '../input/mistakes.ts'
import type { GivenRow } from '../input/pending.ts'
import { allRows, type Reference, type RowWrite, referencesOf } from '../input/write-plan.ts'
import type { Check, List } from './check.ts'
import { keptChecks } from './kept.ts'
import type { Narrow, Within } from './named.ts'
import { neighbourChecks } from './neighbours.ts'
import { uniqueChecks } from './unique.ts'

/**
 * Checks that complete entries have all required values, that ids exist, that unique values are unique, that components changed in place belong to their row,
 * that values which may only be stored already are stored, and that entries are placed beside entries of the list.
 */
export function checksOf(given: readonly GivenRow[], registry: Registry, narrow: Narrow): readonly Check[] {
  const roots = given.map(({ row }) => row)
  const rows = roots.flatMap(allRows)
  return [
    ...given.flatMap(({ row, isComplete }) => (isComplete ? presentChecks(row) : [])),
    ...relatedChecks(roots.flatMap(referencesOf), registry, narrow),
    ...uniqueChecks(rows),
    ...ownedChecks(rows),
    ...keptChecks(rows),
    ...neighbourChecks(rows, registry),
  ]
}

/** The stored entry has the required values that an update leaves out. */
function presentChecks(row: RowWrite): readonly Check[] {
  const missing = [...row.model.attributes.values()]
    .filter((attribute) => attribute.kind === 'scalar')
    .filter((attribute) => attribute.definition.required === true && !row.values.has(attribute))
  if (missing.length === 0 || row.id === undefined) return []
  const values = join(
    missing.map(({ column }, n) => sql`(${sql.lit(n)}, ${columnOf('t', column)} is null)`),
    ', ',
  )
  const rows = sql`select "v"."n" from ${sql.id(row.model.table)} as "t", lateral (values ${values}) as "v" ("n", "isMissing") where "t"."id" = ${param(row.id, 'int4')} and "v"."isMissing" order by 1`
  const report: Check['report'] = ([found = []], mistakes) => {
    for (const n of found) mistakes.add([...row.at, missing[n]?.name ?? ''], '{at} must be defined.')
  }
  return [{ lists: [{ rows, count: 0 }], readsEntry: true, report }]
}

/** Ids of one content-type that are looked for in one list. */
interface Group {
  readonly target: string
  readonly within: Within | undefined
  readonly ids: Set<number>
}

function relatedChecks(
  references: readonly Reference[],
  registry: Registry,
  narrow: Narrow,
): readonly Check[] {
  const groups = new Map<Within | string, Group>()
  const groupOf = (reference: Reference, id: number): Group => {
    const { target } = reference
    const within = narrow(reference, id)
    const group = groups.get(within ?? target) ?? { target, within, ids: new Set<number>() }
    groups.set(within ?? target, group)
    group.ids.add(id)
    return group
  }
  const named = references.map((reference) => ({
    reference,
    ids: reference.ids.map((id) => [id, groupOf(reference, id)] as const),
  }))
  const all = [...groups.values()]
  if (all.length === 0) return []
  const report: Check['report'] = (found, mistakes) => {
    const existing = new Map(all.map((group, i) => [group, new Set(found[i])]))
    for (const { reference, ids } of named) {
      const count = ids.filter(([id, group]) => !existing.get(group)?.has(id)).length
      const message = `${count} relation(s) of type ${reference.target} associated with this entity do not exist`
      if (count > 0) mistakes.add(reference.write.at, message)
    }
  }
  const readsEntry = all.some(({ within }) => within?.readsEntry)
  return [{ lists: all.map((group) => existingOf(group, registry)), readsEntry, report }]
}

/** The ids that exist. They are locked until the end of the transaction, so that they are not deleted before the write. */
function existingOf({ target, within, ids }: Group, registry: Registry): List {
  const given = [...ids]
  const narrowed = within ? sql` and "id" in (${within.query(given)})` : sql``
  // In a subquery, so that the plan does not depend on the number of ids and is kept.
  const rows = sql`select "id" from ${sql.id(registry.contentType(target).table)} where "id" = any((select ${param(given, 'int8[]')})::int8[])${narrowed} for key share`
  return { rows, count: given.length }
}

const { type, id, field } = ownerColumns
const ownedColumns = recordColumns({ id: 'int8', [type]: 'text', [id]: 'int4', [field]: 'text' })

/** Components that are changed in place belong to their row and attribute, and each is given once. */
function ownedChecks(rows: readonly RowWrite[]): readonly Check[] {
  const inPlace = rows.flatMap((row) =>
    row.components.flatMap(({ attribute: { name }, items, at }) =>
      items.flatMap(({ model, id }) => (id === undefined ? [] : [{ row, name, at, table: model.table, id }])),
    ),
  )
  return [...Map.groupBy(inPlace, ({ table }) => table)].map(([table, parts]): Check => {
    const names = ownedColumns.map(({ name }) => sql.id(name))
    const given = parts.map(({ row, name, id }) => [id, row.model.uid, row.id ?? null, name])
    const owned = sql`select "id" from ${sql.id(table)} where (${sql.join(names)}) in (select * from ${recordset('g', ownedColumns, given)})`
    const report: Check['report'] = ([found]) => {
      const stored = new Set(found)
      for (const { id, at } of parts)
        if (!stored.delete(id)) throw problem('entry/foreign-component', { at: inWords(at) })
    }
    return { lists: [{ rows: owned, count: parts.length }], readsEntry: true, report }
  })
}
