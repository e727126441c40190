import { definePlugin } from '@octavo/core/plugin'

/** Clients cannot mark authors as gone: the value is taken out of their input, and the description of the API leaves it out. */
export const plugin = definePlugin({
  name: 'example-entry-writable',
  setup(host) {
    host.hook('entry:input', (input, { type, by }) => {
      if (type.uid !== 'api::author.author' || by === 'plugin') return input
      const { left: _, ...rest } = input
      return rest
    })
    host.hook('entry:writable', ({ name }) => (name === 'left' ? false : undefined))
  },
})
