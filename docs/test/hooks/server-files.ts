import { definePlugin, defineState } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

const fileNames = defineState<readonly string[]>('file-names')

/** Notes the names of the files that came with an article. */
export const plugin = definePlugin({
  name: 'example-server-files',
  setup(host) {
    host.hook('server:files', ({ name }) =>
      name === 'api::article.article.create'
        ? {
            limits: { files: 1, fileSize: 1000, idle: 10_000 },
            take: async (files) => ({
              state: fileNames.with(files.map(({ name }) => name)),
              undo: async () => {},
            }),
          }
        : undefined,
    )
    host.hook('entry:input', (input, { state }) => {
      const names = fileNames.of(state)
      return names ? { ...input, slug: names.join(' ') } : input
    })
  },
})
