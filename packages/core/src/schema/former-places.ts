/** The places in which the links of a relation were stored while it was of another kind, or while its other side stored them. */
import { type Sql, sql, type Transaction } from '@octavo/database'
import type { Model, Registry, RelationAttribute } from '../content-type/model.ts'
import { joinColumns, joinTableOf, keyColumns } from '../content-type/storage/storage-names.ts'
import { existingColumns } from './existing-columns.ts'
import { notesWith } from './notes.ts'
import { keyTargets } from './refusals.ts'

/** Links in a column or in a table. `entry` and `to` are ids as the side sees them that stores the links now. */
export interface FormerPlace {
  /** The tables of the links with their aliases, for the clause `from` of a query. */
  readonly rows: Sql
  readonly entry: Sql
  readonly to: Sql
  /** The place of `to` in the list of the entry. */
  readonly position: Sql
  /** The place of the entry in the list of `to`. */
  readonly inversePosition: Sql
  /** Removes the links that meet a condition on `entry` and `to`. */
  readonly remove: (isMoved: Sql) => Sql
}

/** A side of a relation: the model, its attribute, and the table of the other side. */
interface Side {
  readonly model: Model
  readonly name: string
  readonly other: string
  /** Whether the other side stores the links now. */
  readonly isInverse: boolean
}

/** The former places of the links that this attribute stores now; none for the side that stores none. */
export async function formerPlaces(
  tx: Transaction,
  registry: Registry,
  model: Model,
  attribute: RelationAttribute,
): Promise<readonly FormerPlace[]> {
  const { storage, target, name } = attribute
  const isStored = storage.kind === 'own' || (storage.kind === 'join' && storage.owner)
  if (!isStored) return []
  const far = registry.contentType(target)
  const side: Side = { model, name, other: far.table, isInverse: false }
  const places = [storage.kind === 'own' ? await linksOf(tx, side) : await keysOf(tx, side)]
  for (const inverse of far.attributes.values())
    if (inverse.kind === 'relation' && inverse.target === model.uid && inverse.definition.mappedBy === name) {
      const other: Side = { model: far, name: inverse.name, other: model.table, isInverse: true }
      places.push(await linksOf(tx, other), await keysOf(tx, other))
    }
  return places.filter((place) => place !== undefined)
}

/** The table of links of a side. */
async function linksOf(
  tx: Transaction,
  { model, name, other, isInverse }: Side,
): Promise<FormerPlace | undefined> {
  const table = joinTableOf(model.table, name)
  const columns = (await existingColumns(tx, [table])).get(table)
  const isNoted = (await notesWith(tx, `table:${table}`)).has(`table:${table}`)
  if (!isNoted || !columns?.has(joinColumns.owner)) return undefined
  if (await leadsElsewhere(tx, table, joinColumns.target, other)) return undefined
  const column = (of: string): Sql => sql`"link".${sql.id(of)}`
  const inverse = columns.has(joinColumns.inversePosition)
    ? column(joinColumns.inversePosition)
    : column(joinColumns.owner)
  const rows = sql`${sql.id(table)} as "link"`
  return seenFrom(isInverse, {
    rows,
    entry: column(joinColumns.owner),
    to: column(joinColumns.target),
    position: column(joinColumns.position),
    inversePosition: inverse,
    remove: (isMoved) => sql`delete from ${rows} where ${isMoved}`,
  })
}

/** The column of a side with keys of the other one. */
async function keysOf(
  tx: Transaction,
  { model, name, other, isInverse }: Side,
): Promise<FormerPlace | undefined> {
  const { table, attributes } = model
  const { column, position } = keyColumns(model, name)
  const noted = (await notesWith(tx, `columns:${table}`)).get(`columns:${table}`)?.split(',')
  const columns = (await existingColumns(tx, [table])).get(table)
  // A column that another attribute has now.
  const isTaken = [...attributes.values()].some((one) => one.kind === 'scalar' && one.column === column)
  if (isTaken || !noted?.includes(column) || !columns?.has(column)) return undefined
  if (await leadsElsewhere(tx, table, column, other)) return undefined
  const key = sql`"row".${sql.id(column)}`
  // A link is to an entry that exists: a scalar of this name may have been there as well.
  const isLink = sql`"other".id::text = ${key}::text`
  return seenFrom(isInverse, {
    rows: sql`${sql.id(table)} as "row" join ${sql.id(other)} as "other" on ${isLink}`,
    entry: sql`"row".id`,
    to: sql`"other".id`,
    // A key leads to one entry.
    position: sql`1`,
    inversePosition: columns.has(position) ? sql`"row".${sql.id(position)}` : sql`"row".id`,
    remove: (isMoved) =>
      sql`update ${sql.id(table)} as "row" set ${sql.id(column)} = null from ${sql.id(other)} as "other" where ${isLink} and ${isMoved}`,
  })
}

const seenFrom = (isInverse: boolean, place: FormerPlace): FormerPlace =>
  isInverse
    ? {
        ...place,
        ...{ entry: place.to, to: place.entry },
        ...{ position: place.inversePosition, inversePosition: place.position },
      }
    : place

/** Whether a foreign key leads to another table than the relation does now: the same ids are other entries there. */
async function leadsElsewhere(tx: Transaction, table: string, key: string, target: string): Promise<boolean> {
  const keys = await keyTargets(tx)
  return keys.some((one) => one.table === table && one.column === key && one.target !== target)
}
