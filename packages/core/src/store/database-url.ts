import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigurationError } from '../error/configuration-error.ts'

export type Database =
  | { readonly engine: 'postgresql'; readonly url: string }
  /** `directory` is absolute; `undefined`: the data is in memory and lost at exit. */
  | { readonly engine: 'pglite'; readonly directory: string | undefined }

/**
 * Reads the `database` option.
 *
 *     memory://                            embedded, in memory
 *     file:./data, file:///var/data        embedded, in that directory (created when missing)
 *     postgres://user:password@host/name   a PostgreSQL server; `postgresql://` is the same
 *
 * @throws ConfigurationError for any other text. The message lists the three forms and never repeats the text, which may contain a password.
 */
export function parseDatabaseUrl(text: string): Database {
  if (/^postgres(ql)?:\/\/./.test(text)) return { engine: 'postgresql', url: text }
  if (text === 'memory://') return { engine: 'pglite', directory: undefined }
  if (/^file:\/\/\/./.test(text)) return { engine: 'pglite', directory: fileURLToPath(text) }
  const path = /^file:(?!\/\/)(.+)$/.exec(text)?.[1]
  if (path) return { engine: 'pglite', directory: resolve(path) }
  throw new ConfigurationError(
    'The database must be given as memory:// (embedded, in memory), file:./directory (embedded, stored in that directory) ' +
      'or postgres://user:password@host/name (a PostgreSQL server).',
  )
}
