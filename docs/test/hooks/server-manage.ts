import { definePlugin } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** A notice that people with the right `settings` change: `PUT /desk/api/notice` with plugin-editors. */
export const plugin = definePlugin({
  name: 'example-server-manage',
  setup(host) {
    let notice = ''
    host.hook('server:manage', (routes) =>
      routes.add({
        method: 'PUT',
        path: '/notice',
        right: 'settings',
        operation: {
          id: 'setNotice',
          summary: 'Change the notice',
          responses: { 200: { description: 'The notice.' } },
        },
        handler: ({ fields, caller }) => {
          notice = String(fields.text ?? '')
          host.logger.info({ by: caller }, 'The notice was changed')
          return { notice }
        },
      }),
    )
  },
})
