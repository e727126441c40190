import type { Transaction } from '@octavo/database'

/** Imports and exports one top-level section of a data file (`entries` belongs to core). Runs in the transaction. */
export interface SectionHandler {
  /** @throws with a message that names the invalid item; the whole import is rolled back. */
  import(items: readonly unknown[], tx: Transaction): Promise<void>
  /**
   * Called when the transaction of an import that has the section is over, committed or not: what `import` has kept in this process is read
   * again. Default: nothing.
   */
  ended?(): Promise<void>
  /**
   * Called for entries of a data file behind all of its sections, whether the file has this one or not, with up to 10,000 ids of one content-type.
   * Default: nothing.
   *
   * @throws with a message that names an invalid entry; the whole import is rolled back.
   */
  checkEntries?(uid: string, ids: readonly number[], tx: Transaction): Promise<void>
  /**
   * The keys of an item that the handler reads. Other keys are attributes of the content-type {@link entriesOf}, or are
   * skipped and counted. Default: all keys.
   */
  readonly keys?: readonly string[]
  /**
   * Uid of the content-type whose entries the items are, by their `id`: additional attributes of the items are imported
   * like `entries`, before `import` runs. Default: none.
   */
  readonly entriesOf?: string
  /** Uids of content-types that the section covers entirely; export omits them from `entries`. Default: none. */
  readonly types?: readonly string[]
  export(tx: Transaction): Promise<readonly unknown[]>
}
