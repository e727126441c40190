import type { HookHandler, Plugin, PluginHost } from '@octavo/core/plugin'
import type { Route } from '@octavo/server'
import { describe, expect, it } from 'vitest'
import { startMagazine } from './support/magazine.ts'
import { readPage } from './support/pages.ts'

/** Runs a plugin as it is, and notes the routes that it adds. */
const observed =
  (routes: Set<string>) =>
  (plugin: Plugin): Plugin => ({
    ...plugin,
    setup: (host) => plugin.setup(observedHost(host, routes)),
  })

function observedHost(host: PluginHost, found: Set<string>): PluginHost {
  const hook: PluginHost['hook'] = (name, handler, filter) => {
    if (name !== 'server:routes') return host.hook(name, handler, filter)
    const add = handler as HookHandler<'server:routes'> // the name was compared
    host.hook('server:routes', (routes) =>
      add({
        ...routes,
        add: (route) => {
          found.add(nameOf(route, routes.prefix))
          routes.add(route)
        },
      }),
    )
  }
  // The host has getters and methods of its own class: a copy would lose them.
  return new Proxy(host, {
    get: (target, key) => {
      if (key === 'hook') return hook
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const plurals = /^\/(?:articles|authors|topics|notes)\b/
const singulars = /^\/homepage\b/

const nameOf = ({ method, path, root }: Route, prefix: string): string =>
  `${method} ${root ? '' : prefix}${path.replace(plurals, '/:plural').replace(singulars, '/:singular')}`

describe('docs/endpoints.md', () => {
  it('has every route of the plugins', async () => {
    const found = new Set<string>()
    const magazine = await startMagazine((plugins) => plugins.map(observed(found)))
    await magazine.close()
    expect(found.size).toBeGreaterThan(25)
    const headings = new Set(
      [...readPage('endpoints.md').matchAll(/^### `([^`]+)`$/gm)].map(([, name = '']) => name),
    )
    // A route of content-types that are not localized, which answers 405.
    found.delete('POST /api/:singular/localizations')
    // The files of the page /docs.
    expect([...found].filter((name) => !headings.has(name) && !name.startsWith('GET /docs/'))).toEqual([])
  })
})
