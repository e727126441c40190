import type { Store, Transaction } from '@octavo/database'
import { join, type Sql, sql } from '@octavo/database'
import type { Model, Registry, RelationAttribute, RelationStorage } from '../content-type/model.ts'
import { joinColumns, joinTableOf, keyColumns } from '../content-type/storage/storage-names.ts'
import { existingColumns } from './existing-columns.ts'
import { notesWith } from './notes.ts'
import { keyTargets } from './refusals.ts'
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

type Own = Extract<RelationStorage, { kind: 'own' }>
type Links = Extract<RelationStorage, { kind: 'join' }>

interface Stored<S extends RelationStorage> {
  readonly model: Model
  readonly attribute: RelationAttribute
  readonly storage: S
  /** The table of the target. */
  readonly target: string
}

const shown = 20

/**
 * Moves the links of relations whose kind changed between a key (many-to-one, one-to-one) and a table of links (many-to-many,
 * one-way to-many), in one transaction. A relation with links that do not fit stays as it is. Links that were made
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
        const { storage } = attribute
        const target = registry.contentType(attribute.target).table
        const conversion =
          storage.kind === 'own'
            ? await toKey(tx, { model, attribute, storage, target }, dryRun)
            : storage.kind === 'join' && storage.owner
              ? await toLinks(tx, { model, attribute, storage, target }, dryRun)
              : undefined
        if (conversion) conversions.push(conversion)
      }
    return conversions
  })
}

/** Whether a foreign key leads to another table than the relation does now: the same ids are other entries there. */
async function leadsElsewhere(tx: Transaction, table: string, key: string, target: string): Promise<boolean> {
  const keys = await keyTargets(tx)
  return keys.some((one) => one.table === table && one.column === key && one.target !== target)
}

/** From the table of links to the key. */
async function toKey(
  tx: Transaction,
  { model, attribute, storage, target }: Stored<Own>,
  dryRun: boolean,
): Promise<RelationConversion | undefined> {
  const name = joinTableOf(model.table, attribute.name)
  const notes = await notesWith(tx, `table:${name}`)
  const columns = (await existingColumns(tx, [name, model.table])).get(name)
  if (!notes.has(`table:${name}`) || !columns?.has(joinColumns.owner)) return undefined
  if (await leadsElsewhere(tx, name, joinColumns.target, target)) return undefined
  const links = sql.id(name)
  const count = await countOf(tx, sql`${links}`)
  if (count === 0) return undefined
  const [owner, to] = [sql.id(joinColumns.owner), sql.id(joinColumns.target)]
  const conflicts = await conflictsIn(
    tx,
    sql`select ${owner} as "id", 'is linked to several: ' || string_agg(${to}::text, ', ' order by ${to}) as "reason" from ${links} group by ${owner} having count(*) > 1`,
  )
  if (attribute.exclusive)
    conflicts.push(
      ...(await conflictsIn(
        tx,
        sql`select ${to} as "id", 'is linked from several: ' || string_agg(${owner}::text, ', ' order by ${owner}) as "reason" from ${links} group by ${to} having count(*) > 1`,
      )),
    )
  const key = sql.id(storage.column)
  const hasKey = (await existingColumns(tx, [model.table])).get(model.table)?.has(storage.column) ?? false
  if (hasKey)
    conflicts.push(
      ...(await conflictsIn(
        tx,
        sql`select "entry".id as "id", 'has another link since: ' || "entry".${key} as "reason" from ${sql.id(model.table)} as "entry" join ${links} as "link" on "link".${owner} = "entry".id where "entry".${key} <> "link".${to}`,
      )),
    )
  const conversion = conversionOf(model, attribute, 'key', count, conflicts)
  if (dryRun || conversion.conflicts.length > 0) return conversion
  const place =
    storage.position && columns.has(joinColumns.inversePosition)
      ? sql`, ${sql.id(storage.position)} = "link".${sql.id(joinColumns.inversePosition)}`
      : sql``
  await tx.run(
    sql`update ${sql.id(model.table)} as "entry" set ${key} = "link".${to}${place} from ${links} as "link" join ${sql.id(target)} as "to" on "to".id = "link".${to} where "link".${owner} = "entry".id and "entry".${key} is null`,
  )
  await tx.run(
    sql`delete from ${links} as "link" using ${sql.id(model.table)} as "entry" where "entry".id = "link".${owner} and "entry".${key} = "link".${to}`,
  )
  return conversion
}

/** From the key to the table of links, which takes any number. */
async function toLinks(
  tx: Transaction,
  { model, attribute, storage, target }: Stored<Links>,
  dryRun: boolean,
): Promise<RelationConversion | undefined> {
  const former = keyColumns(model, attribute.name)
  const noted = (await notesWith(tx, `columns:${model.table}`)).get(`columns:${model.table}`)?.split(',')
  const columns = (await existingColumns(tx, [model.table])).get(model.table)
  // A column that another attribute has now.
  const isTaken = [...model.attributes.values()].some(
    (other) => other.kind === 'scalar' && other.column === former.column,
  )
  if (isTaken || !noted?.includes(former.column) || !columns?.has(former.column)) return undefined
  if (await leadsElsewhere(tx, model.table, former.column, target)) return undefined
  const entries = sql.id(model.table)
  const key = sql.id(former.column)
  // A link is to an entry that exists: a scalar of this name may have been there as well.
  const linked = sql`${entries} as "entry" join ${sql.id(target)} as "to" on "to".id::text = "entry".${key}::text`
  const count = await countOf(tx, linked)
  if (count === 0) return undefined
  const conflicts = attribute.exclusive
    ? await conflictsIn(
        tx,
        sql`select "to".id as "id", 'is linked from several: ' || string_agg("entry".id::text, ', ' order by "entry".id) as "reason" from ${linked} group by "to".id having count(*) > 1`,
      )
    : []
  const conversion = conversionOf(model, attribute, 'links', count, conflicts)
  if (dryRun || conflicts.length > 0) return conversion
  const names = [sql.id(storage.own), sql.id(storage.target), sql.id(storage.position)]
  const values = [sql`"entry".id`, sql`"to".id`, sql`1`]
  if (storage.inversePosition) {
    names.push(sql.id(storage.inversePosition))
    values.push(columns.has(former.position) ? sql`"entry".${sql.id(former.position)}` : sql`"entry".id`)
  }
  await tx.run(
    sql`insert into ${sql.id(storage.table)} (${join(names, ', ')}) select ${join(values, ', ')} from ${linked} on conflict do nothing`,
  )
  await tx.run(
    sql`update ${entries} as "entry" set ${key} = null from ${sql.id(target)} as "to" where "to".id::text = "entry".${key}::text`,
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

function conversionOf(
  { uid }: Model,
  { name }: RelationAttribute,
  to: RelationConversion['to'],
  links: number,
  conflicts: readonly RelationConflict[],
): RelationConversion {
  return { attribute: `${uid}.${name}`, to, links, conflicts: conflicts.slice(0, shown) }
}

async function countOf(tx: Transaction, from: Sql): Promise<number> {
  const [row] = await tx.run(sql`select count(*) as "n" from ${from}`)
  return Number(row?.n ?? 0)
}

async function conflictsIn(tx: Transaction, found: Sql): Promise<RelationConflict[]> {
  const rows = await tx.run(sql`${found} order by 1 limit ${sql.lit(shown)}`)
  return rows.map(({ id, reason }) => ({ id: Number(id), reason: reason ?? '' }))
}
