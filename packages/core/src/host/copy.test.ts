import { describe, expect, it } from 'vitest'
import { definePlugin } from '../for-plugins.ts'
import { checkDefinitions } from '../internal.ts'

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
