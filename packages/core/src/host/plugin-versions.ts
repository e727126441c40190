import { createRequire } from 'node:module'
import { ConfigurationError } from '@octavo/database'
import type { Plugin } from './define.ts'

/** The version of all packages while they are in their repository, where every plugin fits. */
const unreleased = '0.0.0'
const require = createRequire(import.meta.url)
/** The package.json of core, which is always readable and always has a version. */
const own = require('@octavo/core/package.json') as { readonly version: string }

/**
 * Compares `engines.octavo` of each plugin with the version of core.
 * @param kind The word in the message. Default `plugin`.
 * @throws ConfigurationError for a plugin of other versions, and for an invalid range.
 */
export function refuseOtherVersions(
  plugins: readonly Pick<Plugin, 'name' | 'engines'>[],
  kind = 'plugin',
  version = own.version,
): void {
  for (const { name, engines } of plugins) {
    const range = engines?.octavo
    if (range === undefined) continue
    // Loaded here, since few plugins name versions and every start would wait for its 20 modules.
    const { satisfies, validRange } = require('semver') as typeof import('semver')
    if (validRange(range) === null)
      throw new ConfigurationError(
        `The ${kind} "${name}": engines.octavo is a range of versions such as ">=1.2 <3", not "${range}"`,
      )
    if (version !== unreleased && !satisfies(version, range, { includePrerelease: true }))
      throw new ConfigurationError(
        `The ${kind} "${name}" is for Octavo ${range}, and this is ${version}. Install ${kind === 'project' ? '' : `a version of the ${kind} for this one, or `}another Octavo`,
      )
  }
}
