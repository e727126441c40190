import { didYouMean } from './content-type/nearest.ts'
import { ConfigurationError } from './error/configuration-error.ts'

/** Names of options: `true` for a value, an object for the options within. */
export interface KnownKeys {
  readonly [key: string]: true | KnownKeys
}

/**
 * Rejects unknown options: a misspelt option would silently have no effect.
 *
 * @param where The function of the options, such as `createServer`.
 * @throws ConfigurationError with every unknown name and the nearest known one.
 */
export function refuseUnknownKeys(given: object, known: KnownKeys, where: string): void {
  const unknown = unknownKeys(given, known, [])
  if (unknown.length > 0) throw new ConfigurationError(`${where}: ${unknown.join('; ')}`)
}

function unknownKeys(given: object, known: KnownKeys, path: readonly string[]): readonly string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const within = Object.hasOwn(known, key) ? known[key] : undefined
    if (within === undefined) {
      // An option with the value `undefined` is treated as absent.
      if (value === undefined) return []
      return [`there is no option "${[...path, key].join('.')}"${didYouMean(key, Object.keys(known))}`]
    }
    const isNested = within !== true && typeof value === 'object' && value !== null && !Array.isArray(value)
    return isNested ? unknownKeys(value, within, [...path, key]) : []
  })
}
