import { definePlugin, defineState } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

const isBot = defineState<boolean>('bot')

/** Marks requests of crawlers. */
export const plugin = definePlugin({
  name: 'example-server-state',
  setup(host) {
    host.hook('server:state', (context) => isBot.with(/bot/i.test(context.get('User-Agent'))))
    host.hook('server:routes', (routes) =>
      routes.add({
        method: 'GET',
        path: '/bot',
        handler: (context) => {
          context.body = { bot: isBot.of(context.state.octavo) ?? false }
        },
      }),
    )
  },
})
