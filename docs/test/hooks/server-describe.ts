import { definePlugin } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** Describes a route in the OpenAPI document. */
export const plugin = definePlugin({
  name: 'example-server-describe',
  setup(host) {
    host.hook('server:routes', (routes) =>
      routes.add({
        method: 'GET',
        path: '/tides',
        handler: (context) => {
          context.body = { tide: 'high' }
        },
      }),
    )
    host.hook('server:describe', () => ({
      operations: {
        'GET /tides': {
          id: 'tides',
          tag: 'Sea',
          summary: 'The tide',
          responses: { 200: { description: 'High or low.' } },
        },
      },
    }))
  },
})
