import { silentLogger, sql } from '@octavo/database'
import { describe, expect, it } from 'vitest'
import { definePlugin, InvalidValue, type Plugin, type PluginHost } from '../for-plugins.ts'
import { checkDefinitions } from '../internal.ts'
import { coreHooks } from './lifecycle-hooks.ts'
import { setupPlugins } from './setup.ts'

const check = (...plugins: readonly unknown[]) => checkDefinitions({ plugins: plugins as Plugin[] })
const noSetup = (): void => {}

describe('a plugin', () => {
  it.each<[string, object, string]>([
    ['without a name', { setup: noSetup }, 'plugins[0]: the name of a plugin is a text, not nothing'],
    [
      'with an empty name',
      { name: '', setup: noSetup },
      'plugins[0]: the name of a plugin is a text, not ""',
    ],
    [
      'with a text in place of a list',
      { name: 'a', after: 'i18n', setup: noSetup },
      'The plugin "a": after is a list of names of plugins, not "i18n"',
    ],
    [
      'with plugins in place of names',
      { name: 'a', requires: [definePlugin({ name: 'b', setup: noSetup })], setup: noSetup },
      'The plugin "a": requires is a list of names of plugins, not a list',
    ],
    [
      'with a range of versions in place of engines',
      { name: 'a', engines: '>=1.2', setup: noSetup },
      `The plugin "a": engines is an object such as { octavo: '>=1.2 <3' }, not ">=1.2"`,
    ],
    [
      'with a list in place of a phrase',
      { name: 'a', guards: ['drafts'], setup: noSetup },
      'The plugin "a": guards is a phrase, not a list',
    ],
    [
      'with a misspelt key',
      { name: 'a', afer: ['i18n'], setup: noSetup },
      'The plugin "a": there is no key "afer"; did you mean "after"?',
    ],
  ])('%s is refused', (_, plugin, message) => {
    expect(() => check(definePlugin(plugin as Plugin))).toThrow(message)
  })

  it('may have members of its own', () => {
    const plugin = definePlugin({ name: 'a', setup: noSetup })
    expect(() => check({ ...plugin, statistics: () => 7 })).not.toThrow()
  })
})

describe('a declaration that no compiler has checked', () => {
  // The host is given untyped, as to a plugin in JavaScript.
  // biome-ignore lint/suspicious/noExplicitAny: a plugin in JavaScript has no types, and these declarations are wrong
  const declaring = (setup: (host: any) => void) =>
    check(definePlugin({ name: 'a', setup: (host: PluginHost) => setup(host) }))
  const operator = { on: ['string'], meaning: 'is', example: 'x', read: String, sql: () => sql`true` }

  // biome-ignore lint/suspicious/noExplicitAny: a plugin in JavaScript has no types, and these declarations are wrong
  it.each<[string, (host: any) => void, string]>([
    [
      'an attribute type of nothing',
      (host) => host.attributeType(undefined),
      'an attribute type is an object with a name, not nothing',
    ],
    [
      'an attribute type without a kind',
      (host) => host.attributeType({ name: 'c' }),
      'the attribute type "c" has the kind nothing, not one of scalar, link, siblings',
    ],
    [
      'an attribute type without a function',
      (host) => host.attributeType({ name: 'c', kind: 'scalar' }),
      'the attribute type "c" has no function "column"',
    ],
    [
      'an operator without a meaning',
      (host) => host.operator('$is', { ...operator, meaning: undefined }),
      'the filter operator "$is" has no text "meaning"',
    ],
    [
      'an operator without SQL',
      (host) => host.operator('$is', { ...operator, sql: 'true' }),
      'the filter operator "$is" has no function "sql"',
    ],
    [
      'an operator with a misspelt key',
      (host) => host.operator('$is', { ...operator, read_s: [] }),
      'the filter operator "$is" has no key "read_s"; did you mean "reads"?',
    ],
    [
      'an operator for a text in place of a list',
      (host) => host.operator('$is', { ...operator, on: 'string' }),
      `the filter operator "$is" has in "on" no list of attribute types, such as ['string'], but a string`,
    ],
    [
      'an operator that reads a text in place of a list',
      (host) => host.operator('$is', { ...operator, reads: 'api::author.author' }),
      `the filter operator "$is" has in "reads" no list of uids, such as ['api::article.article'], but a string`,
    ],
    [
      'a content-type of nothing',
      (host) => host.contentType(undefined),
      'host.contentType takes a definition, not nothing',
    ],
    [
      'a command without a description',
      (host) => host.command('audit', { run: async () => true }),
      'the command "audit" has no text "description"',
    ],
    [
      'a command that cannot run',
      (host) => host.command('audit', { description: 'lists changes' }),
      'the command "audit" has no function "run"',
    ],
    ['a channel without a receiver', (host) => host.channel(), 'host.channel takes a function, not nothing'],
    ['a start of nothing', (host) => host.start(), 'host.start takes a function, not nothing'],
    [
      'access without a reason',
      (host) => host.unrestricted(),
      'host.unrestricted takes a reason, not nothing',
    ],
    [
      'work once before the start',
      (host) => void host.once('rows', noSetup),
      'host.once and channels are available after the start only',
    ],
    [
      'actions that are no function',
      (host) => host.actions([{ name: 'plugin::a.x' }]),
      'the argument of host.actions is no function',
    ],
    [
      'an async filter',
      (host) => host.hook('entry:beforeCreate', noSetup, { when: async () => false }),
      'the key "when" of the filter is async, and its result is used at once',
    ],
    [
      'a parameter without a reader',
      (host) => host.param('p', undefined),
      'the reader of the query parameter "p" is no function',
    ],
  ])('is refused with the name of its plugin: %s', (_, setup, message) => {
    expect(() => declaring(setup)).toThrow(
      `Plugin "a": ${message}`.replace('Plugin "a": the key', 'Plugin "a" in entry:beforeCreate: the key'),
    )
  })
})

describe('a value that a plugin makes for a request', () => {
  const made = (setup: (host: PluginHost) => void) =>
    setupPlugins(
      [definePlugin({ name: 'a', setup })],
      { attributeTypes: new Map(), hooks: new Map(Object.entries(coreHooks)) },
      silentLogger,
    )
  const fail = () => {
    throw new Error('no region')
  }

  it('names its plugin when it fails', () => {
    const { facts, runtimeValues, params } = made((host) => {
      host.fact('region', fail)
      host.runtimeValue('user', fail)
      host.param('near', { read: fail, default: 1 })
    })
    expect(() => facts.get('region')?.({})).toThrow('Plugin "a": the fact "region": no region')
    expect(() => runtimeValues.get('user')?.({})).toThrow('Plugin "a": the runtime value "user": no region')
    expect(() => params.get('near')?.read('x')).toThrow(
      'Plugin "a": the reader of the query parameter "near": no region',
    )
  })

  it('names its plugin when it is none', () => {
    const { facts, runtimeValues } = made((host) => {
      host.fact('region', () => 7 as never)
      host.runtimeValue('user', () => undefined as never)
    })
    expect(() => facts.get('region')?.({})).toThrow('Plugin "a": the fact "region" is a number, not a text')
    expect(() => runtimeValues.get('user')?.({})).toThrow(
      'Plugin "a": the runtime value "user" is nothing, not a text, a number, a boolean or null',
    )
  })

  it('may refuse the value of a client', () => {
    const read = () => {
      throw new InvalidValue('a number')
    }
    const { params } = made((host) => host.param('near', { read, default: 1 }))
    expect(() => params.get('near')?.read('x')).toThrow(InvalidValue)
  })

  it('names the plugin of actions that are none', () => {
    const { actions } = made((host) => host.actions(() => ['plugin::a.x'] as never))
    expect(() => actions[0]?.({} as never)).toThrow(
      'Plugin "a": the argument of host.actions returned a list, not a list of actions such as',
    )
  })
})
