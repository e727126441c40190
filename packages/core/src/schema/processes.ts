import { randomUUID } from 'node:crypto'
import {
  defineOwnTable,
  type Logger,
  param,
  type Queryable,
  RepeatedFailure,
  type Sql,
  type Store,
  sql,
} from '@octavo/database'
import { hasRelation } from './own-relation.ts'

/** The processes that use the database, with the fingerprint of their definitions in code. */
export const processesTable = defineOwnTable('octavo_processes', {
  columns: {
    id: { type: 'text' },
    fingerprint: { type: 'text' },
    /** The time of the last beat, by the clock of the database. */
    at: { type: 'timestamp' },
    /** Whether it ended by itself. */
    ended: { type: 'boolean' },
  },
  primaryKey: 'id',
})

const processes = sql.id(processesTable.table)

/** Milliseconds between two beats of a process. */
const beatEvery = 5_000

/** Seconds after its last beat for which a process counts as running. */
const patience = 30

/** Seconds in which a process that ended may have started again. */
const restartTime = 60

/**
 * Announces this process, with the fingerprint of its definitions, to the others that use a PostgreSQL database, so that no process removes
 * what another one still uses. The embedded database has one process.
 */
export class Processes {
  readonly #id = randomUUID()
  readonly #store: Store
  readonly #fingerprint: string
  readonly #unannounced: RepeatedFailure
  readonly #uncontracted: RepeatedFailure
  #timer: NodeJS.Timeout | undefined
  #work: Promise<unknown> = Promise.resolve()
  #isStopped = false
  /** Runs when processes with other definitions may have ended. @returns whether it is to run again */
  #contract: (() => Promise<boolean>) | undefined

  constructor(store: Store, fingerprint: string, logger: Logger) {
    this.#store = store
    this.#fingerprint = fingerprint
    this.#unannounced = new RepeatedFailure((fields) =>
      logger.warn(fields, 'The process could not be announced to the others of the database'),
    )
    this.#uncontracted = new RepeatedFailure((fields) =>
      logger.warn(fields, 'A change of tables that follows the start has failed; trying again'),
    )
  }

  /**
   * Announces this process, if the table exists: the first process of a database announces itself after it has made it. A database that takes no
   * writes at present has no changes of its tables either.
   */
  async announce(): Promise<void> {
    if (this.#store.engine !== 'postgresql' || !(await isMade(this.#store))) return
    await this.#beat().catch((error: unknown) => this.#unannounced.failed(error))
  }

  /** Whether processes with other definitions run, older or newer ones. @param db The transaction of a change of the schema. */
  hasOthers(db: Queryable): Promise<boolean> {
    return this.#find(db, sql`not ended and ${since(patience)}`)
  }

  /** Whether processes with other definitions run, or ran a minute ago and may be about to start again. */
  mayHaveOthers(db: Queryable): Promise<boolean> {
    return this.#find(db, since(restartTime))
  }

  async #find(db: Queryable, condition: Sql): Promise<boolean> {
    if (this.#store.engine !== 'postgresql' || !(await isMade(db))) return false
    const rows = await db.run(
      sql`select 1 as "one" from ${processes} where fingerprint <> ${param(this.#fingerprint, 'text')} and ${condition} limit 1`,
    )
    return rows.length > 0
  }

  /**
   * Begins to announce this process regularly.
   * @param contract Removes what only processes with other definitions used. It runs when such processes may have ended, until it returns false.
   */
  async follow(contract: () => Promise<boolean>): Promise<void> {
    if (this.#store.engine !== 'postgresql') return
    await this.announce()
    this.#contract = contract
    this.#tick()
  }

  /** Ends the announcement. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#work.catch(() => {})
    if (this.#store.engine !== 'postgresql') return
    await this.#store
      .run(sql`update ${processes} set ended = true, at = now() where id = ${param(this.#id, 'text')}`)
      // Other processes notice that the last beat is old.
      .catch(() => [])
  }

  /** One after another, so that the last beat is over when the process ends. */
  #tick(): void {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    this.#work = this.#work
      .then(() => this.#next())
      .finally(() => {
        clearTimeout(this.#timer)
        if (this.#isStopped) return
        this.#timer = setTimeout(() => this.#tick(), beatEvery)
        this.#timer.unref()
      })
  }

  async #next(): Promise<void> {
    if (this.#isStopped) return
    try {
      await this.#beat()
      this.#unannounced.succeeded()
    } catch (error) {
      return this.#unannounced.failed(error)
    }
    try {
      if (this.#contract && !(await this.#contract())) this.#contract = undefined
      this.#uncontracted.succeeded()
    } catch (error) {
      this.#uncontracted.failed(error)
    }
  }

  async #beat(): Promise<void> {
    await this.#store.run(
      sql`with former as (delete from ${processes} where at < now() - interval '1 hour') insert into ${processes} (id, fingerprint, at, ended) values (${param(this.#id, 'text')}, ${param(this.#fingerprint, 'text')}, now(), false) on conflict (id) do update set at = excluded.at`,
    )
  }
}

const since = (seconds: number): Sql => sql`at > now() - make_interval(secs => ${param(seconds, 'int')})`

const isMade = (db: Queryable): Promise<boolean> => hasRelation(db, processesTable.table)
