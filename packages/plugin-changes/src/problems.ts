import { RateLimitError, ServiceUnavailableError, ValidationError } from '@octavo/core'
import { defineProblems, errorClass } from '@octavo/core/plugin'

class GoneError extends errorClass('GoneError', 410) {}

/** The problems of the feed of changes. */
export const problem = defineProblems({
  'changes/bad-cursor': {
    error: ValidationError,
    message: 'since: expected the cursor of an earlier response.',
  },
  'changes/unknown-cursor': {
    error: GoneError,
    message:
      'The change of this cursor is not stored: it is too old, or a restore of the database has undone it. Take a new cursor from a request without since, then read all entries again.',
  },
  'changes/too-many-of-caller': {
    error: RateLimitError,
    message: 'You have your share of the open streams of changes; close one, or try again later.',
  },
  'changes/too-many-streams': {
    error: ServiceUnavailableError,
    message: 'This server has no free stream of changes; try again later.',
  },
})
