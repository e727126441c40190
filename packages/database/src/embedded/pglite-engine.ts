import type { PGlite } from '@electric-sql/pglite'
import { ConfigurationError } from '../error/configuration-error.ts'
import { noteUnknown } from '../error/database-error.ts'
import { noteStatement } from '../error/failed-statement.ts'
import { ignoredError } from '../error/ignored-error.ts'
import { isNotInstalled } from '../error/not-installed.ts'
import { toParameter } from '../sql/parameter.ts'
import { asText, type Engine, sessionSettings, timeChecks } from '../store/engine.ts'
import { IdleTime } from '../store/idle-time.ts'
import { type RawTransaction, type RunQuery, withTransaction } from '../store/queryable.ts'
import { lockDirectory, realDirectory } from './directory-lock.ts'
import { type Durability, EmbeddedFolder } from './embedded-folder.ts'
import { OneConnection } from './one-connection.ts'
import { noTimers, openFiles, sharedBuffers } from './settings.ts'

export interface PgliteOptions {
  /** The folder of the data, created when missing; `undefined` for memory. */
  readonly directory: string | undefined
  /** Whether an answer waits until its write is on the disk, `full`, or a power cut may take the last second, `relaxed`. */
  readonly durability: Durability
  /** Milliseconds after which reads end themselves; `Infinity` for none. */
  readonly statementTime: number
  /** Milliseconds to wait for the connection; `connectionTime` for heavy statements. */
  readonly queueTime: number
  readonly connectionTime: number
  /** Milliseconds that a transaction may wait for this process between its statements. */
  readonly transactionTime: number
}

/**
 * PostgreSQL in this process, for development and tests; public servers need a PostgreSQL server. It has one connection. Statements run one after another, those of
 * callers who have used the least time first. A statement outside of a transaction waits for the end of the transaction, and is an error if the transaction waits for it.
 * There are no timers, so `statement_timeout` has no effect: a statement
 * blocks the process until its end. The statements of reads check the time themselves.
 *
 * Every result, of reads too, waits until the commits before it are on the disk, so that no client sees what a power cut takes.
 *
 * @throws ConfigurationError for a folder that is in use, damaged, or without locks
 */
export async function openPglite(options: PgliteOptions): Promise<Engine> {
  const { directory, durability, statementTime, transactionTime } = options
  const place = directory === undefined ? undefined : realDirectory(directory)
  const unlock = place === undefined ? () => {} : lockDirectory(place)
  const folder = place === undefined ? undefined : new EmbeddedFolder(place, durability)
  try {
    const pglite = await start(folder)
    await pglite.exec([...sessionSettings, ...timeChecks(statementTime)].join('; '))
    const durable = async <T>(result: T): Promise<T> => {
      // The write may be on the disk or not.
      await folder?.flushed().catch((error: unknown) => {
        throw error instanceof Error ? noteUnknown(error) : error
      })
      return result
    }
    const queryOf = queriesOf(pglite, folder)
    const onConnection = queryOf(pglite)
    const turns = new OneConnection(options)
    const query: Engine['query'] = async (text, values, demand) =>
      durable(await turns.admitted(demand, () => onConnection(text, values)))

    return {
      name: 'pglite',
      execute: async ({ text, values }, demand) => (await query(text, values, demand)).rows,
      query,
      transaction: async (work, demand) =>
        durable(
          await turns.admitted(demand, () =>
            // PGlite's own transaction, which blocks other statements until its end.
            pglite.transaction((tx) =>
              turns.inside(() =>
                inTransaction(turns.paced(queryOf(tx)), work, new IdleTime(transactionTime)),
              ),
            ),
          ),
        ),
      ping: async () => void (await query('select 1')),
      connections: () => undefined,
      session: (work) => work(async (text) => (await query(text)).rows),
      listen: async (channel, handler) => void (await pglite.listen(channel, handler)),
      close: async () => {
        if (!pglite.closed) await pglite.close()
        await folder?.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** The queries of a connection or of a transaction, with values as PostgreSQL writes them. Errors of a full disk name the folder. */
function queriesOf({ parsers, serializers }: PGlite, folder: EmbeddedFolder | undefined) {
  const asIs = {
    rowMode: 'array',
    parsers: Object.fromEntries(Object.keys(parsers).map((type) => [type, asText])),
    serializers: Object.fromEntries(Object.keys(serializers).map((type) => [type, asText])),
  } as const
  return (client: Pick<PGlite, 'query'>): RunQuery =>
    async (text, values = []) => {
      const { fields, rows } = await client
        .query(text, values.map(toParameter), asIs)
        .catch((error: unknown) => {
          noteStatement(error, text)
          throw folder?.named(error) ?? error
        })
      // rowMode 'array' gives arrays; PGlite's type has objects for both modes.
      return { columns: fields.map(({ name }) => name), rows: rows as unknown as readonly unknown[][] }
    }
}

/** @throws Error when a statement failed and the work went on as if it had not: the transaction cannot be committed. */
async function inTransaction<T>(
  run: RunQuery,
  work: Parameters<typeof withTransaction<T>>[1],
  idle: IdleTime,
): Promise<T> {
  let hasFailed = false
  const raw = inTurn((text, values) =>
    run(text, values).catch((error: unknown) => {
      hasFailed = true
      throw error
    }),
  )
  const result = await withTransaction(raw, work, idle)
  await raw.flush()
  if (hasFailed)
    await run('select 1').catch((cause: unknown) => {
      throw Object.assign(ignoredError(), { cause })
    })
  return result
}

/** @throws ConfigurationError for a folder that does not start */
async function start(folder: EmbeddedFolder | undefined) {
  const { PGlite, NodeFS, pg_trgm } = await loadPglite()
  const settings = [`shared_buffers=${sharedBuffers}`, noTimers]
  const startParams = [...PGlite.defaultStartParams, ...settings.flatMap((one) => ['-c', one])]
  if (!folder) return PGlite.create('memory://', { extensions: { pg_trgm }, startParams })
  await folder.begin()
  try {
    const pglite = await PGlite.create({
      fs: folder.attach(new NodeFS(folder.directory)),
      extensions: { pg_trgm },
      // -F turns flushing off. Emscripten has no fdatasync, the default.
      startParams: [
        ...startParams.filter((parameter) => parameter !== '-F'),
        ...['-c', 'wal_sync_method=fsync', '-c', `max_files_per_process=${openFiles}`],
      ],
    })
    await folder.complete()
    return pglite
  } catch (error) {
    throw folder.damaged(error)
  }
}

/** There are no round trips to save: statements run one by one, and PGlite commits when the work resolves. */
function inTurn(query: RunQuery): RawTransaction {
  const waiting: Parameters<RawTransaction['send']>[] = []
  const flush = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [text, values, onRow] = next
      const { rows } = await query(text, values)
      if (onRow) rows.forEach(onRow)
    }
  }
  const run: RunQuery = async (text, values) => {
    await flush()
    return query(text, values)
  }
  return {
    query: run,
    send: (...statement) => void waiting.push(statement),
    stayAlone: () => {},
    shareAmong: () => {},
    flush,
    commitSent: flush,
  }
}

/** The embedded engine is an optional dependency of 25 MB, which a server on PostgreSQL does without. */
async function loadPglite() {
  try {
    const { PGlite } = await import('@electric-sql/pglite')
    const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm')
    const { NodeFS } = await import('@electric-sql/pglite/nodefs')
    return { PGlite, NodeFS, pg_trgm }
  } catch (error) {
    if (!isNotInstalled(error, '@electric-sql/pglite')) throw error
    throw new ConfigurationError(
      'The embedded database needs the package @electric-sql/pglite: npm install @electric-sql/pglite. A PostgreSQL server does without it: database: "postgres://…"',
    )
  }
}
