import { ForbiddenError, ValidationError } from '@octavo/core'
import { defineProblems } from '@octavo/core/plugin'

/** The problems of pages and explanations. */
export const problem = defineProblems({
  'pages/explain-forbidden': {
    error: ForbiddenError,
    message: (d: { hint: string }) => `This caller may not read explanations: ${d.hint}.`,
    example: { hint: 'they need the action plugin::pages.explain' },
  },
  'pages/bad-explain': {
    error: ValidationError,
    message: (d: { value: string }) => `explain: expected true or false, not "${d.value}".`,
    example: { value: 'x' },
  },
})
