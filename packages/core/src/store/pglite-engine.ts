import { mkdir } from 'node:fs/promises'
import { problem } from '../error/problems.ts'
import type { Logger } from '../logger.ts'
import { lockDirectory } from './directory-lock.ts'
import { asText, type Engine, sessionSettings } from './engine.ts'
import { ormOptions } from './orm-options.ts'
import { toParameter } from './parameter.ts'
import { type RawQuery, transactionOf } from './queryable.ts'

export interface PgliteOptions {
  /** Where the data is kept, made when missing; `undefined` for memory. */
  readonly directory: string | undefined
  readonly logger: Logger
}

/**
 * PostgreSQL in this process. One connection: statements run one after another, and one outside a transaction waits
 * for the transaction's end. It has no timers, so `statement_timeout` does nothing here: a statement runs to its end,
 * and the whole process waits for it. That is for development and tests; what serves strangers takes a server.
 */
export async function openPglite({ directory, logger }: PgliteOptions): Promise<Engine> {
  const unlock = directory ? lockDirectory(directory) : () => {}
  try {
    if (directory) await mkdir(directory, { recursive: true })
    const { MikroORM } = await import('@mikro-orm/pglite')
    const orm = new MikroORM({ ...ormOptions(logger), dbName: directory ?? 'memory://' })
    await orm.connect()
    const pglite = await orm.driver.getConnection().getNativeClient()
    await pglite.exec(sessionSettings.join('; '))

    const asIs = {
      rowMode: 'array',
      parsers: Object.fromEntries(Object.keys(pglite.parsers).map((type) => [type, asText])),
      serializers: Object.fromEntries(Object.keys(pglite.serializers).map((type) => [type, asText])),
    } as const
    type Client = Pick<typeof pglite, 'query'>
    const queryOf =
      (client: Client): RawQuery =>
      async (text, values = []) => {
        const { fields, rows } = await client.query(text, values.map(toParameter), asIs)
        // rowMode 'array' gives arrays; PGlite's type has objects for both modes.
        return { columns: fields.map(({ name }) => name), rows: rows as unknown as readonly unknown[][] }
      }
    const query = queryOf(pglite)

    return {
      name: 'pglite',
      orm,
      execute: async ({ text, values }, { signal } = {}) => {
        if (signal?.aborted) throw problem('database/abandoned', {})
        return (await query(text, values)).rows
      },
      query,
      // PGlite's own, which keeps everyone else out; Kysely's would mix two that run at a time.
      transaction: (work) => pglite.transaction((tx) => work(transactionOf(queryOf(tx)))),
      connections: () => undefined,
      listen: async (channel, told) => void (await pglite.listen(channel, told)),
      close: async () => {
        await orm.close()
        // Kysely closes it only when it was used through Kysely.
        if (!pglite.closed) await pglite.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
