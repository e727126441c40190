import type { Transaction } from '../store/store.ts'

/** Imports and exports one top-level section of a data file (`entries` is core's own). Runs inside the transaction. */
export interface SectionHandler {
  /** @throws with a message that names the item at fault; the whole import is then undone. */
  import(items: readonly unknown[], tx: Transaction): Promise<void>
  /**
   * The keys of an item that the handler reads. Other keys are attributes of the content-type {@link entriesOf}, or are
   * left out and counted. Default: every key is the handler's own business.
   */
  readonly keys?: readonly string[]
  /**
   * Uid of the content-type whose entries the items are, by their `id`: what a project added to them is imported as
   * `entries` are, before `import` runs. Default: none.
   */
  readonly entriesOf?: string
  /** Uids of content-types of which the section has everything; export leaves them out of `entries`. Default: none. */
  readonly types?: readonly string[]
  export(tx: Transaction): Promise<readonly unknown[]>
}
