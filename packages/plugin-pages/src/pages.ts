import { definePlugin, type Plugin, refuseUnknownKeys } from '@octavo/core'
import { explainAction, explainReads, valuesAction } from './explain.ts'
import { optionKeys, type PagesOptions, readOptions } from './options.ts'

/**
 * Pages for developers, and explanations of reads (`?explain=true`).
 *
 *     pages({ audience: 'everybody' })
 */
export const pages = (options: PagesOptions = {}): Plugin =>
  definePlugin({
    name: 'pages',
    setup(host) {
      refuseUnknownKeys(options, optionKeys, 'pages')
      const given = readOptions(options)
      const octavo = host.start((running) => running)
      host.actions(() => [{ name: explainAction }, { name: valuesAction }])
      host.hook('server:read', explainReads(octavo, given))
    },
  })
