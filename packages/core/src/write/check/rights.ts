import type { Transaction } from '@octavo/database'
import { param, sql } from '@octavo/database'
import type { ContentType, Registry, RelationAttribute } from '../../content-type/model.ts'
import { problem } from '../../error/problems.ts'
import type { Reaches, ReachRequest } from '../../execute/reach.ts'
import type { RequestState } from '../../plugin/request-state.ts'
import type { WriteEvent } from '../../plugin/write-hooks.ts'
import {
  allRows,
  type Reference,
  type RelationWrite,
  type RowWrite,
  referencesOf,
  refersToEntries,
  withRelations,
} from '../input/write-plan.ts'
import type { Narrow } from './checks-of.ts'
import { type FarSide, farSideOf, farSideOfMorphs, type RelationWrites } from './far-side.ts'
import { type GivenRow, type NamedParts, withoutUnfindable } from './named.ts'

/** Other entries of one type that a write changes; their rights are checked before and after it. */
interface Changed {
  readonly request: ReachRequest
  readonly ids: readonly number[]
}

/** Checks which entries a caller may refer to and change in one transaction, by the conditions of plugins. */
export class WriteRights {
  readonly #registry: Registry
  readonly #reaches: Reaches
  readonly #tx: Transaction
  readonly #state: RequestState

  constructor(
    { registry, reaches }: { readonly registry: Registry; readonly reaches: Reaches },
    tx: Transaction,
    state: RequestState,
  ) {
    this.#registry = registry
    this.#reaches = reaches
    this.#tx = tx
    this.#state = state
  }

  /**
   * Replaces ids in the rows that the caller cannot find, like ids that do not exist.
   * @param isNew See {@link NamedParts}.
   */
  named(rows: readonly GivenRow[], isNew: NamedParts['isNew']): Promise<readonly RowWrite[]> {
    const parts = { registry: this.#registry, reaches: this.#reaches, tx: this.#tx, state: this.#state }
    return withoutUnfindable(rows, { ...parts, isNew })
  }

  /**
   * Rejects rows that change a key or a link of another entry which the caller may not change.
   * Entries that the caller cannot find remain in a list that is replaced.
   * @returns The rows with those entries, and a function that repeats the check after the write, if there is one.
   * @throws ForbiddenError
   */
  async changed(
    rows: readonly RowWrite[],
  ): Promise<{ readonly rows: readonly RowWrite[]; readonly again: (() => Promise<void>) | undefined }> {
    if (this.#reaches.areAll || !rows.some(refersToEntries)) return { rows, again: undefined }
    const preserved = new Map<RelationWrite, readonly number[]>()
    const changed: Changed[] = []
    for (const [far, writes, from] of this.#farSides(rows)) {
      const request = this.#request(far, from)
      const isOpen = this.#reaches.of(request) === 'all'
      const stays = this.#staying(far, from)
      const mayStay = this.#mayStay(far, from)
      if (isOpen && !mayStay) continue
      const found = await this.#locked(far)
      const hidden = mayStay
        ? await this.#outOf(
            stays,
            found.flatMap(({ id, leftOutBy }) => (leftOutBy === undefined ? [] : [id])),
          )
        : new Set<number>()
      for (const { row, relation } of writes) {
        const ids = found
          .filter(({ id, leftOutBy }) => leftOutBy === row.id && hidden.has(id))
          .map(({ id }) => id)
        if (row.id !== undefined && ids.length > 0) preserved.set(relation, ids)
      }
      const ids = found
        .filter(({ id, leftOutBy }) => leftOutBy === undefined || !hidden.has(id))
        .map(({ id }) => id)
      if (!isOpen && ids.length > 0) changed.push({ request, ids: [...new Set(ids)] })
    }
    const require = async (): Promise<void> => {
      for (const { request, ids } of changed) await this.#require(request, ids)
    }
    if (changed.length > 0) await require()
    return {
      rows: preserved.size === 0 ? rows : rows.map((row) => withPreserved(row, preserved)),
      again: changed.length > 0 ? require : undefined,
    }
  }

  /**
   * The rights on named entries, where they can be checked in the message of the write; `undefined` when it has to be checked step
   * by step: where other entries would change that the caller may not change, and where an id that the caller cannot find is ignored
   * and no mistake.
   * @param isNew See {@link NamedParts}.
   */
  inMessage({ row, given }: GivenRow, isNew: NamedParts['isNew']): Narrow | undefined {
    if (this.#reaches.areAll || !refersToEntries(row)) return () => undefined
    for (const [far, , from] of this.#farSides([row]))
      if (this.#reaches.of(this.#request(far, from)) !== 'all' || this.#mayStay(far, from)) return undefined
    const known = new Map<string, ReturnType<Narrow>>()
    const narrow: Narrow = ({ target, relation, name }) => {
      if (!given.has(name)) return undefined
      const via = relation?.attribute
      const key = `${target} ${via?.name} ${via?.typeName}`
      if (!known.has(key)) known.set(key, this.#reaches.queryOf(this.#named(target, via, row)))
      return known.get(key)
    }
    const isUndecided = (reference: Reference): boolean => {
      const { relation } = reference
      const change = relation?.change
      const isIgnored = change?.kind === 'patch' && change.disconnect.length > 0
      const isLinked = relation?.attribute.part === true && row.id !== undefined
      const hasNew = reference.ids.some((id) => isNew(reference.target, id))
      return (isIgnored || isLinked || hasNew || !relation) && narrow(reference) !== undefined
    }
    return referencesOf(row).some(isUndecided) ? undefined : narrow
  }

  #named(target: string, via: RelationAttribute | undefined, row: RowWrite): ReachRequest {
    const from = row.model as ContentType // the root of a write is an entry
    const type = this.#registry.contentType(target)
    return { type, use: 'named', via, from, attribute: undefined, state: this.#state }
  }

  /** Whether entries that the caller cannot find remain in a list that is replaced. */
  #mayStay(far: FarSide, from: ContentType): boolean {
    return far.via?.many === true && this.#reaches.of(this.#staying(far, from)) !== 'all'
  }

  #staying(far: FarSide, from: ContentType): ReachRequest {
    return { ...this.#request(far, from), type: far.type, use: 'named', attribute: undefined }
  }

  /** See `EntryWriter.requireChangeable`. @throws ForbiddenError */
  async changeable(type: ContentType, ids: readonly number[], names: readonly string[]): Promise<void> {
    for (const name of names) {
      const attribute = type.attributes.get(name) ?? type.morphs.get(name)
      const request = {
        type,
        use: 'changed',
        via: undefined,
        from: type,
        attribute,
        state: this.#state,
      } as const
      if (attribute) await this.#require(request, ids)
    }
  }

  /** Whether the caller may read an entry in a response. */
  async mayRead(type: ContentType, id: number, action: WriteEvent['action']): Promise<boolean> {
    return (await this.#reaches.within(this.#answerOf(type, action), [id], this.#tx)).has(id)
  }

  /** Whether that needs no statement: no plugin narrows the entries. */
  mayReadAll(type: ContentType, action: WriteEvent['action']): boolean {
    return this.#reaches.of(this.#answerOf(type, action)) === 'all'
  }

  #answerOf(type: ContentType, action: WriteEvent['action']): ReachRequest {
    const request = { type, use: 'answer', via: undefined, from: undefined, attribute: undefined } as const
    return { ...request, action, state: this.#state }
  }

  async #require(request: ReachRequest, ids: readonly number[]): Promise<void> {
    if ((await this.#outOf(request, ids)).size > 0) throw problem('entry/forbidden')
  }

  async #outOf(request: ReachRequest, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const within = await this.#reaches.within(request, ids, this.#tx)
    return new Set(ids.filter((id) => !within.has(id)))
  }

  #request({ type, attribute, via }: FarSide, from: ContentType): ReachRequest {
    return { type, use: 'changed', via, from, attribute, state: this.#state }
  }

  /** Each relation that changes other entries, with its writes and the written type. */
  *#farSides(
    rows: readonly RowWrite[],
  ): Generator<readonly [FarSide, RelationWrites['writes'], ContentType]> {
    for (const [from, roots] of Map.groupBy(rows, ({ model }) => model as ContentType)) {
      // The root of a write is an entry.
      const all = roots.flatMap(allRows)
      const groups = new Map<
        RelationAttribute,
        { model: RowWrite['model']; writes: RelationWrites['writes'][number][] }
      >()
      for (const row of all) {
        for (const relation of row.relations) {
          const group = groups.get(relation.attribute) ?? { model: row.model, writes: [] }
          group.writes.push({ row, relation })
          groups.set(relation.attribute, group)
        }
      }
      for (const [attribute, { model, writes }] of groups) {
        const far = farSideOf({ model, attribute, writes }, this.#registry)
        if (far) yield [far, writes, from]
      }
      for (const attribute of new Set(roots.flatMap(({ morphs }) => morphs.map((morph) => morph.attribute))))
        yield [farSideOfMorphs(from, attribute, roots), [], from]
    }
  }

  /** Locks the other entries and returns their changes. */
  async #locked(far: FarSide): ReturnType<FarSide['changes']> {
    const seen = new Set<number>()
    for (let more = far.named; ; ) {
      for (const id of more) seen.add(id)
      // In a fixed order, to avoid deadlocks.
      if (more.length > 0)
        await this.#tx.run(
          sql`select 1 from ${sql.id(far.type.table)} where "id" = any(${param(more, 'int4[]')}) order by "id" for no key update`,
        )
      const found = await far.changes(this.#tx)
      more = found.map(({ id }) => id).filter((id) => !seen.has(id))
      if (more.length === 0) return found
    }
  }
}

const withPreserved = (row: RowWrite, preserved: ReadonlyMap<RelationWrite, readonly number[]>): RowWrite =>
  withRelations(row, (relation) => {
    const keep = preserved.get(relation)
    return keep && relation.change.kind === 'set'
      ? { ...relation, change: { ...relation.change, keep } }
      : relation
  })
