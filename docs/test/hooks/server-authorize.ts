import { ForbiddenError } from '@octavo/core'
import { definePlugin, defineProblems } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

const problem = defineProblems({
  'example/imprint': { error: ForbiddenError, message: () => 'The imprint is required by law.' },
})

/** Refuses to delete the imprint over HTTP, whatever the caller may do otherwise. */
export const plugin = definePlugin({
  name: 'example-server-authorize',
  setup(host) {
    host.hook('server:authorize', ({ name }) => {
      if (name === 'api::imprint.imprint.delete') throw problem('example/imprint')
    })
  },
})
