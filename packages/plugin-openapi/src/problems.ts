import { ForbiddenError } from '@octavo/core'
import { defineProblems } from '@octavo/core/plugin'

export const problem = defineProblems({
  'openapi/local-only': {
    error: ForbiddenError,
    message:
      'This page is for requests from the machine that the server runs on: open it as http://localhost, or with the ?token= that the start of the server printed',
  },
})
