import type { Store } from '@octavo/database'
import type { Registry } from '../../content-type/model.ts'
import type { Reaches } from '../../execute/reach.ts'
import type { WrittenReads } from '../../execute/written-reads.ts'
import type { HookRunner } from '../../plugin/hook-runner.ts'
import type { Trace } from '../../trace.ts'
import type { UnknownNames } from '../../unknown-names.ts'

/** The collaborators of every write. */
export interface WriteParts {
  readonly registry: Registry
  readonly store: Store
  readonly hooks: HookRunner
  readonly reads: WrittenReads
  readonly reaches: Reaches
  /** Milliseconds for one write, hooks included. */
  readonly transactionTime: number
  readonly trace: Trace
  readonly unknownNames: UnknownNames
  /** Logs a warning about a request, the first time. */
  readonly warn: (message: string) => void
}
