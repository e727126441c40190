import { type Logger, silentLogger, sql, ValidationError } from '@octavo/database'
import { describe, expect, it, vi } from 'vitest'
import type { HookRow } from '../hooks/hook-row.ts'
import { HookRunner } from '../hooks/hook-runner.ts'
import type { HookName } from '../hooks/hooks.ts'
import { usesDatabase } from '../hooks/write-filters.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import type { RequestState } from '../plugin/request-state.ts'
import { isUnrestricted } from '../plugin/unrestricted.ts'
import type { WriteFilter } from '../plugin/write-event.ts'
import { definePlugin, type Plugin, type PluginHost } from './define.ts'
import { coreHooks } from './lifecycle-hooks.ts'
import { orderPlugins } from './order.ts'
import { setupPlugins } from './setup.ts'

const plugin = (name: string, needs: Partial<Plugin> = {}): Plugin => ({ name, setup: () => {}, ...needs })
const namesOf = (plugins: readonly Plugin[]): string[] => orderPlugins(plugins).map(({ name }) => name)

describe('orderPlugins', () => {
  it('keeps the order of the list by default', () => {
    expect(namesOf([plugin('b'), plugin('a'), plugin('c')])).toEqual(['b', 'a', 'c'])
  })
  it('follows after, before and requires, and ignores plugins that are not installed', () => {
    expect(
      namesOf([plugin('a', { after: ['c', 'absent'] }), plugin('b', { before: ['c'] }), plugin('c')]),
    ).toEqual(['b', 'c', 'a'])
    expect(namesOf([plugin('a', { requires: ['b'] }), plugin('b')])).toEqual(['b', 'a'])
  })
  it.each([
    ['a duplicate name', [plugin('a'), plugin('a')], /two plugins are named "a"/],
    ['a missing required plugin', [plugin('a', { requires: ['b'] })], /"a" requires the plugin "b"/],
    [
      'a misspelt required plugin',
      [plugin('a', { requires: ['uplaod'] }), plugin('upload')],
      /requires the plugin "uplaod", which is not in the list; did you mean "upload"\?/,
    ],
    [
      'the package of a required plugin',
      [plugin('a', { requires: ['@octavo/plugin-upload'] }), plugin('upload')],
      /which is not in the list; did you mean "upload"\?/,
    ],
    [
      'a circular order',
      [plugin('a', { after: ['b'] }), plugin('b', { after: ['a'] })],
      /"a", "b" is circular/,
    ],
  ])('refuses %s and names the plugins', (_, plugins, message) => {
    expect(() => orderPlugins(plugins)).toThrow(PluginError)
    expect(() => orderPlugins(plugins)).toThrow(message)
  })
})

const setup = (...plugins: readonly Plugin[]) =>
  setupPlugins(
    plugins,
    { attributeTypes: new Map(), hooks: new Map(Object.entries(coreHooks)) },
    silentLogger,
  )

describe('host.unrestricted', () => {
  it('is listed with the plugin and the reason', () => {
    const made: RequestState[] = []
    const declared = setup(
      definePlugin({ name: 'news', setup: (host) => made.push(host.unrestricted('sends the newsletter')) }),
    )
    expect(declared.unrestricted).toEqual(['news: sends the newsletter'])
    expect(made.map(isUnrestricted)).toEqual([true])
  })
  it('needs a reason, and is only available in setup', () => {
    expect(() => setup(definePlugin({ name: 'mute', setup: (host) => host.unrestricted(' ') }))).toThrow(
      /"mute".*reason/,
    )
    let kept: PluginHost | undefined
    setup(
      definePlugin({
        name: 'late',
        setup: (host) => {
          kept = host
        },
      }),
    )
    expect(() => kept?.unrestricted('too late')).toThrow('setup')
  })
})

describe('setupPlugins', () => {
  const claim = (name: string, make: (host: PluginHost) => void) => definePlugin({ name, setup: make })
  it.each<[string, (host: PluginHost) => void]>([
    ['query parameter', (host) => host.param('p', { read: () => 1, default: 1 })],
    ['fact', (host) => host.fact('p', () => '')],
    ['runtime value', (host) => host.runtimeValue('p', () => null)],
    ['section', (host) => host.section('p', { import: async () => {}, export: async () => [] })],
    ['attribute type', (host) => host.attributeType({ kind: 'siblings', name: 'p', column: 'p' })],
  ])('refuses a %s that two plugins declare, and names both', (what, make) => {
    expect(() => setup(claim('first', make), claim('second', make))).toThrow(
      new RegExp(`second.*${what} "p".*"first"`),
    )
  })
  it.each(['sort', 'pagination', 'fields', 'populate', 'filters', '_q'])(
    'refuses the query parameter %s, which belongs to core',
    (name) => {
      expect(() => setup(claim('one', (host) => host.param(name, { read: () => 1, default: 1 })))).toThrow(
        /belongs to core/,
      )
    },
  )
  it.each([
    [{ column: {} }, 'The table "octavo_a" has no columns, such as'],
    [undefined, 'The table "octavo_a" has no columns, such as'],
    [
      { columns: { a: { type: 'text', index: ['b'] } } },
      'The index of "a" of "octavo_a" names "b", which is no column of it',
    ],
    [
      { columns: { what: { type: 'string' } } },
      'The column "what" of "octavo_a" has the type "string", not one of text, integer,',
    ],
    [
      { columns: { what: 'text' } },
      'The column "what" of "octavo_a" has the type "undefined", not one of text,',
    ],
    [
      { columns: { what: null } },
      'The column "what" of "octavo_a" has the type "undefined", not one of text,',
    ],
  ])('names the plugin and the mistake in a table: %j', (definition, message) => {
    const broken = claim('broken', (host) => void host.table('octavo_a', definition as never))
    expect(() => setup(broken)).toThrow(`Plugin "broken" in setup: ${message}`)
  })
  it('does not compile a filter of a hook that is not of writes', () => {
    const broken = claim('one', (host) => {
      // @ts-expect-error `query:node` has no filter
      host.hook('query:node', () => undefined, { types: [] })
    })
    expect(() => setup(broken)).toThrow('Plugin "one" in query:node: only the hooks of writes')
  })
  it('names the plugin whose setup throws', () => {
    const broken = claim('broken', () => {
      throw new TypeError('no')
    })
    expect(() => setup(broken)).toThrow('Plugin "broken" in setup: no')
  })
  it('refuses a hook that does not exist', () => {
    expect(() => setup(claim('one', (host) => host.hook('no:such' as never, (() => {}) as never)))).toThrow(
      /no hook "no:such"; there are definitions:extend/,
    )
    expect(() =>
      setup(claim('one', (host) => host.hook('entry:inputs' as never, (() => {}) as never))),
    ).toThrow(/"one".*no hook "entry:inputs"; did you mean "entry:input"/)
    expect(() =>
      setup(claim('one', (host) => host.hook('server:routes' as never, (() => {}) as never))),
    ).toThrow(
      /no hook "server:routes" without a server: use createServer, or createOctavo\({ hooks: serverHooks }\)/,
    )
  })
  it('refuses a handler that is no function', () => {
    expect(() => setup(claim('one', (host) => host.hook('entry:input', undefined as never)))).toThrow(
      'Plugin "one" in entry:input: the handler is no function, but nothing',
    )
  })
  it('refuses an async handler of a synchronous hook at start', () => {
    expect(() => setup(claim('one', (host) => host.hook('query:node', (async () => {}) as never)))).toThrow(
      'Plugin "one" in query:node: the handler is async, and this hook is synchronous',
    )
  })
  it.each<[string, (host: PluginHost) => unknown]>([
    ['the fact "role"', (host) => host.fact('role', (async () => 'x') as never)],
    ['the runtime value "user"', (host) => host.runtimeValue('user', (async () => 1) as never)],
    [
      'the reader of the query parameter "a"',
      (host) => host.param('a', { read: async () => 1, default: 1 as never }),
    ],
  ])('refuses %s that is async, and one that is no function', (what, declare) => {
    expect(() => setup(claim('one', (host) => void declare(host)))).toThrow(`Plugin "one": ${what} is async`)
    expect(() => setup(claim('one', (host) => void host.fact('role', 'x' as never)))).toThrow(
      'Plugin "one": the fact "role" is no function',
    )
  })
  it('refuses an async setup', () => {
    const late = claim('late', async () => {
      throw new Error('not waited for')
    })
    expect(() => setup(late)).toThrow(/Plugin "late" in setup: setup is async.*host\.start/)
  })
  it.each<[string, (host: PluginHost) => void]>([
    ['hook', (host) => host.hook('query:node', () => undefined)],
    ['start', (host) => host.start(() => 1)],
    ['forEachType', (host) => host.forEachType(() => {})],
    ['table', (host) => host.table('octavo_late', { columns: {} })],
    ['channel', (host) => host.channel(() => {})],
    ['operator', (host) => host.operator('$late', undefined as never)],
    ['fact', (host) => host.fact('late', () => '')],
    ['param', (host) => host.param('late', { read: () => 1, default: 1 })],
    ['actions', (host) => host.actions(() => [])],
    ['command', (host) => host.command('late', { description: '', run: async () => true })],
  ])('refuses host.%s after setup', (name, call) => {
    let kept: PluginHost | undefined
    setup(
      claim('late', (host) => {
        kept = host
      }),
    )
    expect(() => kept && call(kept)).toThrow(`Plugin "late": host.${name} was called after setup`)
  })
})

// Handlers in these tests return values that show how results combine, so the results are not checked.
const unchecked = Object.entries(coreHooks).map(([name, { kind, purpose, when, before, after }]) => {
  const row: HookRow = { kind, purpose, when, before, after }
  return [name, row] as const
})
const runner = (logger: Logger = silentLogger) => new HookRunner(new Map(unchecked), logger)
const checking = () => new HookRunner(new Map(Object.entries(coreHooks)), silentLogger)
const answering =
  (hooks: HookRunner, name: HookName) => (plugin: string, handler: (...args: never[]) => unknown) =>
    hooks.add(plugin, name, handler as never)

describe('HookRunner', () => {
  it('collect returns the results that are not undefined, in order', () => {
    const hooks = runner()
    const on = answering(hooks, 'query:node')
    on('a', () => 1)
    on('b', () => undefined)
    on('c', () => 3)
    expect(hooks.collect('query:node', {} as never, {} as never)).toEqual([1, 3])
  })
  it('transform passes each handler the result of the previous one', async () => {
    const hooks = runner()
    const on = answering(hooks, 'entry:input')
    on('a', (n: number) => n + 1)
    on('b', async (n: number) => n * 10)
    const steps: unknown[] = []
    const note = (step: unknown) => void steps.push(step)
    expect(await hooks.transformSteps('entry:input', note, 1 as never, {} as never)).toBe(20)
    expect(steps).toEqual([2, 20])
  })
  it('transform refuses a handler that returns nothing, and names plugin and hook', async () => {
    const hooks = runner()
    answering(hooks, 'entry:input')('a', () => {})
    expect(() => hooks.transformSteps('entry:input', () => {}, 1 as never, {} as never)).toThrow(
      'Plugin "a" in entry:input: the handler returned nothing',
    )
    answering(hooks, 'definitions:extend')('b', () => null)
    expect(() => hooks.transform('definitions:extend', {} as never)).toThrow(
      'Plugin "b" in definitions:extend: the handler returned null',
    )
  })
  it('a promise of a synchronous hook is refused, with the names of plugin and hook', () => {
    const hooks = runner()
    answering(hooks, 'definitions:extend')('a', () => Promise.reject(new Error('unhandled')))
    expect(() => hooks.transform('definitions:extend', {} as never)).toThrow(
      'Plugin "a" in definitions:extend: the handler returned a promise, and this hook is synchronous',
    )
    const each = runner()
    answering(each, 'query:single')('a', () => Promise.reject(new Error('unhandled')))
    // Core has no hook of the kind itself; those of the server are called in the same way.
    expect(() => each.register('query:single' as never, () => ({}) as never)).toThrow(
      'Plugin "a" in query:single: the handler returned a promise',
    )
    answering(hooks, 'query:node')('b', () => Promise.resolve('forbid'))
    expect(() => hooks.collect('query:node', {} as never, {} as never)).toThrow(
      'Plugin "b" in query:node: the handler returned a promise',
    )
  })
  it.each<[HookName, unknown, string]>([
    ['entry:delete', 7, 'a number, not an object or undefined'],
    ['entry:delete', [], 'a list, not an object or undefined'],
    [
      'entry:strictness',
      'strict',
      "a string, not 'complete', 'partial', 'lenient', { lenientIf: a condition } or undefined",
    ],
    ['entry:beforeDelete', false, 'false; it refuses with an error, such as a ForbiddenError'],
    ['entry:input', 'text', 'a string, not the input, as an object'],
  ])('%s refuses the result %j, and names plugin and hook', async (name, answer, reason) => {
    const hooks = checking()
    answering(hooks, name)('a', () => answer)
    const call = async (): Promise<void> => {
      if (name === 'entry:input') await hooks.transformSteps(name, () => {}, {}, {} as never)
      else if (name === 'entry:beforeDelete') await hooks.guard(name, {} as never)
      else await hooks.decide(name as 'entry:delete', {} as never)
    }
    await expect(call()).rejects.toThrow(`Plugin "a" in ${name}: the handler returned ${reason}`)
  })
  it.each<[HookName, unknown, string]>([
    ['query:node', true, "a boolean, not a condition, 'forbid' or undefined"],
    ['query:node', { kind: 'compar' }, "an object, not a condition, 'forbid' or undefined"],
    [
      'query:node',
      { kind: 'and', children: [undefined] },
      "an object, not a condition, 'forbid' or undefined",
    ],
    ['query:node', { kind: 'compare' }, "an object, not a condition, 'forbid' or undefined"],
    ['entry:writable', 'no', 'a string, not true, false or undefined'],
    ['query:node', null, "null, not a condition, 'forbid' or undefined"],
    ['query:attribute', 'no', 'a string, not true, false or undefined'],
    ['query:meta', {}, 'an object, not a list of { name, relation, attribute } or undefined'],
    ['query:meta', [{ name: 'x' }], 'a list, not a list of { name, relation, attribute } or undefined'],
    ['entry:statements', [{ statement: sql`select 1` }], 'a list, not a list of statements, each { when'],
    [
      'entry:statements',
      [{ when: 'after', statement: 'select 1' }],
      'a list, not a list of statements, each { when',
    ],
    ['entry:statements', [sql`select 1`], 'a list, not a list of statements, each { when'],
    ['entry:checks', [{ finds: sql`select 1` }], 'a list, not a list of checks, each { finds'],
    ['definitions:extend', { contentTypes: [] }, 'an object, not an object with the lists'],
  ])('%s, which is synchronous, refuses the result %j', (name, answer, reason) => {
    const hooks = checking()
    answering(hooks, name)('a', () => answer)
    const call = (): unknown =>
      name === 'definitions:extend'
        ? hooks.transform(name, {} as never)
        : hooks.collect(name as 'query:node', {} as never, {} as never)
    expect(call).toThrow(`Plugin "a" in ${name}: the handler returned ${reason}`)
  })
  describe('with a filter', () => {
    const event = (uid: string, input = {}) => ({ action: 'update', type: { uid }, input }) as never
    it('runs a handler for the writes that its filter names', async () => {
      const hooks = runner()
      const ran: string[] = []
      const on = (plugin: string, filter: WriteFilter) =>
        hooks.add(plugin, 'entry:afterUpdate', () => void ran.push(plugin), filter)
      on('list', { types: ['a'] })
      on('predicate', { types: ({ uid }) => uid === 'b' })
      on('input', { when: ({ input }) => 'title' in input })
      for (const one of [event('a'), event('b'), event('c', { title: 1 }), event('c')])
        await hooks.guard('entry:afterUpdate', one)
      expect(ran).toEqual(['list', 'predicate', 'input'])
      expect(hooks.has('entry:afterUpdate', event('c'))).toBe(false)
      expect(hooks.has('entry:afterUpdate', event('b'))).toBe(true)
    })
    it('says whether a handler for the write uses the database; without a filter, it does', () => {
      const hooks = runner()
      const add = (filter?: WriteFilter) => hooks.add('one', 'entry:input', (input) => input, filter)
      add({ database: false })
      expect(usesDatabase(hooks, 'entry:input', event('a'))).toBe(false)
      add({ types: ['b'], database: ({ input }) => 'title' in input })
      expect(usesDatabase(hooks, 'entry:input', event('a', { title: 1 }))).toBe(false)
      expect(usesDatabase(hooks, 'entry:input', event('b', { title: 1 }))).toBe(true)
      add()
      expect(usesDatabase(hooks, 'entry:input', event('a'))).toBe(true)
    })
    it('names the plugin whose filter throws', async () => {
      const hooks = runner()
      const types = () => {
        throw new Error('no')
      }
      hooks.add('broken', 'entry:afterUpdate', () => {}, { types })
      await expect(hooks.guard('entry:afterUpdate', event('a'))).rejects.toThrow(
        'Plugin "broken" in entry:afterUpdate: no',
      )
    })
    it.each<[HookName, unknown, string]>([
      ['entry:input', { type: ['a'] }, 'the filter has no key "type"; did you mean "types"?'],
      [
        'entry:input',
        { only: ['a'] },
        'the filter has no key "only"; there are types, when, database, if, sends',
      ],
      [
        'entry:input',
        { types: 'api::article.article' },
        `the key "types" of the filter is a string, not a list of uids, such as ['api::article.article'], or a function of the content-type`,
      ],
      ['entry:committed', { types: [1] }, 'the key "types" of the filter is a list, not a list of uids'],
      [
        'entry:input',
        { when: true },
        'the key "when" of the filter is a boolean, not a function of the write',
      ],
      ['entry:input', { database: 'no' }, 'is a string, not true, false or a function of the write'],
      [
        'entry:afterCreate',
        { database: false },
        'the key "database" of a filter is for entry:input and entry:strictness only',
      ],
      [
        'entry:beforeCreate',
        { if: () => undefined },
        'the key "if" of a filter is for entry:beforeUpdate and entry:afterUpdate only',
      ],
      ['entry:input', 'api::article.article', 'the filter is a string, not an object such as'],
      ['entry:input', null, 'the filter is null, not an object such as'],
    ])('is refused where it has no meaning: %s %j', (hook, filter, message) => {
      const add = () => runner().add('one', hook, () => undefined as never, filter as WriteFilter)
      expect(add).toThrow(message)
      expect(add).toThrow(`Plugin "one" in ${hook}: `)
    })
    it('is refused for a hook that is not of writes', () => {
      expect(() => runner().add('one', 'query:node', () => undefined, { types: [] })).toThrow(
        'Plugin "one" in query:node: only the hooks of writes, entry:…, have a filter',
      )
    })
  })
  it('decide returns the first result and runs no handler after it', async () => {
    const hooks = runner()
    const on = answering(hooks, 'entry:strictness')
    const called: string[] = []
    on('a', () => void called.push('a'))
    on('b', () => {
      called.push('b')
      return 'yes'
    })
    on('c', () => void called.push('c'))
    expect(await hooks.decide('entry:strictness', {} as never)).toBe('yes')
    expect(called).toEqual(['a', 'b'])
  })
  it('guard rethrows an OctavoError and wraps any other error with the names of plugin and hook', async () => {
    const refused = runner()
    const error = new ValidationError('test/no', 'No')
    answering(refused, 'octavo:start')('a', () => {
      throw error
    })
    await expect(refused.guard('octavo:start', {} as never)).rejects.toBe(error)
    const broken = runner()
    answering(broken, 'octavo:start')('b', async () => {
      throw new RangeError('deep')
    })
    await expect(broken.guard('octavo:start', {} as never)).rejects.toThrow(
      'Plugin "b" in octavo:start: deep',
    )
  })
  it('notify runs all handlers and logs errors', async () => {
    const logged: object[] = []
    const hooks = runner({ ...silentLogger, error: (fields) => void logged.push(fields) })
    let notified = false
    hooks.add('a', 'octavo:stop', () => {
      throw new Error('no')
    })
    hooks.add('b', 'octavo:stop', () => {
      notified = true
    })
    await hooks.notify('octavo:stop', {} as never)
    expect([notified, logged]).toEqual([
      true,
      [expect.objectContaining({ plugin: 'a', hook: 'octavo:stop' })],
    ])
  })
  /** The hooks of core with their times, and the errors that they log. */
  const ofCore = () => {
    const logged: unknown[] = []
    const error = (fields: object) => void logged.push(fields)
    return { logged, hooks: new HookRunner(new Map(Object.entries(coreHooks)), { ...silentLogger, error }) }
  }
  it('notify logs the error of a handler of a committed write that comes after its 10 s', async () => {
    vi.useFakeTimers()
    try {
      const { hooks, logged } = ofCore()
      const ends = Promise.withResolvers<void>()
      hooks.add('slow', 'entry:committed', () => ends.promise)
      const notified = hooks.notify('entry:committed', {} as never)
      await vi.advanceTimersByTimeAsync(10_000)
      await notified
      ends.reject(new Error('the receiver is gone'))
      await vi.advanceTimersByTimeAsync(0)
      const failureWith = (message: string) => ({
        plugin: 'slow',
        hook: 'entry:committed',
        err: expect.objectContaining({ message: expect.stringContaining(message) }),
      })
      expect(logged).toEqual([failureWith('has not ended'), failureWith('the receiver is gone')])
    } finally {
      vi.useRealTimers()
    }
  })
  it.each([
    ['entry:committed', 10_000],
    ['octavo:stop', 30_000],
  ] as const)('notify waits for a handler of %s for %d ms, and runs the others', async (hook, patience) => {
    vi.useFakeTimers()
    try {
      const { hooks, logged } = ofCore()
      hooks.add('slow', hook, () => new Promise<void>(() => {}))
      let isNotified = false
      hooks.add('b', hook, () => {
        isNotified = true
      })
      const notified = hooks.notify(hook, {} as never)
      expect(hooks.unfinished.names()).toEqual([`${hook} of slow`])
      await vi.advanceTimersByTimeAsync(patience - 1_000)
      expect(isNotified).toBe(false)
      await vi.advanceTimersByTimeAsync(1_000)
      await notified
      expect(isNotified).toBe(true)
      const message = expect.stringContaining(`the handler has not ended after ${patience} ms`)
      expect(logged).toEqual([
        expect.objectContaining({ plugin: 'slow', err: expect.objectContaining({ message }) }),
      ])
    } finally {
      vi.useRealTimers()
    }
  })
})
