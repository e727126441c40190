/** The indexes for searches of tables in use: they are made beside the requests, by one process at a time. */
import { type Logger, RepeatedFailure, type Sql, type Store, sql, toStatement } from '@octavo/database'
import type { Processes } from '../processes.ts'
import { lockTime } from '../schema-transaction.ts'
import type { Table } from '../tables/tables.ts'
import { type DueSearch, dueSearches } from './search-index.ts'

/** The advisory lock of the process that makes them. It ends with the connection, and so with the process. */
const lock = sql`select pg_try_advisory_lock(hashtext('octavo search'))`

/** Rows whose words are computed in one statement. */
const batch = 2_000

/** Statements of a connection of its own, outside of transactions. */
type Run = (text: string) => Promise<readonly (readonly unknown[])[]>

export interface SearchUpkeepParts {
  readonly store: Store
  readonly logger: Logger
  readonly processes: Processes
  readonly tables: () => readonly Table[]
  /** Called when other content-types lack the column of words: searches compute the words of each row until it is complete. */
  readonly changed: (lacking: ReadonlySet<string>) => void
}

export class SearchUpkeep {
  readonly #parts: SearchUpkeepParts
  readonly #failing: RepeatedFailure
  #lacking: ReadonlySet<string> = new Set()
  #work: Promise<void> | undefined
  #isStopped = false
  #isWaiting = false

  constructor(parts: SearchUpkeepParts) {
    this.#parts = parts
    this.#failing = new RepeatedFailure((fields) =>
      parts.logger.warn(fields, 'The index of a search could not be made; trying again'),
    )
  }

  /** Begins what is due. @returns whether something is due, in this process or another */
  async step(): Promise<boolean> {
    const { store, tables, changed } = this.#parts
    const due = await dueSearches(store, tables())
    const lacking = new Set(due.filter(({ kind }) => kind === 'words').map(({ table }) => table.label))
    if ([...lacking].join() !== [...this.#lacking].join()) {
      this.#lacking = lacking
      changed(lacking)
    }
    if (due.length === 0) return false
    const ready = await this.#ready(due)
    if (ready.length > 0)
      this.#work ??= this.#make(ready)
        .then(() => this.#failing.succeeded())
        .catch((error: unknown) => {
          if (!this.#isStopped) this.#failing.failed(error)
        })
        .finally(() => {
          this.#work = undefined
        })
    return true
  }

  /** Leaves out what would take away the search of a process with other definitions, as while a new version rolls out. */
  async #ready(due: readonly DueSearch[]): Promise<readonly DueSearch[]> {
    const { store, processes, logger } = this.#parts
    const waiting = due.filter(({ replaces }) => replaces)
    if (waiting.length === 0 || !(await processes.hasOthers(store))) return due
    if (!this.#isWaiting) {
      const types = waiting.map(({ table }) => table.label)
      logger.info({ types }, 'The index of a search is replaced once no process has other definitions')
    }
    this.#isWaiting = true
    return due.filter(({ replaces }) => !replaces)
  }

  /** Call it before the store is closed, which breaks off the work; a later start does it again. */
  stop(): void {
    this.#isStopped = true
  }

  async #make(ready: readonly DueSearch[]): Promise<void> {
    const { store, logger } = this.#parts
    await store.session(async (run) => {
      const [[isMine] = []] = await run(textOf(lock))
      if (isMine !== 't') return
      for (const one of ready) {
        if (this.#isStopped) return
        // Another process may have made it meanwhile.
        const due = (await dueSearches(store, [one.table])).filter(({ kind }) => kind === one.kind)
        const [still] = await this.#ready(due)
        if (!still) continue
        const began = performance.now()
        logger.info({ type: one.table.label }, 'The index of a search is made beside the requests')
        await makeOne(store, run, still)
        const seconds = Math.round((performance.now() - began) / 1_000)
        logger.info({ type: one.table.label, seconds }, 'The index of a search is complete')
      }
    })
  }
}

const textOf = (statement: Sql): string => toStatement(statement).text

async function makeOne(store: Store, run: Run, due: DueSearch): Promise<void> {
  const { before, index } = due
  await due.begin(store)
  // An index that a killed process began is invalid, and in the way.
  await run(textOf(sql`drop index concurrently if exists ${sql.raw(index.name)}`))
  for (const statements of before) {
    // Without its time limit the change would stop all requests for the table behind a long transaction.
    await run(`begin; set local lock_timeout to ${lockTime}`)
    try {
      for (const statement of statements) await run(textOf(statement))
      await run('commit')
    } catch (error) {
      await run('rollback')
      throw error
    }
  }
  if (index.definition !== undefined) {
    if (due.kind === 'words') await fillWords(store, due.table)
    await run(textOf(sql`create index concurrently ${sql.raw(index.name)} ${sql.raw(index.definition)}`))
  }
  await due.note(store)
}

/** Has the trigger of the table compute the words of rows that have none. */
async function fillWords(store: Store, { name }: Table): Promise<void> {
  const table = sql.id(name)
  for (let last = 0; ; ) {
    const [part] = await store.run(
      sql`with part as (select id from ${table} where id > ${sql.val(last)}::int order by id limit ${sql.val(batch)}::int), filled as (update ${table} as "t" set "_search" = null from part where "t".id = part.id and "t"."_search" is null) select max(id)::text as "last" from part`,
    )
    if (part?.last == null) return
    last = Number(part.last)
  }
}
