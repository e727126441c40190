import { ConfigurationError } from '@octavo/database'

/** The key of the copy of this package with which a plugin was defined. The symbol is registered, so that every copy can read it. */
const definedBy: unique symbol = Symbol.for('octavo.definedBy')

/** The address of the file with this module: two installed copies differ in it. */
const here = import.meta.url.replace(/[?#].*$/, '')

export const withCopy = <P extends object>(plugin: P): P => ({ ...plugin, [definedBy]: here })

/** @throws ConfigurationError with the place in the list, for what no plugin is: mostly a function that was not called. */
export function refuseNoPlugins(plugins: readonly unknown[]): void {
  if (!Array.isArray(plugins))
    throw new ConfigurationError(`plugins must be a list of plugins, not ${JSON.stringify(plugins)}`)
  for (const [i, given] of plugins.entries()) {
    if (typeof given === 'function')
      throw new ConfigurationError(
        `plugins[${i}] is a function, not a plugin: call it, ${given.name || 'plugin'}()`,
      )
    if (given instanceof Promise) {
      given.catch(() => {}) // the error below takes the place of its own
      throw new ConfigurationError(`plugins[${i}] is a promise, not a plugin: await it`)
    }
    if (typeof (given as { readonly setup?: unknown } | null | undefined)?.setup !== 'function')
      throw new ConfigurationError(
        `plugins[${i}] must be a plugin, as definePlugin or the function of a package makes one, not ${JSON.stringify(given)}`,
      )
  }
}

/**
 * Two copies of core have two sets of classes, symbols and types, and hooks that miss each other.
 * @throws ConfigurationError that names the plugin and both copies.
 */
export function refuseOtherCopies(plugins: readonly { readonly name: string }[]): void {
  for (const plugin of plugins) {
    const other = (plugin as { readonly [definedBy]?: unknown })[definedBy]
    if (typeof other !== 'string' || other === here) continue
    throw new ConfigurationError(
      `The plugin "${plugin.name}" uses another copy of @octavo/core:\n  ${folderOf(other)}\n  ${folderOf(here)} (of the server)\nInstall one version: npm ls @octavo/core shows the dependents of each, npm dedupe merges them`,
    )
  }
}

const folderOf = (url: string): string =>
  url.replace(/^file:\/\//, '').replace(/\/(?:src\/host\/copy\.ts|dist\/[^/]+\.js)$/, '')
