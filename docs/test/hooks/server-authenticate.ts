import { definePlugin, defineState } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** The name of the caller. */
export const user = defineState<string>('user')

/** Takes the name of the caller from a header, which a proxy has checked. */
export const plugin = definePlugin({
  name: 'example-server-authenticate',
  setup(host) {
    host.hook('server:authenticate', (context) => {
      const name = context.get('X-User')
      return name === '' ? undefined : { ...user.with(name), caller: `user ${name}` }
    })
    host.hook('server:routes', (routes) =>
      routes.add({
        method: 'GET',
        path: '/me',
        handler: (context) => {
          context.body = { name: user.of(context.state.octavo) ?? null }
        },
      }),
    )
  },
})
