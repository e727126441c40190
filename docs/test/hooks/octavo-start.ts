import { definePlugin } from '@octavo/core/plugin'

/** Logs the number of content-types. */
export const plugin = definePlugin({
  name: 'example-octavo-start',
  setup(host) {
    host.hook('octavo:start', ({ registry }) =>
      host.logger.info({ types: registry.contentTypes.size }, 'Started'),
    )
  },
})
