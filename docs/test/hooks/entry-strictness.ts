import { definePlugin } from '@octavo/core/plugin'

/** Articles in progress may lack required attributes. */
export const plugin = definePlugin({
  name: 'example-entry-strictness',
  setup(host) {
    host.hook('entry:strictness', ({ input }) => (input.wip === true ? 'lenient' : undefined))
  },
})
