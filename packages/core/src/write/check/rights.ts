import type { Transaction } from '@octavo/database'
import type { WriteAction } from '../../content-type/content-actions.ts'
import type { ContentType } from '../../content-type/model.ts'
import { problem } from '../../error/problems.ts'
import type { ReachRequest } from '../../execute/reach.ts'
import type { RequestState } from '../../plugin/request-state.ts'
import type { GivenRow } from '../input/pending.ts'
import { type RelationWrite, type RowWrite, referencesOf, withRelations } from '../input/write-plan.ts'
import { entryLock } from './entry-locks.ts'
import { type FarSide, farSidesOf } from './far-side.ts'
import { type NamedParts, type Narrow, narrowOf, withoutUnfindable } from './named.ts'

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
  readonly #parts: Pick<NamedParts, 'registry' | 'reaches'>
  readonly #tx: Transaction
  readonly #state: RequestState
  /** Entries that plugins created in this transaction, as `uid id`. */
  readonly #created = new Set<string>()

  constructor(parts: Pick<NamedParts, 'registry' | 'reaches'>, tx: Transaction, state: RequestState) {
    this.#parts = parts
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
    return narrowOf(rows, { ...this.#parts, state: this.#state, isNew })
  }

  /** The rows without ids that the caller cannot find and that have no effect then. */
  findable(rows: readonly GivenRow[]): Promise<readonly GivenRow[]> {
    return withoutUnfindable(rows, this.narrow(rows), this.#tx)
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
    if (this.#parts.reaches.areAll) return { rows, again: undefined }
    const preserved = new Map<RelationWrite, readonly number[]>()
    const changed: Changed[] = []
    for (const { far, request, isOpen, mayStay } of this.#limited(rows)) {
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
   * Whether the rights on other entries are known before the message of the write. They are not if other entries would change that
   * the caller may not change, or if an id that the caller cannot find has no effect and is no mistake.
   * @param narrow The narrowing of the row's references.
   */
  areKnown(row: RowWrite, narrow: Narrow): boolean {
    if (this.#parts.reaches.areAll) return true
    if (this.#limited([row]).length > 0) return false
    return referencesOf(row).every((reference) =>
      reference.others.every((id) => narrow(reference, id) === undefined),
    )
  }

  /** The other entries that the caller may change only in part, or of which hidden ones stay in a list that is replaced. */
  #limited(rows: readonly RowWrite[]) {
    return [...farSidesOf(rows, this.#parts.registry)].flatMap((far) => {
      const request = this.#request(far)
      const isOpen = !far.attribute || this.#parts.reaches.of(request) === 'all'
      const mayStay = far.via?.many === true && this.#parts.reaches.of(this.#staying(far)) !== 'all'
      return isOpen && !mayStay ? [] : [{ far, request, isOpen, mayStay }]
    })
  }

  #staying({ type, via, from }: FarSide): ReachRequest {
    return { type, use: 'named', via, from, state: this.#state }
  }

  /** See `EntryWriter.requireChangeable`. @throws ForbiddenError */
  async changeable(type: ContentType, ids: readonly number[], names: readonly string[]): Promise<void> {
    for (const name of names) {
      const attribute = type.attributes.get(name) ?? type.morphs.get(name)
      if (attribute) await this.#require(this.#request({ type, from: type, attribute }), ids)
    }
  }

  /** Whether the caller may read an entry in a response. */
  async mayRead(type: ContentType, id: number, action: WriteAction): Promise<boolean> {
    return (await this.#outOf({ type, use: 'answer', action, state: this.#state }, [id])).size === 0
  }

  /** Whether that needs no statement: no plugin narrows the entries. */
  mayReadAll(type: ContentType, action: WriteAction): boolean {
    return this.#parts.reaches.of({ type, use: 'answer', action, state: this.#state }) === 'all'
  }

  async #require(request: ReachRequest, ids: readonly number[]): Promise<void> {
    if ((await this.#outOf(request, ids)).size > 0) throw problem('entry/forbidden')
  }

  async #outOf(request: ReachRequest, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const within = await this.#parts.reaches.within(request, ids, this.#tx)
    return new Set(ids.filter((id) => !within.has(id)))
  }

  #request({ type, attribute, via, from }: Omit<ReachRequest, 'use' | 'state'>): ReachRequest {
    return { type, use: 'changed', via, from, attribute, state: this.#state }
  }

  /** Locks the other entries and returns their changes. */
  async #locked({ type, attribute, named, changes }: FarSide): Promise<readonly FarChange[]> {
    const seen = new Set<number>()
    for (let more = named; ; ) {
      for (const id of more) seen.add(id)
      if (more.length > 0) await this.#tx.run(entryLock(type, more, 'update'))
      const rows = changes ? await this.#tx.run(changes) : []
      const found = rows.map(({ item, own }) => ({
        id: Number(item),
        own: own == null ? undefined : Number(own),
      }))
      more = found.map(({ id }) => id).filter((id) => !seen.has(id))
      if (more.length === 0 || !attribute) return found
    }
  }
}
