import type { BatchedTransaction, Store } from '@octavo/database'
import type { RequestState } from '../../plugin/request-state.ts'
import type { Trace } from '../../trace.ts'
import type { WriteRights } from '../check/rights.ts'
import type { Uids } from '../check/uid.ts'
import type { StrategyParts } from '../strategy.ts'

/** The collaborators of every write. */
export interface WriteParts extends StrategyParts {
  readonly store: Store
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
  readonly uids: Uids
}
