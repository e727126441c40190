import { type Component, type Model, ownerColumns, type Registry } from '../content-type/model.ts'
import type { Transaction } from '../store/store.ts'
import { quoted } from './recordset.ts'

const type = quoted(ownerColumns.type)
const owner = quoted(ownerColumns.id)
const field = quoted(ownerColumns.field)

/** Deletes entries and all that is part of them. Foreign keys cut the relations that others have to them. */
export async function deleteEntries(
  model: Model,
  ids: readonly number[],
  registry: Registry,
  tx: Transaction,
): Promise<void> {
  await deleteParts(model, ids, registry, tx)
  for (const table of registry.morphTables)
    await tx.query(`delete from ${quoted(table)} where ${owner} = any($1::int4[]) and ${type} = $2`, [
      ids,
      model.uid,
    ])
  await tx.query(`delete from ${quoted(model.table)} where "id" = any($1::int4[])`, [ids])
}

interface Owned {
  /** Uid of the owners' model. */
  readonly type: string
  readonly ids: readonly number[]
  readonly field: string
  /** Ids of components that stay. */
  readonly keep: readonly number[]
}

/** Deletes the components of some owners' attribute, and all that is part of them. */
export async function deleteComponents(
  component: Component,
  owned: Owned,
  registry: Registry,
  tx: Transaction,
): Promise<void> {
  const gone = await tx.query(
    `delete from ${quoted(component.table)} where ${owner} = any($1::int4[]) and ${type} = $2 and ${field} = $3 and "id" <> all($4::int4[]) returning "id"`,
    [owned.ids, owned.type, owned.field, owned.keep],
  )
  if (gone.length > 0)
    await deleteParts(
      component,
      gone.map(([id]) => Number(id)),
      registry,
      tx,
    )
}

/** What points to its owner without a foreign key: components and links. */
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
      await tx.query(
        `delete from ${quoted(attribute.storage.table)} where ${owner} = any($1::int4[]) and ${type} = $2 and ${field} = $3`,
        [ids, model.uid, attribute.name],
      )
    }
  }
}
