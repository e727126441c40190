import { type BatchedTransaction, param, type Sql, sql } from '@octavo/database'
import { nextPosition } from '../../compile/next-position.ts'
import { behindNeighbours, laterNeighbours, placements } from '../../connection-order.ts'
import type { Registry, RelationAttribute, RelationStorage } from '../../content-type/model.ts'
import { type Connection, connectedBy, type RelationChange, type RowWrite } from '../input/write-plan.ts'
import { listRows, RelatedList } from './related-list.ts'

/** A foreign key that is written with the row's other columns. */
export interface KeyWrite {
  readonly column: string
  /** The position of the row among those with the same key, when the other side is a list. */
  readonly position: string | undefined
  /** `null` clears. */
  readonly id: number | null
}

/** The foreign keys that the row's own statement can write: those that change no other row. */
export const keysOf = ({ relations }: RowWrite): readonly KeyWrite[] =>
  relations.flatMap(({ attribute, change }) => keyWrite(attribute, change) ?? [])

function keyWrite(attribute: RelationAttribute, change: RelationChange): KeyWrite | undefined {
  const key = keyIn(attribute)
  const id = connectedKey(change)
  return key && id !== undefined ? { column: key.column, position: key.position, id } : undefined
}

/** The key of a relation that the statement of its row writes: one that changes no other row. */
export function keyIn({ storage, exclusive }: RelationAttribute): Omit<KeyWrite, 'id'> | undefined {
  switch (storage.kind) {
    case 'own':
      return exclusive ? undefined : storage
    case 'foreign':
    case 'join':
    case 'link':
    case 'siblings':
      return undefined
  }
}

/** `undefined` when entries are only disconnected. */
const connectedKey = (change: RelationChange): number | null | undefined =>
  change.kind === 'set' ? (change.ids[0] ?? null) : change.connect[0]?.id

/**
 * A newly connected row is appended to its siblings; a row that was already connected keeps its position.
 * @param key The column, which in an update has the old value.
 * @param value The new key.
 */
export const placeAmongSiblings = (key: Sql, position: Sql, value: Sql): Sql =>
  sql`case when ${key} is not distinct from ${value} then ${position} when ${value} is null then null else ${nextPosition} end`

/**
 * Writes the relations of a row, except for its {@link keysOf}. Both sides are updated, since both read the same columns. The
 * cost depends on the size of the input, not of the list: the 4,000th child of a parent costs the same as the first.
 * @param id The id of the row as an expression.
 */
export function writeRelations(row: RowWrite, id: Sql, registry: Registry, tx: BatchedTransaction): void {
  for (const { attribute, change } of row.relations) {
    const { storage } = attribute
    switch (storage.kind) {
      case 'own':
        if (!keyWrite(attribute, change)) writeKey(row, id, attribute, storage, change, tx)
        break
      case 'foreign':
      case 'join':
      case 'link': {
        const rows = listRows({ model: row.model, id, attribute }, storage, registry)
        writeList(new RelatedList(rows, tx), attribute, change, row.id === undefined)
        break
      }
      case 'siblings': // A plugin writes them.
        break
    }
  }
}

/** A foreign key in the row itself. */
function writeKey(
  { model }: RowWrite,
  own: Sql,
  attribute: RelationAttribute,
  { column, position }: Extract<RelationStorage, { kind: 'own' }>,
  change: RelationChange,
  tx: BatchedTransaction,
): void {
  const table = sql.id(model.table)
  const key = sql.id(column)
  const next = connectedKey(change)
  if (next === undefined) {
    // Without connected entries the key is cleared only when it is disconnected.
    const { disconnect } = change as Extract<RelationChange, { kind: 'patch' }>
    tx.send(
      sql`update ${table} set ${key} = null where "id" = ${own} and ${key} = any(${param(disconnect, 'int4[]')})`,
    )
    return
  }
  const value = param(next, 'int4')
  if (next !== null && attribute.exclusive)
    tx.send(sql`update ${table} set ${key} = null where ${key} = ${value} and "id" <> ${own}`)
  const place =
    position === undefined
      ? sql``
      : sql`, ${sql.id(position)} = ${placeAmongSiblings(key, sql.id(position), value)}`
  tx.send(sql`update ${table} set ${key} = ${value}${place} where "id" = ${own}`)
}

function writeList(
  list: RelatedList,
  attribute: RelationAttribute,
  change: RelationChange,
  isNew: boolean,
): void {
  if (change.kind === 'set') {
    if (isNew) list.append(change.ids)
    else list.replaceBy(change.ids, change.keep)
    return
  }
  const connected = connectedBy(change)
  if (!attribute.many && connected.length > 0) list.removeAllBut(connected)
  if (change.disconnect.length > 0) list.remove(change.disconnect)
  // One entry has no order, and its table no column for one.
  if (!attribute.many) list.append(connected)
  else placeAll(list, change.connect, isNew ? [] : laterNeighbours(change.connect))
}

/** Places entries beside a stored neighbour before that one moves, and beside a new neighbour after it is connected. Source: the reference server. */
function placeAll(list: RelatedList, connect: readonly Connection[], later: readonly number[]): void {
  const { whenStored, otherwise } = list.either(later)
  if (whenStored) connectAll(whenStored, connect)
  connectAll(otherwise, behindNeighbours(connect))
}

function connectAll(list: RelatedList, connect: readonly Connection[]): void {
  const placed = placements(connect)
  if (placed.some(({ at }) => at.kind !== 'end')) list.place(placed)
  else list.append(placed.map(({ id }) => id))
}
