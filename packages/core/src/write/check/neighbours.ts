import { param, sql } from '@octavo/database'
import { behindNeighbours } from '../../connection-order.ts'
import type { Registry } from '../../content-type/model.ts'
import { problem } from '../../error/problems.ts'
import { listRows } from '../compile/related-list.ts'
import type { RelationWrite, RowWrite } from '../input/write-plan.ts'
import type { Check } from './check.ts'

/** Entries are connected beside entries that the list has, unless the input says that they may be at its end. */
export const neighbourChecks = (rows: readonly RowWrite[], registry: Registry): readonly Check[] =>
  rows.flatMap((row) => row.relations.flatMap((relation) => neighbourCheck(row, relation, registry)))

function neighbourCheck(
  { model, id: own }: RowWrite,
  { attribute, change }: RelationWrite,
  registry: Registry,
): readonly Check[] {
  const { storage } = attribute
  if (storage.kind === 'own' || storage.kind === 'siblings' || !attribute.many) return []
  if (change.kind === 'set' || !change.strict) return []
  const [gone, connected] = [new Set(change.disconnect), new Set<number>()]
  const placed = behindNeighbours(change.connect).flatMap(({ id, position }) => {
    const isFree = !('id' in position) || connected.has(position.id)
    connected.add(id)
    if (isFree) return []
    // No entry is beside itself, or beside one that leaves the list.
    return [{ id, position, beside: position.id === id || gone.has(position.id) ? 0 : position.id }]
  })
  if (placed.length === 0) return []
  const id = param(own ?? null, 'int4')
  const { table, item, scope } = listRows({ model, id, attribute }, storage, registry)
  const needed = [...new Set(placed.map(({ beside }) => beside))]
  const rows = sql`select distinct ${item} from ${table} where ${scope} and ${item} = any(${param(needed, 'int8[]')})`
  const report: Check['report'] = ([found], mistakes) => {
    const stored = new Set(found)
    const wrong = placed.find(({ beside }) => !stored.has(beside))
    if (!wrong || mistakes.any) return
    const { kind, id, given: beside = id } = wrong.position
    throw problem('entry/no-such-neighbour', { id: wrong.id, kind, beside })
  }
  return [{ lists: [{ rows, count: needed.length }], readsEntry: true, report }]
}
