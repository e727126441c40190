import { AsyncLocalStorage } from 'node:async_hooks'
import { ConfigurationError } from '../error/configuration-error.ts'
import { ignoredError } from '../error/ignored-error.ts'
import { isNotInstalled } from '../error/not-installed.ts'
import { problem } from '../error/problems.ts'
import { toParameter } from '../sql/parameter.ts'
import { asText, type Engine, sessionSettings } from '../store/engine.ts'
import { type RawTransaction, type RunQuery, withTransaction } from '../store/queryable.ts'
import { lockDirectory, realDirectory } from './directory-lock.ts'

export interface PgliteOptions {
  /** The folder of the data, created when missing; `undefined` for memory. */
  readonly directory: string | undefined
}

/**
 * PostgreSQL in this process. It has one connection: statements run one after another, and a statement outside a
 * transaction waits for the end of the transaction, and is an error where the transaction waits for it. It has no timers, so `statement_timeout` has no effect: a statement
 * runs to its end and blocks the process. For development and tests; public servers need a PostgreSQL server.
 */
export async function openPglite({ directory }: PgliteOptions): Promise<Engine> {
  const place = directory === undefined ? undefined : realDirectory(directory)
  const unlock = place === undefined ? () => {} : lockDirectory(place)
  try {
    const { PGlite, pg_trgm } = await loadPglite()
    const pglite = await PGlite.create(place ?? 'memory://', { extensions: { pg_trgm } })
    await pglite.exec(sessionSettings.join('; '))

    const asIs = {
      rowMode: 'array',
      parsers: Object.fromEntries(Object.keys(pglite.parsers).map((type) => [type, asText])),
      serializers: Object.fromEntries(Object.keys(pglite.serializers).map((type) => [type, asText])),
    } as const
    type Client = Pick<typeof pglite, 'query'>
    const queryOf =
      (client: Client): RunQuery =>
      async (text, values = []) => {
        const { fields, rows } = await client.query(text, values.map(toParameter), asIs)
        // rowMode 'array' gives arrays; PGlite's type has objects for both modes.
        return { columns: fields.map(({ name }) => name), rows: rows as unknown as readonly unknown[][] }
      }
    const onConnection = queryOf(pglite)
    const running = new AsyncLocalStorage<{ isOpen: boolean }>()
    /** @throws Error inside of a transaction: PGlite would wait for its end, and the transaction for PGlite, for ever. */
    const refuseInside = (): void => {
      if (running.getStore()?.isOpen) throw new Error(insideTransaction)
    }
    const query: RunQuery = async (text, values) => {
      refuseInside()
      return onConnection(text, values)
    }

    return {
      name: 'pglite',
      execute: async ({ text, values }, { signal } = {}) => {
        if (signal?.aborted) throw problem('database/abandoned', {})
        return (await query(text, values)).rows
      },
      query,
      // PGlite's own transaction, which blocks other statements until its end.
      transaction: async (work) => {
        refuseInside()
        return pglite.transaction(async (tx) => {
          const scope = { isOpen: true }
          let hasFailed = false
          const query: RunQuery = (text, values) =>
            queryOf(tx)(text, values).catch((error: unknown) => {
              hasFailed = true
              throw error
            })
          try {
            return await running.run(scope, async () => {
              const raw = inTurn(query)
              const result = await withTransaction(raw, work)
              await raw.flush()
              if (hasFailed)
                await queryOf(tx)('select 1').catch((cause: unknown) => {
                  throw Object.assign(ignoredError(), { cause })
                })
              return result
            })
          } finally {
            scope.isOpen = false
          }
        })
      },
      ping: async () => void (await query('select 1')),
      connections: () => undefined,
      listen: async (channel, handler) => void (await pglite.listen(channel, handler)),
      close: async () => {
        if (!pglite.closed) await pglite.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
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
    commitWith: async (text, values) => (await run(text, values)).rows,
  }
}

const insideTransaction =
  'a statement outside of the running transaction, which the embedded database cannot run meanwhile: it has one connection. ' +
  'In a write hook use `event.entries` in place of octavo.entries and octavo.store, in octavo.transaction the entries of its scope.'

/** The embedded engine is an optional dependency of 25 MB, which a server on PostgreSQL does without. */
async function loadPglite() {
  try {
    const { PGlite } = await import('@electric-sql/pglite')
    const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm')
    return { PGlite, pg_trgm }
  } catch (error) {
    if (!isNotInstalled(error, '@electric-sql/pglite')) throw error
    throw new ConfigurationError(
      'The embedded database needs the package @electric-sql/pglite: npm install @electric-sql/pglite. A PostgreSQL server does without it: database: "postgres://…"',
    )
  }
}
