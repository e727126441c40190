import { definePlugin } from '@octavo/core/plugin'

/** Logs content-types that are added while the server runs. */
export const plugin = definePlugin({
  name: 'example-content-type-added',
  setup(host) {
    host.hook('content-type:added', ({ uid }) => host.logger.info({ uid }, 'Added'))
  },
})
