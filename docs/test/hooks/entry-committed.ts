import { definePlugin } from '@octavo/core/plugin'

/** Tells another system about changes that are certain. */
export const plugin = definePlugin({
  name: 'example-entry-committed',
  setup(host) {
    host.hook('entry:committed', ({ action, type, id }) => {
      if (type.uid === 'api::article.article') host.logger.info({ action, id }, 'Tell the search engine')
    })
  },
})
