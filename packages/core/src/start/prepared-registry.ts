import type { Store } from '@octavo/database'
import type { Registry } from '../content-type/model.ts'
import { PreparedReads } from '../execute/prepared-reads.ts'
import { Reaches } from '../execute/reach.ts'
import { EntryReader } from '../execute/reader.ts'
import { WrittenReads } from '../execute/written-reads.ts'
import type { Declared } from '../host/setup.ts'
import type { Limits } from '../limits.ts'
import type { Cursors } from '../resolve/cursor.ts'
import type { RestDefaults } from '../resolve/rest-defaults.ts'
import type { ResolveEnvironment } from '../resolve/scope.ts'
import { type Trace, untraced } from '../trace.ts'
import type { UnknownNames } from '../unknown-names.ts'
import { Writer } from '../write/run/writer.ts'

/** The parts of an Octavo that are the same for each registry. */
export interface RequestParts {
  readonly declared: Declared
  readonly limits: Limits
  readonly store: Store
  readonly rest: RestDefaults
  readonly cursors: Cursors
  readonly trace: Trace | undefined
  readonly unknownNames: UnknownNames
}

/** The reads and writes of one registry. Cached statements refer to it, so another registry begins without any. */
export interface PreparedRegistry {
  readonly reads: PreparedReads
  readonly reader: EntryReader
  readonly writer: Writer
}

/**
 * @param lackingWords The tables of full-text searches whose words are not stored yet.
 * @param warn Logs a warning about a request.
 */
export function prepareRegistry(
  registry: Registry,
  { declared, limits, store, rest, cursors, trace, unknownNames }: RequestParts,
  lackingWords: ReadonlySet<string>,
  warn: (message: string) => void,
): PreparedRegistry {
  const { hooks, params } = declared
  const environment: ResolveEnvironment = {
    registry,
    hooks,
    params,
    rest,
    limits,
    cursors,
    lackingWords,
    trace,
  }
  const reads = new PreparedReads(environment, declared, store, warn, unknownNames)
  return {
    reads,
    reader: new EntryReader(reads),
    writer: new Writer({
      registry,
      store,
      hooks,
      reads: new WrittenReads(reads),
      reaches: new Reaches(environment, declared),
      transactionTime: limits.transactionTime,
      trace: trace ?? untraced,
      unknownNames,
      warn,
    }),
  }
}
