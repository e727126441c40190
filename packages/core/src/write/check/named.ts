import { param, type Sql, sql, type Transaction } from '@octavo/database'
import { ownedBy } from '../../compile/from.ts'
import type { ContentType, Registry } from '../../content-type/model.ts'
import type { Reaches } from '../../execute/reach.ts'
import { isId } from '../../id.ts'
import type { RequestState } from '../../plugin/request-state.ts'
import { componentsIn, modelsBelow, partsIn, withParts } from '../compile/parts.ts'
import type { GivenRow } from '../input/pending.ts'
import {
  type Connection,
  type MorphItem,
  type MorphWrite,
  type Reference,
  type RelationWrite,
  referencesOf,
  withRelations,
} from '../input/write-plan.ts'

/** The entries that a caller may name. */
export interface Within {
  /** A query of them, among given ids at least. */
  readonly query: (ids: readonly number[]) => Sql
  /** Whether it reads what the written entry has already. */
  readonly readsEntry: boolean
}

/** The entries among which a caller may name an id; `undefined`: all. It returns one object for one set of entries. */
export type Narrow = (reference: Reference, id: number) => Within | undefined

export interface NamedParts {
  readonly registry: Registry
  readonly reaches: Reaches
  readonly state: RequestState
  /** Whether a plugin created the entry in this transaction, such as the row of a file that came with the request. */
  readonly isNew: (uid: string, id: number) => boolean
}

/**
 * A caller may name the entries that it can find. Parts (files) that the entry already has in the same attribute need not be
 * findable where the caller may read the attribute: responses show them, and clients send them back.
 */
export function narrowOf(rows: readonly GivenRow[], parts: NamedParts): Narrow {
  const { registry, reaches, state, isNew } = parts
  if (reaches.areAll) return () => undefined
  const given = new Map(rows.map((one) => [one.row, one.given]))
  const known = new Map<string, Within | undefined>()
  const make = (reference: Reference, mayHave: boolean): Within | undefined => {
    const { target, root, via } = reference
    const from = root.model as ContentType // the root of a write is an entry
    const type = registry.contentType(target)
    const query = reaches.queryOf({ type, use: 'named', via, from, state })
    const had = query && mayHave ? partsOf(reference, parts) : undefined
    if (!query || !had) return query && { query, readsEntry: false }
    return { query: (ids) => sql`${query(ids)} union all ${had}`, readsEntry: true }
  }
  return (reference, id) => {
    const { target, row, root, name, via } = reference
    if (!given.get(root)?.has(name) || isNew(target, id)) return undefined
    const mayHave = via?.part === true && root.id !== undefined
    const place = mayHave ? `${root.id} ${name} ${row.model.uid}` : ''
    const key = `${root.model.uid} ${target} ${via?.name} ${via?.typeName} ${place}`
    if (!known.has(key)) known.set(key, make(reference, mayHave))
    return known.get(key)
  }
}

/**
 * A query of the parts that a relation of the stored entry leads to, in its components at any depth, which clients often send
 * without ids; `undefined`: the caller may not know them. Otherwise it could find out by trying which files there are.
 */
function partsOf(
  { root, row, name, via }: Reference,
  { registry, reaches, state }: NamedParts,
): Sql | undefined {
  const type = root.model as ContentType // the root of a write is an entry
  const attribute = type.attributes.get(name)
  if (!attribute || attribute.private || via?.storage.kind !== 'link') return undefined
  const id = param(root.id ?? null, 'int4')
  const readable = reaches.queryOf({ type, use: 'answer', action: 'update', attribute, state })
  const isReadable = readable && root.id !== undefined ? sql` and exists (${readable([root.id])})` : sql``
  const first = componentsIn(attribute, registry)
  const queries = first.map((component) => partsIn(type, sql`= ${id}`, attribute, component))
  const isOwner =
    row === root
      ? sql`= ${id}`
      : sql`= any(array(${withParts(queries, modelsBelow(first, registry), registry)} select "id" from "o" where "type" = ${sql.lit(row.model.uid)}))`
  const { table, target } = via.storage
  return sql`select ${sql.id(target)} from ${sql.id(table)} where ${ownedBy(row.model, via.name, isOwner)}${isReadable}`
}

/**
 * Removes the ids that a caller cannot find from what rows disconnect, and from positions: they have no effect, as those of entries
 * that do not exist. Ids that must exist are a matter of checks. Runs one statement for each narrowed relation with such ids.
 */
export async function withoutUnfindable(
  rows: readonly GivenRow[],
  narrow: Narrow,
  tx: Transaction,
): Promise<readonly GivenRow[]> {
  const references = rows.flatMap(({ row }) => referencesOf(row))
  const named = references.flatMap((reference) =>
    reference.others.flatMap((id) => {
      const within = narrow(reference, id)
      return within ? [{ within, id, key: keyOf(reference.write, reference.target, id) }] : []
    }),
  )
  if (named.length === 0) return rows
  const hidden = new Set<string>()
  for (const [{ query }, some] of Map.groupBy(named, ({ within }) => within)) {
    const stored = await tx.run(query(some.map(({ id }) => id).filter(isId)))
    const found = new Set(stored.map(({ id }) => Number(id)))
    for (const { id, key } of some) if (!found.has(id)) hidden.add(key)
  }
  return rows.map(({ row, ...others }) => ({
    ...others,
    row: withRelations(
      row,
      (relation) => withoutIds(relation, (id) => hidden.has(keyOf(relation, relation.attribute.target, id))),
      (morph) => withoutItems(morph, ({ type, id }) => hidden.has(keyOf(morph, type, id))),
    ),
  }))
}

const keyOf = ({ at }: RelationWrite | MorphWrite, target: string, id: number): string =>
  [...at, target, id].join(' ')

/** An id that no entry has. */
const noId = 0

function withoutIds(relation: RelationWrite, isHidden: (id: number) => boolean): RelationWrite {
  const { change } = relation
  if (change.kind === 'set') return relation
  const connect = change.connect.map((one): Connection => {
    const { position } = one
    if (!('id' in position && isHidden(position.id))) return one
    return { ...one, position: { ...position, id: noId, given: position.id } }
  })
  const disconnect = change.disconnect.filter((id) => !isHidden(id))
  return { ...relation, change: { ...change, connect, disconnect } }
}

function withoutItems(morph: MorphWrite, isHidden: (item: MorphItem) => boolean): MorphWrite {
  const { change } = morph
  if (change.kind === 'set') return morph
  return { ...morph, change: { ...change, disconnect: change.disconnect.filter((item) => !isHidden(item)) } }
}
