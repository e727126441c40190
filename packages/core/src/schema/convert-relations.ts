import type { Store, Transaction } from '@octavo/database'
import { join, type Sql, sql } from '@octavo/database'
import type { Model, Registry, RelationAttribute, RelationStorage } from '../content-type/model.ts'
import { existingColumns } from './existing-columns.ts'
import { type FormerPlace, formerPlaces } from './former-places.ts'
import { schemaTransaction } from './schema-transaction.ts'

/** Entries whose links do not fit the new kind. */
export interface RelationConflict {
  readonly id: number
  readonly reason: string
}

/** The links of a relation that were stored as another kind of relation. */
export interface RelationConversion {
  /** `api::article.article.author` */
  readonly attribute: string
  /** `key`: from a table of links to a column of the entry; `links`: from the column to a table of links. */
  readonly to: 'key' | 'links'
  /** Number of links under the former kind. */
  readonly links: number
  /** The first 20; with any, none of the relation's links is moved. */
  readonly conflicts: readonly RelationConflict[]
}

interface Stored<S extends RelationStorage> {
  readonly model: Model
  readonly attribute: RelationAttribute
  readonly storage: S
}

const shown = 20

/**
 * Moves the links of relations whose kind changed between a key (many-to-one, one-to-one) and a table of links (many-to-many,
 * one-way to-many), or from the other side of a two-way relation, in one transaction. A relation with links that do not fit stays as it is. Links that were made
 * since, under the new kind, are not changed.
 *
 * @param settings.dryRun Reports and moves nothing. Default false.
 */
export async function convertRelations(
  store: Store,
  registry: Registry,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<readonly RelationConversion[]> {
  return schemaTransaction(store, async (tx) => {
    const conversions: RelationConversion[] = []
    const models: readonly Model[] = [...registry.contentTypes.values(), ...registry.components.values()]
    for (const model of models)
      for (const attribute of model.attributes.values()) {
        if (attribute.kind !== 'relation') continue
        for (const former of await formerPlaces(tx, registry, model, attribute)) {
          const conversion = await move(tx, { model, attribute, storage: attribute.storage }, former, dryRun)
          if (conversion) conversions.push(conversion)
        }
      }
    return conversions
  })
}

/** Moves the links of a former place to the present one. @returns nothing without links */
async function move(
  tx: Transaction,
  { model, attribute, storage }: Stored<RelationStorage>,
  former: FormerPlace,
  dryRun: boolean,
): Promise<RelationConversion | undefined> {
  if (storage.kind !== 'own' && storage.kind !== 'join') return undefined
  const { rows, entry, to } = former
  const links = await countOf(tx, rows)
  if (links === 0) return undefined
  const several = (one: Sql, other: Sql, reason: string): Sql =>
    sql`select ${one} as "id", ${sql.lit(reason)} || string_agg(${other}::text, ', ' order by ${other}) as "reason" from ${rows} group by ${one} having count(*) > 1`
  const conflicts =
    storage.kind === 'own' ? await conflictsIn(tx, several(entry, to, 'is linked to several: ')) : []
  if (attribute.exclusive)
    conflicts.push(...(await conflictsIn(tx, several(to, entry, 'is linked from several: '))))
  const present = sql.id(storage.kind === 'own' ? model.table : storage.table)
  // A dry run does not make the column first.
  if (
    storage.kind === 'own' &&
    (await existingColumns(tx, [model.table])).get(model.table)?.has(storage.column)
  )
    conflicts.push(
      ...(await conflictsIn(
        tx,
        sql`select ${entry} as "id", 'has another link since: ' || "entry".${sql.id(storage.column)} as "reason" from ${rows} join ${present} as "entry" on "entry".id = ${entry} where "entry".${sql.id(storage.column)} <> ${to}`,
      )),
    )
  const conversion: RelationConversion = {
    attribute: `${model.uid}.${attribute.name}`,
    to: storage.kind === 'own' ? 'key' : 'links',
    links,
    conflicts: conflicts.slice(0, shown),
  }
  if (dryRun || conflicts.length > 0) return conversion
  if (storage.kind === 'own') {
    const place = storage.position ? sql`, ${sql.id(storage.position)} = "moved"."inverse"` : sql``
    const key = sql.id(storage.column)
    await tx.run(
      sql`update ${present} as "entry" set ${key} = "moved"."to"${place} from (select ${entry} as "entry", ${to} as "to", ${former.inversePosition} as "inverse" from ${rows}) as "moved" where "moved"."entry" = "entry".id and "entry".${key} is null`,
    )
    await tx.run(
      former.remove(
        sql`exists (select 1 from ${present} as "entry" where "entry".id = ${entry} and "entry".${key} = ${to})`,
      ),
    )
    return conversion
  }
  const names = [storage.own, storage.target, storage.position]
  const values = [entry, to, former.position]
  if (storage.inversePosition) {
    names.push(storage.inversePosition)
    values.push(former.inversePosition)
  }
  await tx.run(
    sql`insert into ${present} (${join(names.map(sql.id), ', ')}) select ${join(values, ', ')} from ${rows} on conflict do nothing`,
  )
  await tx.run(
    former.remove(
      sql`exists (select 1 from ${present} as "now" where "now".${sql.id(storage.own)} = ${entry} and "now".${sql.id(storage.target)} = ${to})`,
    ),
  )
  return conversion
}

/** Sentences about one-to-one relations of several entries to the same one, left from a many-to-one relation. */
export async function sharedTargets(tx: Transaction, registry: Registry): Promise<readonly string[]> {
  const sentences: string[] = []
  for (const model of registry.contentTypes.values())
    for (const { name, ...attribute } of model.attributes.values()) {
      if (attribute.kind !== 'relation' || !attribute.exclusive || attribute.storage.kind !== 'own') continue
      const { column } = attribute.storage
      if (!(await existingColumns(tx, [model.table])).get(model.table)?.has(column)) continue
      const key = sql.id(column)
      const shared = await conflictsIn(
        tx,
        sql`select ${key} as "id", string_agg(id::text, ', ' order by id) as "reason" from ${sql.id(model.table)} where ${key} is not null group by ${key} having count(*) > 1`,
      )
      if (shared.length === 0) continue
      const some = shared.map(({ id, reason }) => `${id} (of the entries ${reason})`).join(', ')
      sentences.push(
        `${model.uid}.${name} is a one-to-one relation, and several entries are linked to the same ${attribute.target}: ${some}. The links stay; change all but one of each.`,
      )
    }
  return sentences
}

async function countOf(tx: Transaction, from: Sql): Promise<number> {
  const [row] = await tx.run(sql`select count(*) as "n" from ${from}`)
  return Number(row?.n ?? 0)
}

async function conflictsIn(tx: Transaction, found: Sql): Promise<RelationConflict[]> {
  const rows = await tx.run(sql`${found} order by 1 limit ${sql.lit(shown)}`)
  return rows.map(({ id, reason }) => ({ id: Number(id), reason: reason ?? '' }))
}
