import type { Transaction } from '@octavo/database'
import type { RelationAttribute } from '../content-type/model.ts'
import type { EntryInput } from '../content-type/types/entry-input.ts'

/** Writes entries in a running transaction, by their ids. An error rolls back the whole transaction. */
export interface EntryWriter extends Transaction {
  /**
   * How often hooks have used this writer in the transaction. Rows that a hook has received with its write (`sends` of its filter) may be out of date
   * when it has grown since.
   */
  readonly uses: number
  /** Creates an entry of the content-type with the uid, and returns its id. @throws OctavoError for an input that is not valid */
  create(uid: string, input: EntryInput): Promise<number>
  /**
   * Changes the attributes of an entry that the input has.
   * @param rights `caller`: the caller changes this entry together with its own and needs the right to, as in
   *   {@link requireChangeable}, also on entries that lose a link by it. Default `plugin`: no rights are checked.
   * @throws ForbiddenError
   */
  update(uid: string, id: number, input: EntryInput, rights?: 'plugin' | 'caller'): Promise<void>
  /** Writes one input to several entries, with as many messages as to one; see {@link update}. @throws NotFoundError when one does not exist */
  updateAll(
    uid: string,
    ids: readonly number[],
    input: EntryInput,
    rights?: 'plugin' | 'caller',
  ): Promise<void>
  /** Deletes an entry. @throws NotFoundError when it does not exist */
  delete(uid: string, id: number): Promise<void>
  /** The stored values of an entry's own columns as text, by attribute name; `undefined` when the entry does not exist. */
  stored(uid: string, id: number): Promise<Readonly<Record<string, string | null>> | undefined>
  /**
   * The inputs that would write the named attributes of an entry unchanged, and those of the entries to which a relation leads, by id, with
   * new components: for copies. Secrets are left out, and so are relations whose targets can have only one owner. It is one read. An
   * entry that does not exist has no input.
   * @param relation Leads to entries of the same type. @throws Error for one that leads to another type
   */
  inputsOf(
    uid: string,
    id: number,
    names: readonly string[],
    relation: RelationAttribute,
  ): Promise<ReadonlyMap<number, EntryInput>>
  /**
   * Refuses the write unless the caller may change these attributes of these entries, by the results of `query:node` and
   * `query:attribute` for the use `changed`. Call it before and again after the change.
   * @throws ForbiddenError
   */
  requireChangeable(uid: string, ids: readonly number[], names: readonly string[]): Promise<void>
}

/** A writer that counts its uses. */
export function countUses(writer: Omit<EntryWriter, 'uses'>): EntryWriter {
  let uses = 0
  const get = (target: object, name: string | symbol): unknown => {
    if (name === 'uses') return uses
    uses += 1
    return Reflect.get(target, name)
  }
  return new Proxy(writer, { get }) as EntryWriter // it has the rest
}
