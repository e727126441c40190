import type { Plugin, PluginHost } from '@octavo/core/plugin'
import { describe, expect, it } from 'vitest'
import { ownParameters } from '../../packages/core/src/parse/parse-query.ts'
import { startMagazine } from './support/magazine.ts'
import { readPage } from './support/pages.ts'

/** Runs a plugin as it is, and notes the parameters that it declares. */
const observed =
  (names: Set<string>) =>
  (plugin: Plugin): Plugin => ({
    ...plugin,
    setup: (host) =>
      plugin.setup(
        new Proxy(host, {
          get: (target, key: keyof PluginHost) => {
            const value: unknown = Reflect.get(target, key)
            if (typeof value !== 'function') return value
            return (...given: readonly unknown[]) => {
              if (key === 'param') names.add(String(given[0]))
              return Reflect.apply(value, target, given)
            }
          },
        }),
      ),
  })

describe('docs/parameters.md', () => {
  it('has every parameter of core and of the plugins', async () => {
    const names = new Set<string>(ownParameters)
    const magazine = await startMagazine((plugins) => plugins.map(observed(names)))
    await magazine.close()
    expect(names.size).toBeGreaterThan(ownParameters.length)
    const headings = [...readPage('parameters.md').matchAll(/^## (\S+)$/gm)].map(([, name]) => name)
    expect(new Set(headings)).toEqual(names)
  })
})
