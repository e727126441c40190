import { createRequire } from 'node:module'
import { checkOptions } from '@octavo/core/internal'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import type {} from '@octavo/server'
import { explainAction, explainReads, valuesAction } from './explain.ts'
import { optionKeys, type PagesOptions, readOptions } from './options.ts'
import { addPages, pageOperations } from './routes.ts'

/**
 * Pages for developers, and explanations of reads (`?explain=true`).
 *
 *     pages({ audience: 'everybody' })
 */
export const pages = (options: PagesOptions = {}): Plugin =>
  definePlugin({
    name: 'pages',
    setup(host) {
      checkOptions(options, optionKeys, 'pages')
      const given = readOptions(options)
      const octavo = host.start((running) => running)
      host.actions(() => [{ name: explainAction }, { name: valuesAction }])
      host.hook('server:read', explainReads(octavo, given))
      host.hook('server:describe', () => ({ operations: pageOperations }))
      const unrestricted = host.unrestricted('the query page lists all locales')
      host.hook('server:routes', (routes) =>
        addPages(routes, { octavo, options: given, version: versionOf(), unrestricted }),
      )
    },
  })

/** The version of this package, which is released with the others. */
function versionOf(): string {
  const manifest: unknown = createRequire(import.meta.url)('@octavo/plugin-pages/package.json')
  const { version } = manifest as { readonly version: string } // this package's own
  return version
}
