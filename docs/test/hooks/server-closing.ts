import { definePlugin } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** Logs that the server takes no more requests. */
export const plugin = definePlugin({
  name: 'example-server-closing',
  setup(host) {
    host.hook('server:closing', () => host.logger.info({ reason: 'the server ends' }, 'Closing'))
  },
})
