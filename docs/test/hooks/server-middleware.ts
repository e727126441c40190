import { definePlugin } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** Refuses some requests before the caller is known, and names the action in a header. */
export const plugin = definePlugin({
  name: 'example-server-middleware',
  setup(host) {
    host.hook('server:middleware', (chain) => {
      chain.add('request', async (context, next) => {
        if (context.get('X-Maintenance') === 'yes') context.throw(410)
        await next()
      })
      chain.add('action', async (context, next, { name }) => {
        await next()
        context.set('X-Action', name)
      })
    })
  },
})
