import { definePlugin } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** `?summary=true` answers with a number in place of the entries. */
export const plugin = definePlugin({
  name: 'example-server-read',
  setup(host) {
    const octavo = host.start((octavo) => octavo)
    host.hook('server:read', async ({ type, kind, state }, context) => {
      if (context.query.summary !== 'true' || kind !== 'list') return undefined
      const { pagination } = await octavo()
        .entries(type.uid, state)
        .find({ pagination: { limit: 1 } })
      return { type: type.singularName, total: pagination.total }
    })
  },
})
