import type { Socket } from 'node:net'
import type { ClientBase, PoolClient } from 'pg'
import { sqlState } from '../error/database-error.ts'
import { keptAlive } from '../wire/keep-alive.ts'

/** Milliseconds between two looks at the connections in use. */
const lookEvery = 5_000

/** Milliseconds for the server to answer whether it works for a connection. */
const patience = 10_000

/** SQLSTATE of `too_many_connections`: the server is there, and cannot be asked. */
const tooMany = '53300'

interface Heard {
  readonly bytes: number
  /** When they were first seen, as `performance.now()`. */
  readonly at: number
}

/** When a connection in use counts as silent, and who is asked about it. */
export interface Silence {
  /** Milliseconds; see {@link SilentConnectionsOptions.silence}. */
  readonly time: number
  /** The URL of the server itself, for connections to a pooler. Default: they are the server's own. */
  readonly server?: (() => string) | undefined
  /** Milliseconds between two looks. Default 5,000. */
  readonly lookEvery?: number | undefined
}

export interface SilentConnectionsOptions {
  /** Milliseconds within which the server ends what a connection does, unless the limits of a transaction are lifted. */
  readonly silence: number
  /** Whether the server works for the session with this process id, or may do so. @throws the driver's error without an answer */
  readonly isAtWork: (processId: number) => Promise<boolean>
  /** Milliseconds between two looks. Default 5,000. */
  readonly lookEvery?: number | undefined
}

/**
 * Breaks connections in use whose server, or the way to it, is gone without a word. The system repeats what was sent on them for a quarter of an
 * hour. Until then requests would wait for answers that never come, and take the places of those that a new connection would serve.
 */
export class SilentConnections {
  readonly #options: SilentConnectionsOptions
  /** The connections in use, with what was heard of them. */
  readonly #used = new Map<PoolClient, Heard | undefined>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: SilentConnectionsOptions) {
    this.#options = options
  }

  taken(client: PoolClient): void {
    this.#used.set(client, undefined)
    this.#timer ??= setTimeout(() => void this.#look(), this.#options.lookEvery ?? lookEvery).unref()
  }

  released(client: PoolClient): void {
    this.#used.delete(client)
  }

  async #look(): Promise<void> {
    const now = performance.now()
    const silent: PoolClient[] = []
    for (const [client, heard] of this.#used) {
      const { bytesRead: bytes } = socketOf(client)
      if (heard?.bytes !== bytes) this.#used.set(client, { bytes, at: now })
      else if (now - heard.at >= this.#options.silence) silent.push(client)
    }
    await Promise.all(silent.map((client) => this.#check(client)))
    this.#timer = undefined
    const [next] = this.#used
    if (next) this.#timer = setTimeout(() => void this.#look(), this.#options.lookEvery ?? lookEvery).unref()
  }

  async #check(client: PoolClient): Promise<void> {
    const heard = this.#used.get(client)
    const { processID } = client as unknown as Session
    const isAlive = await this.#options.isAtWork(processID).catch((error) => sqlState(error) === tooMany)
    // It may have been answered meanwhile.
    if (!heard || this.#used.get(client) !== heard || socketOf(client).bytesRead !== heard.bytes) return
    if (isAlive) this.#used.set(client, undefined)
    else socketOf(client).destroy(Object.assign(new Error('The database was silent'), { code: 'ETIMEDOUT' }))
  }
}

/** pg's undeclared parts of a connection. */
interface Session {
  readonly processID: number
  readonly connection: { readonly stream: Socket }
}

const socketOf = (client: PoolClient): Socket => (client as unknown as Session).connection.stream

/** Whether a server works for one of its sessions, by a connection of its own. @throws the driver's error without an answer */
export const isAtWork = (url: string, processId: number): Promise<boolean> =>
  connected(url, async (client) => {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity where pid = $1 and state is distinct from 'idle'`,
      [processId],
    )
    return rows.length > 0
  })

/**
 * Whether a pooler answers, and the server behind it. The sessions of a pooler have other numbers than those of the server, so that the server cannot
 * say whether it works for one of them. It is asked directly: a statement through the pooler would wait like all others while the pooler
 * has no connection free.
 * @throws the driver's error without an answer
 */
export async function isReached(pooler: string, server: string): Promise<boolean> {
  await connected(pooler, async () => {}).catch((error: unknown) => {
    // A refusal is an answer as well.
    if (sqlState(error) === undefined) throw error
  })
  await connected(server, (client) => client.query('select 1'))
  return true
}

async function connected<T>(url: string, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: url,
    fallback_application_name: 'octavo-silence',
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    ...keptAlive,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    void client.end().catch(() => {})
  }
}
