import { definePlugin } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** The folder `desk` beside this file has modules for browsers, which the desk loads. */
export const plugin = definePlugin({
  name: 'example-server-desk',
  setup(host) {
    host.hook('server:desk', (desk) => desk.extensions(new URL('./desk/', import.meta.url)))
  },
})
