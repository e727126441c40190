/**
 * Writes whose mistakes the database itself refuses. Nothing is checked before them, so that the whole write is one message. When the
 * database refuses one, nothing is written, and the write runs again with its checks, which name the mistakes with their paths:
 *
 * - an id that does not exist violates a foreign key,
 * - a value that must be unique violates a unique index,
 * - the statement of an update fails when there is no such entry.
 */

import type { BatchedTransaction } from '@octavo/database'
import { isPassing, param, sql, sqlState } from '@octavo/database'
import type { Attribute, ContentType, Registry } from '../content-type/model.ts'
import { uniqueKeys } from '../schema/unique-keys.ts'
import { newId } from './new-ids.ts'
import { writeRelations } from './relations.ts'
import { insertNotingOf, insertPartsOf, updateOf } from './row-statements.ts'
import type { RelationWrite, RowWrite } from './write-plan.ts'

/** The database refused a write without checks. It is repeated with them. */
export class DirectRefused extends Error {}

/** @throws DirectRefused for an error that is about the written values. */
export async function refusingDirect<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (sqlState(error) === undefined || isPassing(error)) throw error
    throw new DirectRefused('The database refused a write without checks', { cause: error })
  }
}

/** Whether an update may be direct, by the names of its attributes; {@link isDirect} then looks at their values. */
export function mayUpdateDirectly(type: ContentType, names: readonly string[]): boolean {
  return names.every((name) => {
    const attribute = type.attributes.get(name)
    if (!attribute) return !type.morphs.has(name)
    // Components that are left out are deleted by what they have.
    return attribute.kind !== 'component' && attribute.kind !== 'zone' && isEnforced(attribute)
  })
}

/** Whether the database refuses each mistake of a row of an entry that the values alone do not show. */
export const isDirect = (row: RowWrite): boolean =>
  isOwnEnforced(row) &&
  row.relations.every(isDirectRelation) &&
  row.components.every(({ items }) => items.every(isDirectPart))

/** A component is inserted without knowing its id, so nothing may refer to it. */
const isDirectPart = (part: RowWrite): boolean =>
  part.id === undefined &&
  isOwnEnforced(part) &&
  part.relations.every(({ attribute }) => attribute.storage.kind === 'own' && !attribute.exclusive) &&
  part.components.every(({ items }) => items.length === 0)

function isOwnEnforced({ model, values, morphs }: RowWrite): boolean {
  // NULLs are equal to the check, and different to an index.
  const scoped = uniqueKeys(model).some(
    ({ attribute, within }) => within.length > 0 && (values.get(attribute) ?? null) !== null,
  )
  if (scoped || morphs.length > 0) return false
  for (const { type } of values.keys()) if (type.hash) return false
  return true
}

/** Whether the insert of a row waits for one with the same values in another transaction. */
export const hasUniqueValues = ({ model, values }: RowWrite): boolean =>
  uniqueKeys(model).some(({ attribute }) => (values.get(attribute) ?? null) !== null)

/** Statements that place an entry beside others need the result of a query. */
const isDirectRelation = ({ attribute, change }: RelationWrite): boolean =>
  isEnforced(attribute) &&
  (change.kind === 'set' || change.connect.every(({ position }) => position.kind === 'end'))

/** The rows of a relation's other side would be updated by their ids, where one that does not exist is no error. */
const isEnforced = (attribute: Attribute): boolean =>
  attribute.kind !== 'relation' || attribute.storage.kind !== 'foreign'

/** Sends the statements of an update. */
export async function sendUpdate(
  row: RowWrite,
  id: number,
  registry: Registry,
  tx: BatchedTransaction,
): Promise<void> {
  tx.stayAlone()
  const own = param(id, 'int4')
  const statement = updateOf(row, id)
  const written = statement
    ? sql`${statement} returning 1`
    : sql`select 1 from ${sql.id(row.model.table)} where "id" = ${own} for no key update`
  tx.send(sql`with "written" as (${written}) select 1 / count(*) from "written"`)
  if (row.relations.length > 0) await writeRelations(row, own, registry, tx)
}

/** Sends the statements of a new entry with its components and links. @param onId Receives its id when they have run. */
export async function sendCreate(
  row: RowWrite,
  registry: Registry,
  tx: BatchedTransaction,
  onId: (id: number) => void,
): Promise<void> {
  tx.stayAlone()
  tx.send(insertNotingOf(row), ([id]) => onId(Number(id)))
  const parts = row.components.flatMap(({ attribute, items }) =>
    items.map((part, i) => ({ row: part, field: attribute.name, position: i + 1 })),
  )
  for (const [model, rows] of Map.groupBy(parts, (part) => part.row.model))
    tx.send(insertPartsOf(model, rows, row.model))
  if (row.relations.length > 0) await writeRelations(row, newId, registry, tx)
}
