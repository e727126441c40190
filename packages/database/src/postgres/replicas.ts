import { isUnavailable } from '../error/database-error.ts'
import type { Logger } from '../logger.ts'
import { openPool } from '../pool/open-pool.ts'
import { Pooler } from '../pool/pooler.ts'
import type { PostgresPool } from '../pool/postgres-pool.ts'
import { sql } from '../sql/sql.ts'
import { sessionSettings, withoutTimeouts } from '../store/engine.ts'
import { queryable } from '../store/queryable.ts'
import type { ExecuteOptions, Row, Statement } from '../store/store.ts'

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

/** Milliseconds that a check may take. */
const patience = 3_000

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
        const own = await openPool({
          ...options,
          url,
          name: 'octavo-replica-position',
          settings: ['set statement_timeout to 2000', ...withoutTimeouts],
          pooler: mayBePooled ? new Pooler() : undefined,
          connections: 1,
          connectionTime: Math.min(options.connectionTime, patience),
        })
        return new Replica(url, pool, own, logger.child({ replica: i + 1 }))
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
  readonly #url: string
  readonly #pool: PostgresPool
  /** For the checks, so that a busy replica does not look like one that is away. */
  readonly #own: PostgresPool
  readonly #logger: Logger
  /** `undefined`: unreachable at the last check. */
  #replayed: bigint | undefined
  #isKnown = false
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #closed = false

  constructor(url: string, pool: PostgresPool, own: PostgresPool, logger: Logger) {
    this.#url = url
    this.#pool = pool
    this.#own = own
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
  look(): Promise<void> {
    this.#looking = this.#look()
    return this.#looking
  }

  async #look(): Promise<void> {
    try {
      // A server that is not a standby has no replay position.
      const { run } = queryable((text, values) => this.#own.query(text, values))
      const position = run(sql`select coalesce(pg_last_wal_replay_lsn(), '0/0')::text as "position"`)
      const [row] = await inTime(position, () => this.#disconnect())
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

  /** Closes the connections to a replica that hangs, so that the primary answers the reads that wait for it. */
  #disconnect(): void {
    for (const pool of [this.#own, this.#pool]) pool.moveTo(this.#url, { isGone: true })
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
    await this.#looking
    clearTimeout(this.#timer)
    await Promise.all([this.#own.end(), this.#pool.end()])
  }
}

/**
 * @param late Called when `work` takes longer than {@link patience}.
 * @throws Error then
 */
async function inTime<T>(work: Promise<T>, late: () => void): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const end = (): void => {
    late()
    reject(new Error(`it did not answer within ${patience} ms`))
  }
  // In the next turn of the event loop: an answer that arrived while this process was busy is read before.
  let turn: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    turn = setImmediate(end)
  }, patience)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    clearImmediate(turn)
  }
}

/** A position in PostgreSQL's write-ahead log, as `pg_lsn` writes it: `16/B374D848`. `undefined` for any other text. */
export function parsePosition(text: string): bigint | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
