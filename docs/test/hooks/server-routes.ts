import { definePlugin } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** A route that answers like `/api/articles`, with the rights of the caller. */
export const plugin = definePlugin({
  name: 'example-server-routes',
  setup(host) {
    host.hook('server:routes', (routes) =>
      routes.add({
        method: 'GET',
        path: '/latest',
        handler: (context) =>
          context.octavo.find('api::article.article', {
            fields: ['title'],
            sort: 'id:desc',
            pagination: { limit: 1 },
          }),
      }),
    )
  },
})
