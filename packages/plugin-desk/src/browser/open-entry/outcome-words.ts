/** Outcomes of requests about an entry, in words. */
import type { Outcome, SaveOutcome } from '../../wire/index.ts'
import { reasonOf } from '../page-parts/trouble.tsx'
import { ApiError } from '../requests/api.ts'
import type { Texts } from '../text/index.ts'

/** An outcome without a save, or without an entry, in words. */
export function wordsOf(outcome: Outcome | SaveOutcome, text: Texts): string {
  switch (outcome.kind) {
    case 'missing':
      return text.gone
    case 'read-only':
      return text.readOnly
    case 'published':
      return text.publishedMeanwhile(text.save)
    case 'outdated':
      return text.outdated
    default:
      return reasonOf(errorOf(outcome), text)
  }
}

/** An outcome as the error of the other requests. */
export const errorOf = (outcome: Outcome | SaveOutcome): ApiError => {
  if (outcome.kind === 'busy') return new ApiError(503, '')
  if (outcome.kind === 'refused') {
    const { status, message, details } = outcome.error
    return new ApiError(status, message, details?.code)
  }
  const { status = 0, message = '' } = (outcome.kind === 'unknown' && outcome.answered) || {}
  return new ApiError(status, message)
}
