import { definePlugin } from '@octavo/core/plugin'

/** Trims titles. */
export const plugin = definePlugin({
  name: 'example-entry-input',
  setup(host) {
    host.hook('entry:input', (input) =>
      typeof input.title === 'string' ? { ...input, title: input.title.trim() } : input,
    )
  },
})
