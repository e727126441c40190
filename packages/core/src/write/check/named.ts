import type { Transaction } from '@octavo/database'
import type { ContentType, Registry, RelationAttribute } from '../../content-type/model.ts'
import type { Reaches } from '../../execute/reach.ts'
import type { RequestState } from '../../plugin/request-state.ts'
import {
  type Connection,
  type MorphItem,
  type MorphWrite,
  type RelationWrite,
  type RowWrite,
  refersToEntries,
  withRelations,
} from '../input/write-plan.ts'
import { type LinkedParts, linkedParts } from './linked-parts.ts'

/** An id that no entry has: the replacement of ids that the caller cannot find. */
const noId = 0

interface NamedTarget {
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
  parts: NamedParts,
): Promise<readonly RowWrite[]> {
  if (parts.reaches.areAll || !rows.some(({ row }) => refersToEntries(row))) return rows.map(({ row }) => row)
  const named = new NamedIds(rows, parts.registry)
  const isFindable = await findable(named.targets, parts)
  if (!isFindable) return rows.map(({ row }) => row)
  const places = named.places(({ target, id }) => target.via?.part === true && !isFindable(target, id))
  const isLinked = await linkedIn(places, parts)
  return named.replace(({ target, id, place }) =>
    isFindable(target, id) || isLinked(target, id, place) ? id : noId,
  )
}

/** An id of a write. */
interface NamedId {
  readonly target: NamedTarget
  readonly id: number
  readonly place: IdPlace
}

/** The ids that a caller gave in rows. */
class NamedIds {
  readonly #rows: readonly GivenRow[]
  readonly #registry: Registry
  readonly #targets = new Map<string, NamedTarget>()

  constructor(rows: readonly GivenRow[], registry: Registry) {
    this.#rows = rows
    this.#registry = registry
    this.replace(({ target, id }) => {
      target.ids.add(id)
      return id
    })
  }

  get targets(): Iterable<NamedTarget> {
    return this.#targets.values()
  }

  /** The places of the ids for which `test` holds. */
  places(test: (named: NamedId) => boolean): readonly IdPlace[] {
    const places: IdPlace[] = []
    this.replace((named) => {
      if (test(named)) places.push(named.place)
      return named.id
    })
    return places
  }

  /** Copies of the rows with other ids. */
  replace(change: (named: NamedId) => number): readonly RowWrite[] {
    return this.#rows.map(({ row, given }) => {
      const from = row.model as ContentType // the root of a write is an entry
      return withRelations(
        row,
        (relation, name) => {
          if (!given.has(name)) return relation
          const target = this.#target(relation.attribute.target, relation.attribute, from)
          return withIds(relation, (id) => change({ target, id, place: { row, name } }))
        },
        (morph) => {
          const { name } = morph.attribute
          if (!given.has(name)) return morph
          return withMorphIds(morph, ({ type, id }) =>
            change({ target: this.#target(type, undefined, from), id, place: { row, name } }),
          )
        },
      )
    })
  }

  #target(type: string, via: RelationAttribute | undefined, from: ContentType): NamedTarget {
    const key = `${type} ${via?.name} ${via?.typeName} ${from.uid}`
    const known = this.#targets.get(key)
    if (known) return known
    const target = { type: this.#registry.contentType(type), via, from, ids: new Set<number>() }
    this.#targets.set(key, target)
    return target
  }
}

/** A test for the ids of the targets that the caller can find; `undefined` when these are all. */
async function findable(
  targets: Iterable<NamedTarget>,
  { reaches, tx, state, isNew }: NamedParts,
): Promise<((target: NamedTarget, id: number) => boolean) | undefined> {
  const found = new Map<NamedTarget, ReadonlySet<number>>()
  for (const target of targets) {
    const request = { ...target, use: 'named', attribute: undefined, state } as const
    if (reaches.of(request) !== 'all') found.set(target, await reaches.within(request, [...target.ids], tx))
  }
  if (found.size === 0) return undefined
  return (target, id) => (found.get(target)?.has(id) ?? true) || isNew(target.type.uid, id)
}

/** A test for the ids that the attribute of the stored entry has already, and that its caller may read there. */
async function linkedIn(
  places: readonly IdPlace[],
  { registry, reaches, tx, state }: NamedParts,
): Promise<(target: NamedTarget, id: number, place: IdPlace) => boolean> {
  const linked = new Map<RowWrite, Map<string, LinkedParts>>()
  for (const { row, name } of places) {
    const known = linked.get(row) ?? new Map<string, LinkedParts>()
    linked.set(row, known)
    if (row.id === undefined || known.has(name)) continue
    // Otherwise a caller could find out by trying which files an attribute has that it may not read.
    const type = row.model as ContentType // the root of a write is an entry
    const attribute = type.attributes.get(name)
    const request = {
      type,
      use: 'answer',
      via: undefined,
      from: undefined,
      attribute,
      action: 'update',
      state,
    } as const
    const isShown = !attribute?.private && (await reaches.within(request, [row.id], tx)).has(row.id)
    known.set(name, isShown ? await linkedParts({ model: type, id: row.id }, name, registry, tx) : new Map())
  }
  return ({ via }, id, { row, name }) =>
    via !== undefined && linked.get(row)?.get(name)?.get(via)?.has(id) === true
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

function withMorphIds(morph: MorphWrite, read: (item: MorphItem) => number): MorphWrite {
  const { change } = morph
  const each = (items: readonly MorphItem[]): readonly MorphItem[] =>
    items.map((item) => ({ ...item, id: read(item) }))
  return change.kind === 'set'
    ? { ...morph, change: { ...change, items: each(change.items) } }
    : { ...morph, change: { ...change, connect: each(change.connect), disconnect: each(change.disconnect) } }
}
