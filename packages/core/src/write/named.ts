import type { ContentType, Registry, RelationAttribute } from '../content-type/model.ts'
import type { Reaches } from '../execute/reach.ts'
import type { RequestState } from '../plugin/request-state.ts'
import type { Transaction } from '../store/store.ts'
import { type LinkedParts, linkedParts } from './linked-parts.ts'
import {
  type Connection,
  type MorphReference,
  type MorphWrite,
  type RelationWrite,
  type RowWrite,
  refersToEntries,
  withRelations,
} from './write-plan.ts'

/** An id that no entry has: the replacement of ids that the caller cannot find. */
const noId = 0

interface Target {
  readonly type: ContentType
  /** `undefined` for a polymorphic relation. */
  readonly via: RelationAttribute | undefined
  readonly from: ContentType
  readonly ids: Set<number>
}

/** Where an id is given: the entry's row, and the name of its attribute. */
interface IdPlace {
  readonly row: RowWrite
  readonly name: string
}

export interface NamedParts {
  readonly registry: Registry
  readonly reaches: Reaches
  readonly tx: Transaction
  readonly state: RequestState
  /** Whether a plugin created the entry in this transaction, such as the row of a file that came with the request. */
  readonly isNew: (uid: string, id: number) => boolean
}

/** A written entry, with the names of the attributes from the caller; plugins added the others. */
export interface GivenRow {
  readonly row: RowWrite
  readonly given: ReadonlySet<string>
}

/**
 * Replaces ids that the caller cannot find by an id that does not exist, wherever they are given: connected, disconnected,
 * set, or as the neighbour of a position. Runs one statement for each narrowed relation. Parts (files) that the entry
 * already has in the same attribute need not be findable where the caller may read the attribute: responses show them, and
 * clients send them back.
 */
export async function withoutUnfindable(
  rows: readonly GivenRow[],
  { registry, reaches, tx, state, isNew }: NamedParts,
): Promise<readonly RowWrite[]> {
  if (reaches.areAll || !rows.some(({ row }) => refersToEntries(row))) return rows.map(({ row }) => row)
  const targets = new Map<string, Target>()
  const targetOf = (type: string, via: RelationAttribute | undefined, from: ContentType): Target => {
    const key = `${type} ${via?.name} ${via?.typeName} ${from.uid}`
    const known = targets.get(key)
    if (known) return known
    const one = { type: registry.contentType(type), via, from, ids: new Set<number>() }
    targets.set(key, one)
    return one
  }
  const read = (change: (target: Target, id: number, at: IdPlace) => number): readonly RowWrite[] =>
    rows.map(({ row, given }) => {
      const from = row.model as ContentType // the root of a write is an entry
      return withRelations(
        row,
        (relation, name) => {
          if (!given.has(name)) return relation
          const target = targetOf(relation.attribute.target, relation.attribute, from)
          return withIds(relation, (id) => change(target, id, { row, name }))
        },
        (morph) =>
          given.has(morph.attribute.name)
            ? withMorphIds(morph, ({ type, id }) =>
                change(targetOf(type, undefined, from), id, { row, name: morph.attribute.name }),
              )
            : morph,
      )
    })
  read(({ ids }, id) => {
    ids.add(id)
    return id
  })
  const found = new Map<Target, ReadonlySet<number>>()
  for (const one of targets.values()) {
    const request = { ...one, use: 'named', attribute: undefined, state } as const
    if (reaches.of(request) !== 'all') found.set(one, await reaches.within(request, [...one.ids], tx))
  }
  if (found.size === 0) return rows.map(({ row }) => row)
  const isFound = (one: Target, id: number): boolean =>
    (found.get(one)?.has(id) ?? true) || isNew(one.type.uid, id)
  const places: IdPlace[] = []
  read((one, id, place) => {
    if (one.via?.part && !isFound(one, id)) places.push(place)
    return id
  })
  const linked = new Map<RowWrite, Map<string, LinkedParts>>()
  for (const { row, name } of places) {
    const known = linked.get(row) ?? new Map<string, LinkedParts>()
    linked.set(row, known)
    if (row.id === undefined || known.has(name)) continue
    // Otherwise a caller could find out by trying which files an attribute has that it may not read.
    const type = row.model as ContentType // the root of a write is an entry
    const attribute = type.attributes.get(name)
    const asked = {
      type,
      use: 'answer',
      via: undefined,
      from: undefined,
      attribute,
      action: 'update',
      state,
    } as const
    const isShown = !attribute?.private && (await reaches.within(asked, [row.id], tx)).has(row.id)
    known.set(name, isShown ? await linkedParts({ model: type, id: row.id }, name, registry, tx) : new Map())
  }
  return read((one, id, { row, name }) => {
    const isLinked = one.via !== undefined && linked.get(row)?.get(name)?.get(one.via)?.has(id)
    return isFound(one, id) || isLinked ? id : noId
  })
}

function withIds(relation: RelationWrite, read: (id: number) => number): RelationWrite {
  const { change } = relation
  if (change.kind === 'set') return { ...relation, change: { ...change, ids: change.ids.map(read) } }
  const connect = change.connect.map(
    ({ id, position }): Connection => ({
      id: read(id),
      position: 'id' in position ? { ...position, id: read(position.id), given: position.id } : position,
    }),
  )
  return { ...relation, change: { ...change, connect, disconnect: change.disconnect.map(read) } }
}

function withMorphIds(morph: MorphWrite, read: (item: MorphReference) => number): MorphWrite {
  const { change } = morph
  const each = (items: readonly MorphReference[]): readonly MorphReference[] =>
    items.map((item) => ({ ...item, id: read(item) }))
  return change.kind === 'set'
    ? { ...morph, change: { ...change, items: each(change.items) } }
    : { ...morph, change: { ...change, connect: each(change.connect), disconnect: each(change.disconnect) } }
}
