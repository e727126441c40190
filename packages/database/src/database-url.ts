import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigurationError } from './error/configuration-error.ts'
import { unreadableUrl } from './error/unreachable.ts'

export type Database =
  | {
      readonly engine: 'postgresql'
      /** One URL per host, in the order of the option. */
      readonly urls: readonly string[]
      /** Whether the one that accepts writes is looked for (`target_session_attrs=read-write`). */
      readonly findsPrimary: boolean
    }
  /** `directory` is absolute; `undefined`: the data is in memory and lost at exit. */
  | { readonly engine: 'pglite'; readonly directory: string | undefined }

/**
 * Reads the `database` option.
 *
 *     memory://                            embedded, in memory
 *     file:./data, file:///var/data        embedded, in that directory (created when missing)
 *     postgres://user:password@host/name   a PostgreSQL server; `postgresql://` is the same
 *     postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write
 *                                          several servers, of which one accepts writes; the parameter is the default
 *
 * @throws ConfigurationError for any other text. The messages never repeat the text, which may contain a password.
 */
export function parseDatabaseUrl(text: string): Database {
  if (/^postgres(ql)?:\/\/./.test(text)) return parsePostgresUrl(text)
  if (text === 'memory://') return { engine: 'pglite', directory: undefined }
  if (/^file:\/\/\/./.test(text)) return { engine: 'pglite', directory: fileURLToPath(text) }
  const path = /^file:(?!\/\/)(.+)$/.exec(text)?.[1]
  if (path) return { engine: 'pglite', directory: resolve(path) }
  throw new ConfigurationError(
    'The database must be given as memory:// (embedded, in memory), file:./directory (embedded, stored in that directory) ' +
      'or postgres://user:password@host/name (a PostgreSQL server).',
  )
}

function parsePostgresUrl(text: string): Database {
  const [, scheme = '', user = '', hosts = '', path = '', query] =
    /^(postgres(?:ql)?:\/\/)([^/?@]*@)?([^/?]*)([^?]*)(?:\?(.*))?$/s.exec(text) ?? []
  const parameters = query?.split('&') ?? []
  const isTarget = (parameter: string): boolean => parameter.startsWith('target_session_attrs=')
  const target = parameters.find(isTarget)?.split('=')[1]
  const list = hosts.split(',')
  const isAny = target === 'any' && list.length === 1
  if (target !== undefined && !isAny && target !== 'read-write' && target !== 'primary')
    throw new ConfigurationError(
      `The database URL has target_session_attrs=${target}, but Octavo needs a server that accepts writes: target_session_attrs=read-write. Servers that serve reads are given as replicas.`,
    )
  if (list.length > 1 && list.includes(''))
    throw new ConfigurationError('The list of hosts in the database URL has an empty host.')
  const others = parameters.filter((parameter) => !isTarget(parameter)).join('&')
  const rest = path + (others && `?${others}`)
  const urls = list.map((host) => `${scheme}${user}${host}${rest}`)
  // A password with `@/` ends early, so that its rest is in the path.
  if (path.includes('@') || !urls.every(isReadable))
    throw new ConfigurationError(`The database cannot be used: ${unreadableUrl}`)
  return {
    engine: 'postgresql',
    urls,
    findsPrimary: list.length > 1 || (target !== undefined && !isAny),
  }
}

/** Whether pg can read a URL. It takes one with a user and without a host, of which WHATWG's rules know nothing. */
const isReadable = (url: string): boolean => URL.canParse(url.replace('@/', '@host/'))
