import type { BatchedTransaction, Store } from '@octavo/database'
import type { Registry } from '../../content-type/model.ts'
import type { Reaches } from '../../execute/reach.ts'
import type { WrittenReads } from '../../execute/written-reads.ts'
import type { RequestState } from '../../plugin/request-state.ts'
import type { Trace } from '../../trace.ts'
import type { WriteRights } from '../check/rights.ts'
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

/** The parts that all writes of one transaction share. */
export interface Writing {
  readonly parts: WriteParts
  readonly tx: BatchedTransaction
  readonly state: RequestState
  readonly rights: WriteRights
}
