import { describe, expect, it } from 'vitest'
import { definePlugin } from '../for-plugins.ts'
import { checkDefinitions } from '../internal.ts'

describe('a list of plugins', () => {
  function audit() {
    return definePlugin({ name: 'audit', setup: () => {} })
  }

  it('is a list', () => {
    for (const plugins of [{ audit: audit() }, 'audit'])
      expect(() => checkDefinitions({ plugins: plugins as never })).toThrow(
        'plugins must be a list of plugins',
      )
  })
  it.each<[string, unknown, string]>([
    ['a function that was not called', audit, 'plugins[1] is a function, not a plugin: call it, audit()'],
    ['a promise', Promise.resolve(audit()), 'plugins[1] is a promise, not a plugin: await it'],
    [
      'the name of one',
      'audit',
      'plugins[1] must be a plugin, as definePlugin or the function of a package makes one, not "audit"',
    ],
    [
      'nothing',
      undefined,
      'plugins[1] must be a plugin, as definePlugin or the function of a package makes one, not undefined',
    ],
    [
      'an object without setup',
      { name: 'audit' },
      'plugins[1] must be a plugin, as definePlugin or the function of a package makes one, not {"name":"audit"}',
    ],
  ])('refuses %s, with its place', (_, given, message) => {
    const plugins = [definePlugin({ name: 'one', setup: () => {} }), given as never]
    expect(() => checkDefinitions({ plugins })).toThrow(message)
  })
})

describe('a plugin defined with another copy of core', () => {
  const symbol = Symbol.for('octavo.definedBy')
  const plugin = definePlugin({ name: 'stranger', setup: () => {} })

  it('stops the start with an error that names both folders', () => {
    const other = {
      ...plugin,
      [symbol]: 'file:///app/node_modules/x/node_modules/@octavo/core/dist/index.js',
    }
    expect(() => checkDefinitions({ plugins: [other] })).toThrow(
      /The plugin "stranger" uses another copy of @octavo\/core:\n {2}\/app\/node_modules\/x\/node_modules\/@octavo\/core\n .*packages\/core \(of the server\)/,
    )
  })

  it('is not reported for plugins of this copy and plain objects', () => {
    expect(() => checkDefinitions({ plugins: [plugin, { name: 'plain', setup: () => {} }] })).not.toThrow()
  })
})
