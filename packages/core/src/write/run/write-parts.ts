import type { Store } from '@octavo/database'
import type { Registry } from '../../content-type/model.ts'
import type { Reaches } from '../../execute/reach.ts'
import type { WrittenReads } from '../../execute/written-reads.ts'
import type { Trace } from '../../trace.ts'
import type { UnknownNamesParts } from '../input/unknown-names.ts'

/** The collaborators of every write. */
export interface WriteParts extends UnknownNamesParts {
  readonly registry: Registry
  readonly store: Store
  readonly reads: WrittenReads
  readonly reaches: Reaches
  /** Milliseconds for one write, hooks included. */
  readonly transactionTime: number
  readonly trace: Trace
}
