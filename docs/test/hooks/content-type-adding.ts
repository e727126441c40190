import { ConfigurationError } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'

/** Keeps a path free, which a proxy sends to another server. */
export const plugin = definePlugin({
  name: 'example-content-type-adding',
  setup(host) {
    host.hook('content-type:adding', ({ uid, pluralName }) => {
      if (pluralName === 'orders')
        throw new ConfigurationError(
          `${uid}: /api/orders belongs to the shop; give it another info.pluralName`,
        )
    })
  },
})
