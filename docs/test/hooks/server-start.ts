import { definePlugin } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** Logs that this is a server, and no command. */
export const plugin = definePlugin({
  name: 'example-server-start',
  setup(host) {
    host.hook('server:start', () => host.logger.info({ isServer: true }, 'Ready for requests'))
  },
})
