import type { Transaction } from '@octavo/database'
import { param, sql } from '@octavo/database'
import type { ContentType, Registry } from '../../content-type/model.ts'
import { problem } from '../../error/problems.ts'
import type { Reaches, ReachRequest } from '../../execute/reach.ts'
import type { RequestState } from '../../plugin/request-state.ts'
import type { WriteEvent } from '../../plugin/write-hooks.ts'
import { type RelationWrite, type RowWrite, referencesOf, withRelations } from '../input/write-plan.ts'
import { type FarSide, farSidesOf } from './far-side.ts'
import { type GivenRow, type Narrow, narrowOf, withoutUnfindable } from './named.ts'

/** Other entries of one type that a write changes; their rights are checked before and after it. */
interface Changed {
  readonly request: ReachRequest
  readonly ids: readonly number[]
}

/** A key or a link of an entry that the write of another entry changes. */
interface FarChange {
  readonly id: number
  /** The row whose list the write replaces without this entry. */
  readonly own: number | undefined
}

/** Checks which entries a caller may refer to and change in one transaction, by the conditions of plugins. */
export class WriteRights {
  readonly #registry: Registry
  readonly #reaches: Reaches
  readonly #tx: Transaction
  readonly #state: RequestState
  /** Entries that plugins created in this transaction, as `uid id`. */
  readonly #created = new Set<string>()

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

  /** Notes an entry that a plugin created in this transaction, such as the row of a file that came with the request: the caller may name it. */
  created(type: ContentType, id: number): void {
    this.#created.add(`${type.uid} ${id}`)
  }

  /** The entries that the caller may name in rows. */
  narrow(rows: readonly GivenRow[]): Narrow {
    const isNew = (uid: string, id: number): boolean => this.#created.has(`${uid} ${id}`)
    return narrowOf(rows, { registry: this.#registry, reaches: this.#reaches, state: this.#state, isNew })
  }

  /** The rows without ids that the caller cannot find and that have no effect then. @param narrow Of all of them. */
  named(rows: readonly RowWrite[], narrow: Narrow): Promise<readonly RowWrite[]> {
    return withoutUnfindable(rows, narrow, this.#tx)
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
    if (this.#reaches.areAll) return { rows, again: undefined }
    const preserved = new Map<RelationWrite, readonly number[]>()
    const changed: Changed[] = []
    for (const far of farSidesOf(rows, this.#registry)) {
      const request = this.#request(far)
      const isOpen = this.#reaches.of(request) === 'all'
      const mayStay = this.#mayStay(far)
      if (isOpen && !mayStay) continue
      const found = await this.#locked(far)
      const leftOut = found.flatMap(({ id, own }) => (own === undefined ? [] : [id]))
      const hidden = mayStay ? await this.#outOf(this.#staying(far), leftOut) : new Set<number>()
      for (const { row, relation } of far.writes) {
        const remains = ({ id, own }: FarChange): boolean =>
          own !== undefined && own === row.id && hidden.has(id)
        const keep = found.filter(remains).map(({ id }) => id)
        if (keep.length > 0) preserved.set(relation, keep)
      }
      const ids = found.filter(({ id, own }) => own === undefined || !hidden.has(id)).map(({ id }) => id)
      if (!isOpen && ids.length > 0) changed.push({ request, ids: [...new Set(ids)] })
    }
    const require = async (): Promise<void> => {
      for (const { request, ids } of changed) await this.#require(request, ids)
    }
    if (changed.length > 0) await require()
    const withKept = (row: RowWrite): RowWrite =>
      withRelations(row, (relation) => {
        const keep = preserved.get(relation)
        const { change } = relation
        return keep && change.kind === 'set' ? { ...relation, change: { ...change, keep } } : relation
      })
    return {
      rows: preserved.size === 0 ? rows : rows.map(withKept),
      again: changed.length > 0 ? require : undefined,
    }
  }

  /**
   * Whether the rights on other entries are known before the message of the write. They are not where other entries would change that
   * the caller may not change, and where an id that the caller cannot find has no effect and is no mistake.
   * @param narrow Of the row.
   */
  areKnown(row: RowWrite, narrow: Narrow): boolean {
    if (this.#reaches.areAll) return true
    for (const far of farSidesOf([row], this.#registry))
      if (this.#reaches.of(this.#request(far)) !== 'all' || this.#mayStay(far)) return false
    return referencesOf(row).every((reference) =>
      reference.others.every((id) => narrow(reference, id) === undefined),
    )
  }

  /** Whether entries that the caller cannot find remain in a list that is replaced. */
  #mayStay(far: FarSide): boolean {
    return far.via?.many === true && this.#reaches.of(this.#staying(far)) !== 'all'
  }

  #staying(far: FarSide): ReachRequest {
    return { ...this.#request(far), use: 'named', attribute: undefined }
  }

  /** See `EntryWriter.requireChangeable`. @throws ForbiddenError */
  async changeable(type: ContentType, ids: readonly number[], names: readonly string[]): Promise<void> {
    for (const name of names) {
      const attribute = type.attributes.get(name) ?? type.morphs.get(name)
      if (attribute) await this.#require(this.#request({ type, via: undefined, from: type, attribute }), ids)
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

  #request({
    type,
    attribute,
    via,
    from,
  }: Pick<ReachRequest, 'type' | 'attribute' | 'via' | 'from'>): ReachRequest {
    return { type, use: 'changed', via, from, attribute, state: this.#state }
  }

  /** Locks the other entries and returns their changes. */
  async #locked({ type, named, changes }: FarSide): Promise<readonly FarChange[]> {
    const seen = new Set<number>()
    for (let more = named; ; ) {
      for (const id of more) seen.add(id)
      // In a fixed order, to avoid deadlocks.
      if (more.length > 0)
        await this.#tx.run(
          sql`select 1 from ${sql.id(type.table)} where "id" = any(${param(more, 'int4[]')}) order by "id" for no key update`,
        )
      const rows = changes ? await this.#tx.run(changes) : []
      const found = rows.map(({ item, own }) => ({
        id: Number(item),
        own: own == null ? undefined : Number(own),
      }))
      more = found.map(({ id }) => id).filter((id) => !seen.has(id))
      if (more.length === 0) return found
    }
  }
}
