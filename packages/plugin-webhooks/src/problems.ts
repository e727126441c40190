import { ApplicationError, NotFoundError, RateLimitError, ValidationError } from '@octavo/core'
import { inSummary } from '@octavo/core/internal'
import { defineProblems } from '@octavo/core/plugin'

/** The problems of webhooks that are made while the server runs. */
export const problem = defineProblems({
  'webhook/not-found': { error: NotFoundError, message: 'Not Found', when: 'no such webhook' },
  'webhook/invalid': {
    error: ValidationError,
    message: inSummary,
    when: 'a webhook with wrong values; all mistakes at once',
  },
  'webhook/taken': {
    error: ApplicationError,
    message: 'There is already a webhook of this name',
    when: 'the name of another webhook',
  },
  'webhook/too-many': {
    error: ApplicationError,
    message: (d: { most: number }) => `There are ${d.most} webhooks; delete one first`,
    when: 'a new webhook where there are 100',
  },
  'webhook/testing': {
    error: RateLimitError,
    message: 'The webhook is being tested',
    when: 'a test of a webhook during another one',
  },
})
