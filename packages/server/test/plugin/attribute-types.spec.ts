import { defineContentType, importData, type Sql, sql } from '@octavo/core'
import { definePlugin, type Plugin, type ScalarType, scalarTypes } from '@octavo/core/plugin'
import { createServer } from '@octavo/server'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

/** Results of functions that no compiler has checked, with their names in messages. */
const wrong: Readonly<Record<string, readonly [() => unknown, string]>> = {
  nothing: [() => undefined, 'nothing'],
  'no number': [() => Number.NaN, 'NaN'],
  'a symbol': [() => Symbol('x'), 'a symbol'],
  'a bigint': [() => 7n, 'a bigint'],
  'an object': [() => ({ a: 1 }), 'an object'],
  'a function': [() => () => 1, 'a function'],
  'an invalid date': [() => new Date(Number.NaN), 'an invalid date'],
  // It would be a part of the statement.
  SQL: [() => sql`nosuch(1)`, 'an object'],
}
const failing: Readonly<Record<string, readonly [() => unknown, string]>> = {
  'an error': [() => Number('x').toFixed(200), 'toFixed'],
  'a text': [
    () => {
      throw 'out of luck'
    },
    'out of luck',
  ],
  'a promise': [() => Promise.resolve('x'), 'returned a promise'],
  // Nothing else would handle it: the process would end.
  'a rejected promise': [() => Promise.reject(new Error('late')), 'returned a promise'],
}

const string = scalarTypes.get('string') as ScalarType
/** The parts of the type "code" that a test replaces. */
let parts: Readonly<Record<string, (...args: never[]) => unknown>>
const part =
  (name: 'fromJson' | 'fromQuery' | 'constraints' | 'toJson' | 'toText') =>
  // No compiler has checked the functions of a test.
  (...args: readonly unknown[]): never =>
    ((parts[name] ?? string[name]) as (...args: readonly unknown[]) => unknown)(...args) as never
const code: ScalarType = {
  ...string,
  name: 'code',
  fromJson: part('fromJson'),
  fromQuery: part('fromQuery'),
  constraints: part('constraints'),
  toJson: part('toJson'),
  toText: part('toText'),
  hash: async (value) => (parts.hash ? parts.hash() : value) as never,
  isHashed: () => (parts.isHashed ? parts.isHashed() : false) as never,
}
const product = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'product', pluralName: 'products' },
  attributes: { name: { type: 'string' }, code: { type: 'code' as 'string', required: true } },
})
const codes = (type: object = code): Plugin =>
  definePlugin({ name: 'codes', setup: (host) => host.attributeType(type as ScalarType) })

describe('An attribute type of a plugin', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite({ contentTypes: [product], plugins: [codes()] }, false)
  })
  afterAll(() => site.close())
  beforeEach(() => {
    parts = {}
  })
  afterEach(async () => {
    parts = {}
    expect((await site.api.get('/api/products')).body.data).toEqual([])
  })

  const create = () => site.api.post('/api/products', { body: { data: { name: 'x', code: 'abc' } } })
  const errors = (): readonly string[] =>
    site.log.map(({ fields }) => String((fields as { readonly err?: unknown }).err))

  async function expectNamed(answer: Awaited<ReturnType<typeof create>>, ...texts: readonly string[]) {
    expect([answer.status, answer.body.error]).toEqual([
      500,
      {
        status: 500,
        name: 'InternalServerError',
        message: 'Internal Server Error',
        details: { code: 'server/failed' },
      },
    ])
    const last = errors().findLast((text) => text !== 'undefined')
    for (const text of texts) expect(last).toContain(text)
  }
  const named = (name: string) =>
    `PluginError: Plugin "codes": the attribute type "code" of api::product.product.code: ${name}`

  describe.each(['fromJson', 'constraints', 'hash'])('whose %s', (name) => {
    it.each(Object.entries(wrong))(
      'returns %s is a 500 that the log explains',
      async (_what, [result, kind]) => {
        parts = { [name]: result }
        await expectNamed(await create(), named(name), `returned ${kind}, not `)
      },
    )
  })

  describe.each(['fromJson', 'constraints', 'toJson'])('whose %s', (name) => {
    it.each(Object.entries(failing))(
      'throws or returns %s is a 500 that the log explains',
      async (_what, [result, text]) => {
        parts = { [name]: result }
        await expectNamed(await create(), named(name), text)
      },
    )
  })

  it.each([...Object.entries(wrong), ...Object.entries(failing)])(
    'whose isHashed gives %s stores nothing of an import, which names it',
    async (_what, [result]) => {
      parts = { isHashed: result }
      const file = { entries: { 'api::product.product': [{ id: 1, name: 'x', code: 'abc' }] } }
      await expect(importData(site.server.octavo, file)).rejects.toThrow(
        'Plugin "codes": the attribute type "code" of api::product.product.code: isHashed',
      )
    },
  )

  it.each([...Object.entries(wrong), ...Object.entries(failing)])(
    'whose fromQuery gives %s makes filters a 500 that the log explains',
    async (_what, [result]) => {
      parts = { fromQuery: result }
      for (const operator of ['$eq', '$in', '$ne'])
        await expectNamed(
          await site.api.get(`/api/products?filters[code][${operator}]=x`),
          named('fromQuery'),
        )
    },
  )

  it('whose SQL is none makes reads a 500 that the log explains', async () => {
    parts = { toText: () => 'lower(code)' }
    await expectNamed(
      await site.api.get('/api/products?filters[code][$contains]=a'),
      named('toText returned a string, not a fragment of sql`…`'),
    )
  })

  it('whose SQL the database refuses is named in the log', async () => {
    parts = { toJson: (column: Sql) => sql`nosuch(${column})` }
    await expectNamed(await create())
    expect(site.log.map(({ fields }) => fields)).toContainEqual(
      expect.objectContaining({
        parts: ['the attribute type "code" of api::product.product.code of the plugin "codes"'],
      }),
    )
  })

  it('that reads null from a value is no way around "required"', async () => {
    parts = { fromJson: () => null }
    const { status, body } = await create()
    expect([status, body.error.message]).toEqual([400, 'code may not be null.'])
  })

  it.each(['a\0b', 'a\ud800b'])('that passes on text which cannot be stored is a 400: %j', async (text) => {
    parts = { fromJson: () => text, fromQuery: () => text }
    expect((await create()).status).toBe(400)
    expect((await site.api.get('/api/products?filters[code]=x')).status).toBe(400)
  })
})

describe('A mistake in an attribute type stops the start and names the plugin', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it.each([
    ['a column that is no text', { column: () => 7 }, 'column returned a number, not a text'],
    ['a check that throws', { check: () => Number('x').toFixed(200) }, 'check: toFixed'],
    ['a check without a list', { check: () => undefined }, 'check returned nothing, not a list of mistakes'],
    ['an async function', { fromJson: async () => 'x' }, 'fromJson is async, and its result is used at once'],
  ])('%s', async (_what, change, message) => {
    parts = {}
    await expect(
      createServer({
        contentTypes: [product],
        plugins: [codes({ ...code, ...change })],
        database: database.url,
      }),
    ).rejects.toThrow(message)
    await expect(
      createServer({
        contentTypes: [product],
        plugins: [codes({ ...code, ...change })],
        database: database.url,
      }),
    ).rejects.toThrow('Plugin "codes": the attribute type "code"')
  })
})
