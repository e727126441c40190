import { createRequire } from 'node:module'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import { ConfigurationError } from '../error/configuration-error.ts'
import type { Plugin } from './define.ts'

/** The version of all packages while they are in their repository, where every plugin fits. */
const unreleased = '0.0.0'
/** The package.json of core, which is always readable and always has a version. */
const own = createRequire(import.meta.url)('../../package.json') as { readonly version: string }

/**
 * Compares `engines.octavo` of each plugin with the version of core.
 * @throws ConfigurationError for a plugin of other versions, and for a range that is none.
 */
export function refuseOtherVersions(
  plugins: readonly Pick<Plugin, 'name' | 'engines'>[],
  version = own.version,
): void {
  for (const { name, engines } of plugins) {
    const range = engines?.octavo
    if (range === undefined) continue
    if (validRange(range) === null)
      throw new ConfigurationError(
        `The plugin "${name}": engines.octavo is a range of versions such as ">=1.2 <3", not "${range}"`,
      )
    if (version !== unreleased && !satisfies(version, range, { includePrerelease: true }))
      throw new ConfigurationError(
        `The plugin "${name}" is for Octavo ${range}, and this is ${version}. Install a version of the plugin for this one, or another Octavo`,
      )
  }
}
