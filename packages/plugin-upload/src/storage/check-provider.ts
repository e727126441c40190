import { ConfigurationError } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import type { StorageProvider } from './provider.ts'

const methods = ['put', 'url', 'open', 'delete', 'list'] as const satisfies readonly (keyof StorageProvider)[]

/**
 * A provider of a program that no compiler has checked: without this, the server would start, and refuse each upload or leave each file where it is.
 *
 * @throws ConfigurationError that names the part with the mistake
 */
export function checkedProvider(given: StorageProvider): StorageProvider {
  const mistake = (message: string): ConfigurationError =>
    new ConfigurationError(`upload: the provider ${message}`)
  const provider: unknown = given
  if (typeof provider === 'function')
    throw mistake('is a function: pass what it returns, as in provider: localDisk()')
  if (provider instanceof Promise) throw mistake('is a promise: await it, or do its work in `start`')
  if (!isObject(provider)) throw mistake('is not an object')
  const { name, serving } = provider
  if (typeof name !== 'string' || name === '') throw mistake('has no text "name"')
  for (const method of methods)
    if (typeof provider[method] !== 'function') throw mistake(`"${name}" has no function "${method}"`)
  if (provider.start !== undefined && typeof provider.start !== 'function')
    throw mistake(`"${name}" has a "start" that is no function`)
  const isServed =
    serving === undefined ||
    (isObject(serving) &&
      ((serving.kind === 'folder' && typeof serving.folder === 'string') ||
        (serving.kind === 'redirect' && typeof serving.address === 'function')))
  if (!isServed)
    throw mistake(
      `"${name}" has an unknown "serving"; there are { kind: 'folder', folder } and { kind: 'redirect', address }`,
    )
  return given
}
