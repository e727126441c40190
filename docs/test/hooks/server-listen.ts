import { definePlugin } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** Logs that the server can be reached. */
export const plugin = definePlugin({
  name: 'example-server-listen',
  setup(host) {
    host.hook('server:listen', (url) => host.logger.info({ hasAddress: url !== '' }, 'Listening'))
  },
})
