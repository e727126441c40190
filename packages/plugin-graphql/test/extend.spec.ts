/** Operations of the project, and parts of the schema that are left out. */
import { ForbiddenError, silentLogger } from '@octavo/core'
import { type GraphqlOptions, graphql } from '@octavo/plugin-graphql'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printedSchema } from '../src/schema/printed.ts'
import { schemaText } from '../src/schema/schema-text.ts'
import { ask, type Loose, login, type RecordedServer, recordedServer } from './recorded.ts'

const extension: NonNullable<GraphqlOptions['extend']>[number] = {
  typeDefs: `
    type Shelf { name: String! size(least: Int = 0): Int! }
    extend type Query { shelves(names: [String!]!): [Shelf!]! newest: ArticleEntityResponse profilesCount: Int }
    extend type Mutation { refuse: Boolean }
  `,
  resolvers: {
    Query: {
      shelves: (_parent, { names }) => (names as readonly string[]).map((name) => ({ name })),
      newest: async (_parent, _values, { octavo, state }) => {
        const { data } = await octavo
          .entries('article', state)
          .find({ sort: 'id:desc', pagination: { limit: 1 }, populate: { author: true } })
        return { data: data[0] }
      },
      profilesCount: () => 1,
    },
    Mutation: {
      refuse: () => {
        throw new ForbiddenError('test/refused', 'Not today.')
      },
    },
    Shelf: { size: (parent, { least }) => Math.max((parent as { name: string }).name.length, Number(least)) },
  },
  actions: { profilesCount: 'api::profile.profile.find' },
}

let running: RecordedServer
let token: string
beforeAll(async () => {
  running = await recordedServer({
    extend: [extension],
    disabled: ['api::tag.tag', 'api::article.article.delete', 'api::article.article.views'],
  })
  token = await login(running.url)
})
afterAll(() => running.close())

describe('An operation of the project', () => {
  it('is resolved by its functions, with arguments, fragments and variables', async () => {
    const query = `query ($names: [String!]!) { all: shelves(names: $names) { ...shelf } newest { data { id attributes { title author { data { attributes { name } } } } } } }
      fragment shelf on Shelf { name size(least: 3) }`
    const { body } = await ask(running.url, query, { variables: { names: ['a', 'long'] } })
    expect(body.data.all).toEqual([
      { name: 'a', size: 3 },
      { name: 'long', size: 4 },
    ])
    const rest = (await (
      await fetch(`${running.url}/api/articles?sort=id:desc&pagination[limit]=1&populate=author`)
    ).json()) as Loose
    const [entry] = rest.data
    const { title, author } = entry.attributes
    expect(body.data.newest.data).toEqual({
      id: String(entry.id),
      attributes: {
        title,
        author: { data: author.data && { attributes: { name: author.data.attributes.name } } },
      },
    })
  })

  it('needs its permission, and its errors are those of REST', async () => {
    const anonymous = await ask(running.url, '{ profilesCount }')
    expect(anonymous.body.errors[0].extensions.code).toBe('FORBIDDEN')
    const { body } = await ask(running.url, 'mutation { refuse }', { token })
    expect(body.errors[0].extensions.error).toMatchObject({ name: 'ForbiddenError', message: 'Not today.' })
  })

  it.each([
    [{ typeDefs: 'extend type Query { a: Nope }' }, 'Nope'],
    [{ typeDefs: 'extend type Query { a: Int }', resolvers: { Query: { b: () => 1 } } }, 'Query.b'],
    [{ typeDefs: 'extend type Query { a: Int }', actions: { a: 'nope' } }, 'nope'],
    [{ typeDefs: 'type Query { a: Int }' }, 'write "extend type Query { … }"'],
    [{ typeDefs: 'input ArticleInput { a: Int }' }, 'write "extend input ArticleInput { … }"'],
  ])('with a mistake stops the start', async (extend, named) => {
    await expect(recordedServer({ extend: [extend] })).rejects.toThrow(named)
  })
})

describe('A server without content-types', () => {
  const answers = async (options: GraphqlOptions, ...queries: readonly string[]) => {
    const database = await createTestDatabase()
    const server = await createServer({
      contentTypes: [],
      plugins: [graphql(options)],
      database: database.url,
      access: 'open',
      logger: silentLogger,
    })
    try {
      const { url } = await server.listen(0, '127.0.0.1')
      return await Promise.all(queries.map(async (query) => (await ask(url, query)).body))
    } finally {
      await server.close()
      await database.drop()
    }
  }

  it('has the query of the reference for an empty schema, and no mutations', async () => {
    expect(await answers({}, '{ ok }', '{ __schema { mutationType { name } } }')).toEqual([
      { data: { ok: true } },
      { data: { __schema: { mutationType: null } } },
    ])
  })

  it('has the operations of the project', async () => {
    const typeDefs = 'extend type Query { one: Int } extend type Mutation { two: Int }'
    const resolvers = { Query: { one: () => 1 }, Mutation: { two: () => 2 } }
    expect(await answers({ extend: [{ typeDefs, resolvers }] }, '{ one }', 'mutation { two }')).toEqual([
      { data: { one: 1 } },
      { data: { two: 2 } },
    ])
  })
})

describe('The option disabled', () => {
  it('leaves out types with the relations to them, operations and attributes', () => {
    const names = ['api::tag.tag', 'api::article.article.delete', 'api::article.article.views']
    const { octavo } = running.server
    const lines = (text: string): readonly string[] => text.split('\n')
    const left = new Set(lines(printedSchema(schemaText(octavo, names))))
    const gone = lines(printedSchema(schemaText(octavo))).filter((line) => !left.has(line))
    const others = gone.filter((line) => !/Tag|^ {2}tags?\b/.test(line)).map((line) => line.trim())
    expect(others.toSorted()).toEqual([
      'deleteArticle(id: ID!, locale: I18NLocaleCode): ArticleEntityResponse',
      'favourites: [ID]',
      'views: Int',
      'views: Int',
      'views: IntFilterInput',
    ])
  })

  it('names a part that does not exist', () => {
    expect(() => schemaText(running.server.octavo, ['api::article.article.titel'])).toThrow(
      'did you mean "api::article.article.title"',
    )
  })
})
