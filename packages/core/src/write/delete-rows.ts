import type { Transaction } from '@octavo/database'
import { param, type Sql, sql } from '@octavo/database'
import { type Component, type Model, ownerColumns, type Registry } from '../content-type/model.ts'

const type = sql.id(ownerColumns.type)
const owner = sql.id(ownerColumns.id)
const field = sql.id(ownerColumns.field)

/** Deletes entries with their components and links. Foreign keys remove the relations of other entries to them. */
export async function deleteEntries(
  model: Model,
  ids: readonly number[],
  registry: Registry,
  tx: Transaction,
): Promise<void> {
  await deleteParts(model, ids, registry, tx)
  for (const table of registry.morphTables)
    await tx.run(
      sql`delete from ${sql.id(table)} where ${owner} = any(${param(ids, 'int4[]')}) and ${type} = ${param(model.uid, 'text')}`,
    )
  await tx.run(sql`delete from ${sql.id(model.table)} where "id" = any(${param(ids, 'int4[]')})`)
}

interface Owned {
  /** Uid of the owners' model. */
  readonly type: string
  readonly ids: readonly number[]
  readonly field: string
  /** Ids of components to preserve. */
  readonly keep: readonly number[]
}

/** The condition for the rows of an attribute of the owners. */
const ownedBy = (owned: Omit<Owned, 'keep'>): Sql =>
  sql`${owner} = any(${param(owned.ids, 'int4[]')}) and ${type} = ${param(owned.type, 'text')} and ${field} = ${param(owned.field, 'text')}`

/** Deletes the components of an attribute of the owners, with their components and links. */
export async function deleteComponents(
  component: Component,
  owned: Owned,
  registry: Registry,
  tx: Transaction,
): Promise<void> {
  const deleted = await tx.run(
    sql`delete from ${sql.id(component.table)} where ${ownedBy(owned)} and "id" <> all(${param(owned.keep, 'int4[]')}) returning "id"`,
  )
  if (deleted.length > 0)
    await deleteParts(
      component,
      deleted.map(({ id }) => Number(id)),
      registry,
      tx,
    )
}

/** Deletes rows that refer to their owner without a foreign key: components and links. */
async function deleteParts(
  model: Model,
  ids: readonly number[],
  registry: Registry,
  tx: Transaction,
): Promise<void> {
  for (const attribute of model.attributes.values()) {
    if (attribute.kind === 'component' || attribute.kind === 'zone') {
      const uids = attribute.kind === 'zone' ? attribute.components : [attribute.component]
      for (const uid of uids) {
        await deleteComponents(
          registry.component(uid),
          { type: model.uid, ids, field: attribute.name, keep: [] },
          registry,
          tx,
        )
      }
    } else if (attribute.kind === 'relation' && attribute.storage.kind === 'link') {
      const links = ownedBy({ type: model.uid, ids, field: attribute.name })
      await tx.run(sql`delete from ${sql.id(attribute.storage.table)} where ${links}`)
    }
  }
}
