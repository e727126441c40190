import { ForbiddenError } from '@octavo/core'
import { definePlugin, defineProblems } from '@octavo/core/plugin'

const problem = defineProblems({
  'example/untitled': { error: ForbiddenError, message: () => 'An article needs a title of its own.' },
})

/** Refuses articles that nobody has named. */
export const plugin = definePlugin({
  name: 'example-entry-before-create',
  setup(host) {
    host.hook('entry:beforeCreate', ({ input }) => {
      if (input.title === 'Untitled') throw problem('example/untitled')
    })
  },
})
