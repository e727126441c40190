import { didYouMean } from '@octavo/core/internal'
import { UsageError } from './usage-error.ts'

/**
 * Refuses a `NODE_ENV` that is probably meant as `production`. A server with any other value starts as in development: with pages that show
 * what is served, and with a secret for tokens in the database.
 *
 * @throws UsageError for `prod`, `Production`, `production` with a space or a line end, and `prodution`.
 */
export function refuseAlmostProduction(value = process.env.NODE_ENV ?? ''): void {
  if (value === 'production') return
  const word = value.trim().toLowerCase()
  // Names such as preproduction are of environments of their own.
  const isNear = Math.abs(word.length - 'production'.length) <= 1 && didYouMean(word, ['production']) !== ''
  if (word === 'prod' || isNear)
    throw new UsageError(
      `NODE_ENV is ${JSON.stringify(value)}, with which a server starts as in development; did you mean "production"?`,
    )
}
