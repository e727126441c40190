import type { Transaction } from '@octavo/database'
import { param, sql } from '@octavo/database'
import {
  componentsOf,
  type Model,
  ownerColumns,
  type Registry,
  type RelationAttribute,
} from '../../content-type/model.ts'

/** Ids of the parts (files) that an entry is linked with, by the attribute that holds the link. */
export type LinkedParts = ReadonlyMap<RelationAttribute, ReadonlySet<number>>

/** Rows of one model. */
interface Owners {
  readonly model: Model
  readonly ids: readonly number[]
}

/**
 * The parts that one attribute of an entry holds, itself or in its components at any depth. Clients send them back with
 * the rest of the attribute, often in components without ids.
 */
export async function linkedParts(
  entry: { readonly model: Model; readonly id: number },
  name: string,
  registry: Registry,
  tx: Transaction,
): Promise<LinkedParts> {
  const found = new Map<RelationAttribute, Set<number>>()
  const visit = async (owners: Owners, names: Iterable<string>): Promise<void> => {
    for (const each of names) {
      const attribute = owners.model.attributes.get(each)
      if (!attribute) continue
      for (const model of componentsOf(attribute).map((uid) => registry.component(uid))) {
        const ids = await ownedIds({ table: model.table, column: 'id' }, owners, each, tx)
        if (ids.length > 0) await visit({ model, ids }, model.attributes.keys())
      }
      if (attribute.kind === 'relation' && attribute.part && attribute.storage.kind === 'link') {
        const { table, target: column } = attribute.storage
        const ids = await ownedIds({ table, column }, owners, each, tx)
        found.set(attribute, new Set([...(found.get(attribute) ?? []), ...ids]))
      }
    }
  }
  await visit({ model: entry.model, ids: [entry.id] }, [name])
  return found
}

/** The values of a column in rows that belong to the owners, at their attribute `field`. */
async function ownedIds(
  { table, column }: { readonly table: string; readonly column: string },
  { model, ids }: Owners,
  field: string,
  tx: Transaction,
): Promise<readonly number[]> {
  const owner = sql`${sql.id(ownerColumns.type)} = ${param(model.uid, 'text')} and ${sql.id(ownerColumns.id)} = any(${param(ids, 'int4[]')})`
  const rows = await tx.run(
    sql`select ${sql.id(column)} as "id" from ${sql.id(table)} where ${owner} and ${sql.id(ownerColumns.field)} = ${param(field, 'text')}`,
  )
  return rows.map(({ id }) => Number(id))
}
