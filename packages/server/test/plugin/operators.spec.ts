import { type FilterOperator, type Sql, sql } from '@octavo/core'
import { definePlugin, InvalidValue, type Plugin } from '@octavo/core/plugin'
import { createServer } from '@octavo/server'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { article, openSite, type Site } from '../support/site.ts'

declare module '@octavo/core' {
  interface AddedOperators {
    /** Characters. */
    $longer: { readonly on: 'string' | 'richtext'; readonly operand: `${number}` }
  }
}

const longer: FilterOperator<number, '$longer'> = {
  on: ['string', 'richtext'],
  meaning: 'has more characters than',
  example: '10',
  read: (text) => {
    if (text === '17') return undefined as unknown as number
    if (text === '13') throw new TypeError('no luck')
    if (!/^\d+$/.test(text)) throw new InvalidValue('a whole number')
    return Number(text)
  },
  sql: (value, least) => sql`char_length(${value}) > ${least}::int4`,
  reads: [],
}

/** Titles that an author has as a name, at least so many times. */
const isName = (value: Sql, least: number): Sql =>
  sql`(select count(*) from ${sql.id('authors')} as "named" where "named"."name" = ${value}) >= ${least}::int4`

/** A plugin with an operator, some parts of which are replaced, as code that no compiler has checked may do. */
const plugin = (parts: object = {}, name: `$${string}` = '$longer', plugin = 'lengths'): Plugin =>
  definePlugin({ name: plugin, setup: (host) => host.operator(name, { ...longer, ...parts } as never) })

describe('An operator of a plugin', () => {
  let site: Site
  beforeAll(async () => {
    const plugins = [
      plugin(),
      plugin({ sql: isName, reads: undefined }, '$named', 'names'),
      plugin({ sql: isName, reads: ['api::author.author'] }, '$namesAuthor', 'authors'),
    ]
    site = await openSite({ plugins, cache: { tags: 'Surrogate-Key' } })
  })
  afterAll(() => site.close())

  const tags = async (query: string): Promise<readonly string[]> =>
    (await site.api.get(`/api/articles?fields=id&${query}`)).headers
      .get('Surrogate-Key')
      ?.split(' ')
      .sort() ?? []

  const titles = async (query: string): Promise<unknown> => {
    const { body } = await site.api.get(`/api/articles?fields=title&sort=id&${query}`)
    return body.data?.map((entry: { attributes: { title: string } }) => entry.attributes.title) ?? body.error
  }

  it('filters, with others and through relations', async () => {
    const all = (await titles('')) as string[]
    const least = Math.min(...all.map(({ length }) => length))
    const expected = all.filter(({ length }) => length > least)
    expect(expected.length).toBeGreaterThan(0)
    expect(await titles(`filters[title][$longer]=${least}`)).toEqual(expected)
    expect(await titles(`filters[title][$not][$longer]=${least}`)).toEqual(
      all.filter(({ length }) => length === least),
    )
    expect(await titles(`filters[title][$longer]=${least}&filters[id][$lt]=0`)).toEqual([])
    const { body } = await site.api.get('/api/authors?filters[articles][title][$longer]=0')
    expect(body.data).toHaveLength(1)
  })

  it('is in statements once: its operands are parameters', async () => {
    const type = site.server.registry.contentType('api::article.article')
    const texts = await Promise.all(
      ['1', '2'].map(async (operand) => {
        const query = `filters[title][$longer]=${operand}`
        const { statement, nodes } = await site.server.octavo.explain(
          { type, action: 'find', kind: 'list', query, state: {} },
          { values: true },
        )
        expect(nodes?.where).toEqual({ title: { $longer: operand } })
        return statement?.text
      }),
    )
    expect(texts[0]).toBe(texts[1])
  })

  it('counts among the comparisons of a statement like others', async () => {
    const query = Array.from({ length: 501 }, (_, i) => `filters[$or][${i}][title][$longer]=${i + 20}`).join(
      '&',
    )
    const { status, body } = await site.api.get(`/api/articles?${query}&pagination[withCount]=false`)
    expect([status, body.error?.details?.code]).toEqual([400, 'query/too-complex'])
  })

  it('makes an answer depend on the values of the content-type, for cache tags', async () => {
    expect(await tags('filters[title][$longer]=0')).toEqual(await tags('filters[title][$ne]=x'))
    expect(await tags('filters[title][$longer]=0')).not.toEqual(await tags(''))
  })

  it('that reads other tables makes an answer depend on them: on its types, or else on every write', async () => {
    const own = await tags('filters[title][$ne]=x')
    expect(await tags('filters[title][$named]=0')).toEqual([...own, 'octavo:any-write'])
    expect(await tags('filters[title][$named]=0&populate=author')).toEqual(
      expect.arrayContaining(['octavo:any-write']),
    )
    // Types that the query does not name could reveal what an operator does.
    expect(await tags('filters[title][$namesAuthor]=0')).toEqual([...own, 'octavo:any-write'])
    expect(await tags('filters[title][$namesAuthor]=0&filters[author][id][$gt]=0')).toEqual(
      expect.arrayContaining(['author:list', 'author:values']),
    )
    expect(await tags('filters[title][$namesAuthor]=0&filters[author][id][$gt]=0')).not.toContain(
      'octavo:any-write',
    )
  })

  it.each([
    ['filters[title][$longer]=x', 'a whole number'],
    ['filters[views][$longer]=1', '$longer is for string, richtext, and "views" is integer'],
    ['filters[note][$longer]=1', 'note'],
    ['filters[title][$longr]=1', '$between, $longer, $named, $namesAuthor, $and'],
  ])('answers 400 to %s', async (query, message) => {
    const { status, body } = await site.api.get(`/api/articles?${query}`)
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('whose reader throws is a 500, and the log names the plugin and the operator', async () => {
    const { status, body } = await site.api.get('/api/articles?filters[title][$longer]=13')
    expect([status, body.error.message]).toEqual([500, 'Internal Server Error'])
    expect(site.log.map(({ fields }) => String((fields as { err?: unknown }).err))).toContain(
      'PluginError: Plugin "lengths": the filter operator "$longer" cannot read "13": no luck',
    )
  })

  it('whose reader returns nothing is a 500, and the log says so', async () => {
    const { status } = await site.api.get('/api/articles?filters[title][$longer]=17')
    expect(status).toBe(500)
    expect(site.log.map(({ fields }) => String((fields as { err?: unknown }).err))).toContainEqual(
      expect.stringContaining('the filter operator "$longer" returns nothing from "read" for "17"'),
    )
  })

  it('whose condition fails in the database is a 500, and the log names the plugin and the operator', async () => {
    const { status } = await site.api.get('/api/articles?filters[title][$longer]=99999999999')
    expect(status).toBe(500)
    expect(site.log.at(-2)?.fields).toMatchObject({
      parts: ['the filter operator $longer of the plugin "lengths"'],
    })
  })

  it('is typed for programs', async () => {
    const typed = await createServer({
      contentTypes: { article: { ...article, attributes: { title: article.attributes.title } } },
      plugins: [plugin()],
      database: site.database,
    })
    const articles = typed.octavo.entries('article')
    expect((await articles.find({ filters: { title: { $longer: '300' } } })).data).toEqual([])
    // @ts-expect-error a number as text
    await expect(articles.find({ filters: { title: { $longer: 'many' } } })).rejects.toThrow('a whole number')
    // @ts-expect-error not for numbers
    await expect(articles.find({ filters: { id: { $longer: '3' } } })).rejects.toThrow('$longer is for')
    await typed.close()
  })
})

describe('A mistake in an operator stops the start and names the plugin', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const start = (...plugins: readonly Plugin[]) =>
    createServer({
      contentTypes: [{ ...article, attributes: { title: { type: 'string' } } }],
      plugins,
      database: database.url,
    })

  it.each([
    [
      'an operator of core',
      [plugin({}, '$eq')],
      /Plugin "lengths": the filter operator "\$eq" already belongs to core/,
    ],
    ['a group', [plugin({}, '$or')], /the filter operator "\$or" already belongs to core/],
    [
      'an operator of another plugin',
      [plugin(), plugin({}, '$longer', 'other')],
      /Plugin "other": the filter operator "\$longer" already belongs to the plugin "lengths"/,
    ],
    ['a name without $', [plugin({}, 'longer' as never)], /"longer" has no valid name/],
    [
      'a type that does not exist',
      [plugin({ on: ['strin'] })],
      /Plugin "lengths": the filter operator "\$longer" is for the attribute type "strin", which does not exist; did you mean "string"\?/,
    ],
    ['no type', [plugin({ on: [] })], /is for no attribute type/],
    ['an example that it refuses', [plugin({ example: 'x' })], /does not read its example: a whole number/],
    ['a reader that throws', [plugin({ example: '13' })], /cannot read "13": no luck/],
    ['a promise from the reader', [plugin({ read: async () => 1 })], /returns a promise from "read"/],
    ['no SQL', [plugin({ sql: () => 'true' })], /returns something else than a fragment of sql/],
    ['SQL that throws', [plugin({ sql: () => Number('x').toFixed(200) })], /makes no condition: /],
    [
      'SQL that PostgreSQL refuses',
      [plugin({ sql: () => sql`nosuch(1)` })],
      /Plugin "lengths": the filter operator "\$longer" on api::article\.article\.title: PostgreSQL refuses the condition: .*nosuch/,
    ],
    [
      'SQL that is no condition',
      [plugin({ sql: () => sql`1` })],
      /PostgreSQL refuses the condition: .*boolean/,
    ],
  ])('%s', async (_title, plugins, message) => {
    await expect(start(...plugins)).rejects.toThrow(message)
  })
})
