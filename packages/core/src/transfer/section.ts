import type { Transaction } from '../store/store.ts'

/** Imports and exports one top-level section of a data file (`entries` is core's own). Runs inside the transaction. */
export interface SectionHandler {
  /** @throws with a message that names the item at fault; the whole import is then undone. */
  import(items: readonly unknown[], tx: Transaction): Promise<void>
  /** Uids of content-types of which the section has everything; export leaves them out of `entries`. Default: none. */
  readonly types?: readonly string[]
  export(tx: Transaction): Promise<readonly unknown[]>
}
