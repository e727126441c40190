import { ConfigurationError } from '@octavo/database'
import { checkOptions } from './known-keys.ts'

/** The bounds of an option that is a whole number, and its value where the option is absent. */
export interface WholeNumber {
  readonly default: number
  /** Default 1. */
  readonly min?: number
  /** Default 2,147,483,647, the longest time of a timer in milliseconds. */
  readonly max?: number
}

/**
 * Reads the options of a plugin that are whole numbers.
 *
 *     wholeNumbers(options, { keep: { default: 1_000 }, pageSize: { default: 100, max: 500 } }, 'changes')
 *
 * @param where The function of the options, such as `changes`.
 * @throws ConfigurationError for unknown options and values out of bounds.
 */
export function wholeNumbers<K extends string>(
  given: { readonly [N in K]?: number | undefined },
  known: Readonly<Record<K, WholeNumber>>,
  where: string,
): Readonly<Record<K, number>> {
  const rows = Object.entries<WholeNumber>(known)
  checkOptions(given, Object.fromEntries(rows.map(([name]) => [name, true])), where)
  const values = rows.map(([name, { default: absent, min = 1, max = 2_147_483_647 }]) => {
    const value: unknown = given[name as K] ?? absent // the names of the rows
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
      throw new ConfigurationError(
        `${where}({ ${name} }) is a whole number from ${min} to ${max}, not ${String(value)}`,
      )
    return [name, value] as const
  })
  return Object.fromEntries(values) as Record<K, number> // one value for each row
}
