import { ConfigurationError, type Logger, type Octavo } from '@octavo/core'
import type { UsersPermissionsOptions } from '../options.ts'

/** Permissions to read all content, for the role `public`, in memory. @throws ConfigurationError in production */
export function publicReads(
  octavo: Octavo,
  options: UsersPermissionsOptions,
  logger: Logger,
): readonly string[] {
  if (!(options.publicRead ?? process.env.OCTAVO_PUBLIC_READ === '1')) return []
  if (process.env.NODE_ENV === 'production')
    throw new ConfigurationError(
      'publicRead (--public-read) is for trying things out, and is refused with NODE_ENV=production; grant the role "public" what it may read: octavo permissions grant public <actions>',
    )
  logger.warn({}, 'Everybody may read all content, because of --public-read; no permission is stored')
  return [...octavo.actions.keys()].filter((action) => /^api::.*\.(find|findOne)$/.test(action))
}
