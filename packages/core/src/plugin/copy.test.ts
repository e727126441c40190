import { describe, expect, it } from 'vitest'
import { checkDefinitions, definePlugin } from '../index.ts'

describe('14.16: a plugin that was defined with another copy of core', () => {
  const symbol = Symbol.for('octavo.definedBy')
  const plugin = definePlugin({ name: 'stranger', setup: () => {} })

  it('stops the start with both places', () => {
    const other = {
      ...plugin,
      [symbol]: 'file:///app/node_modules/x/node_modules/@octavo/core/dist/plugin/copy.js',
    }
    expect(() => checkDefinitions({ plugins: [other] })).toThrow(
      /The plugin "stranger" uses another copy of @octavo\/core:\n {2}\/app\/node_modules\/x\/node_modules\/@octavo\/core\n .*packages\/core \(of the server\)/,
    )
  })

  it('is none when it is of this copy, or a plain object', () => {
    expect(() => checkDefinitions({ plugins: [plugin, { name: 'plain', setup: () => {} }] })).not.toThrow()
  })
})
