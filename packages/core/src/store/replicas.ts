import type { Logger } from '../logger.ts'
import { sql } from '../sql/sql.ts'
import { isUnavailable } from './database-error.ts'
import { sessionSettings } from './engine.ts'
import { openPool } from './open-pool.ts'
import { Pooler } from './pooler.ts'
import type { PostgresPool } from './postgres-pool.ts'
import { queryable } from './queryable.ts'
import type { ExecuteOptions, Row, Statement } from './store.ts'

export interface ReplicasOptions {
  readonly urls: readonly string[]
  /** Maximum per replica. */
  readonly connections: number
  /** Milliseconds. */
  readonly statementTime: number
  /** Milliseconds. */
  readonly connectionTime: number
  /** Milliseconds. */
  readonly queueTime: number
  readonly logger: Logger
  /** Whether the URLs may be those of a pooler in transaction mode. Default false. */
  readonly mayBePooled?: boolean
}

/** Milliseconds between two position checks of a reachable and of an unreachable replica. */
const lookEvery = 200
const lookAgain = 2_000

/** Streaming replicas of the database, which serve reads in turn. */
export class Replicas {
  readonly #replicas: readonly Replica[]
  #turn = 0

  private constructor(replicas: readonly Replica[]) {
    this.#replicas = replicas
  }

  /** An unreachable replica does not stop the start: the primary serves its reads. */
  static async open({ urls, logger, mayBePooled = false, ...options }: ReplicasOptions): Promise<Replicas> {
    const replicas = await Promise.all(
      urls.map(async (url, i) => {
        const settings = [...sessionSettings, `set statement_timeout to ${options.statementTime}`]
        const pooler = mayBePooled ? new Pooler(options.statementTime) : undefined
        const pool = await openPool({ ...options, url, name: 'octavo-replica', settings, pooler })
        return new Replica(pool, logger.child({ replica: i + 1 }))
      }),
    )
    await Promise.all(replicas.map((replica) => replica.look()))
    return new Replicas(replicas)
  }

  /**
   * @param after The log position that the replica must have replayed; see {@link parsePosition}.
   * @returns `undefined` when no replica has replayed that position, or the chosen replica failed.
   */
  async execute(
    statement: Statement,
    after: string | undefined,
    options: ExecuteOptions = {},
  ): Promise<readonly Row[] | undefined> {
    const least = after === undefined ? 0n : parsePosition(after)
    return least === undefined ? undefined : this.#choose(least)?.execute(statement, options)
  }

  #choose(least: bigint): Replica | undefined {
    for (let i = 0; i < this.#replicas.length; i++) {
      const replica = this.#replicas[this.#turn++ % this.#replicas.length]
      if (replica?.has(least)) return replica
    }
    return undefined
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.close()))
  }
}

class Replica {
  readonly #pool: PostgresPool
  readonly #logger: Logger
  /** `undefined`: unreachable at the last check. */
  #replayed: bigint | undefined
  #isKnown = false
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(pool: PostgresPool, logger: Logger) {
    this.#pool = pool
    this.#logger = logger
  }

  has(least: bigint): boolean {
    return this.#replayed !== undefined && this.#replayed >= least
  }

  async execute(statement: Statement, options: ExecuteOptions): Promise<readonly Row[] | undefined> {
    try {
      return await this.#pool.execute(statement, options)
    } catch (error) {
      if (options.signal?.aborted) throw error
      // The primary decides for any error, such as a recovery conflict or a column that is not replicated yet.
      if (isUnavailable(error)) this.#lost(error)
      return undefined
    }
  }

  /** Checks the replayed position, now and periodically. */
  async look(): Promise<void> {
    try {
      // A server that is not a standby has no replay position.
      const { run } = queryable((text, values) => this.#pool.query(text, values))
      const [row] = await run(sql`select coalesce(pg_last_wal_replay_lsn(), '0/0')::text as "position"`)
      if (this.#replayed === undefined && this.#isKnown) this.#logger.info({}, 'A replica is available again')
      this.#isKnown = true
      this.#replayed = parsePosition(row?.position ?? '') ?? 0n
    } catch (error) {
      this.#lost(error)
    }
    if (this.#closed) return
    this.#timer = setTimeout(() => void this.look(), this.#replayed === undefined ? lookAgain : lookEvery)
    this.#timer.unref()
  }

  #lost(error: unknown): void {
    if (this.#closed) return
    if (this.#replayed !== undefined || !this.#isKnown)
      this.#logger.warn({ err: error }, 'A replica is unavailable; the primary serves its reads')
    this.#isKnown = true
    this.#replayed = undefined
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#pool.end()
  }
}

/** A position in PostgreSQL's write-ahead log, as `pg_lsn` writes it: `16/B374D848`. `undefined` for any other text. */
export function parsePosition(text: string): bigint | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
