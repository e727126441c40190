import { definePlugin } from '@octavo/core/plugin'

/** Logs at the end whether anything was written. */
export const plugin = definePlugin({
  name: 'example-octavo-stop',
  setup(host) {
    let writes = 0
    host.hook('entry:committed', () => {
      writes += 1
    })
    host.hook('octavo:stop', () => host.logger.info({ isOver: writes > 0 }, 'Stopped'))
  },
})
