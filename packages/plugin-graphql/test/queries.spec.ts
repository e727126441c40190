/** Selections, and what a root field reads. */
import { unrestricted } from '@octavo/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Loose, login, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
let token: string
beforeAll(async () => {
  running = await recordedServer()
  token = await login(running.url)
})
afterAll(() => running.close())

/** The data of an answer without errors. */
async function data(query: string, variables?: object): Promise<Loose> {
  const { body } = await ask(running.url, query, { token, ...(variables && { variables }) })
  expect(body.errors).toBeUndefined()
  return body.data
}

const rest = async (path: string): Promise<Loose> =>
  (await fetch(`${running.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })).json()

describe('A root field', () => {
  it.each(['0', '"0"', '-1', '"-5"', '1000000'])(
    'finds nothing by an id that no entry can have: %s',
    async (id) => {
      expect(await data(`{ tag(id: ${id}) { data { id } } }`)).toEqual({ tag: { data: null } })
      expect(await data('query ($id: ID) { tag(id: $id) { data { id } } }', { id: JSON.parse(id) })).toEqual({
        tag: { data: null },
      })
      expect(await data(`mutation { updateTag(id: ${id}, data: { weight: 1 }) { data { id } } }`)).toEqual({
        updateTag: { data: null },
      })
      expect(await data(`mutation { deleteTag(id: ${id}) { data { id } } }`)).toEqual({
        deleteTag: { data: null },
      })
    },
  )

  it('is one statement, with aliases of one relation that have different arguments', async () => {
    const { store } = running.server.octavo
    const statements: string[] = []
    const execute = store.execute.bind(store)
    store.execute = (statement, ...more) => {
      // Without the estimate of a price, which is made once a minute.
      if (!statement.text.startsWith('explain')) statements.push(statement.text)
      return execute(statement, ...more)
    }
    const { authors } = await data(`{ authors(sort: "id", pagination: { limit: 3 }) { data { id attributes {
      first: articles(sort: "id", pagination: { limit: 1 }) { data { id } }
      last: articles(sort: "id:desc", pagination: { limit: 1 }) { data { id attributes { title } } }
      articles(sort: "id:desc", pagination: { limit: 1 }) { data { attributes { views categories(sort: "id") { data { id } } } } }
    } } } }`)
    store.execute = execute
    expect(statements).toHaveLength(1)

    const list = (sort: string): string =>
      `/authors?sort=id&pagination[limit]=3&populate[articles][sort]=${sort}&populate[articles][limit]=1&populate[articles][populate][categories][sort]=id`
    const [up, down] = [await rest(list('id')), await rest(list('id:desc'))]
    const ids = (entries: readonly { readonly id: number }[]): object =>
      entries.map(({ id }) => ({ id: String(id) }))
    expect(authors.data).toEqual(
      up.data.map((author: Loose, i: number) => {
        const [last] = down.data[i].attributes.articles.data
        return {
          id: String(author.id),
          attributes: {
            first: { data: ids(author.attributes.articles.data) },
            last: { data: [{ id: String(last.id), attributes: { title: last.attributes.title } }] },
            articles: {
              data: [
                {
                  attributes: {
                    views: last.attributes.views,
                    categories: { data: ids(last.attributes.categories.data) },
                  },
                },
              ],
            },
          },
        }
      }),
    )
  })

  it('counts its entries only when the selection has the total', async () => {
    const { store } = running.server.octavo
    const statements: string[] = []
    const execute = store.execute.bind(store)
    store.execute = (statement, ...more) => {
      if (!statement.text.startsWith('explain')) statements.push(statement.text)
      return execute(statement, ...more)
    }
    await data('{ tags { data { id } meta { pagination { page pageSize } } } }')
    await data('{ tags { data { id } meta { pagination { total } } } }')
    store.execute = execute
    expect(statements.map((text) => text.includes('count(*)'))).toEqual([false, true])
  })
})

describe('A selection', () => {
  it('joins fragments, fields of one key, and directives', async () => {
    const found = await data(
      `query ($with: Boolean!) {
        article(id: 3) { ...whole data { attributes { views @include(if: $with) slug @skip(if: $with) } } }
      }
      fragment whole on ArticleEntityResponse { data { id ...title } __typename }
      fragment title on ArticleEntity { attributes { title author { data { id } } author { data { attributes { name } } } } }`,
      { with: true },
    )
    const { data: article } = await rest('/articles/3?populate=author')
    const { title, views, author } = article.attributes
    expect(found).toEqual({
      article: {
        data: {
          id: '3',
          attributes: {
            title,
            views,
            author: {
              data: { id: String(author.data.id), attributes: { name: author.data.attributes.name } },
            },
          },
        },
        __typename: 'ArticleEntityResponse',
      },
    })
  })

  it('has the components of a zone by their types', async () => {
    const { articles } = await data(`{ articles(sort: "id", pagination: { limit: 4 }) { data { attributes {
      blocks { kind: __typename ... on ComponentBlocksQuote { text } ... on ComponentBlocksHero { id title: heading } }
    } } } }`)
    const { data: entries } = await rest('/articles?sort=id&pagination[limit]=4&populate=blocks')
    const names: Record<string, string> = {
      'blocks.hero': 'ComponentBlocksHero',
      'blocks.quote': 'ComponentBlocksQuote',
      'blocks.gallery': 'ComponentBlocksGallery',
    }
    expect(articles.data.map((entry: Loose) => entry.attributes.blocks)).toEqual(
      entries.map((entry: Loose) =>
        entry.attributes.blocks.map((block: Loose) => ({
          kind: names[block.__component],
          ...(block.__component === 'blocks.quote' && { text: block.text }),
          ...(block.__component === 'blocks.hero' && { id: String(block.id), title: block.heading }),
        })),
      ),
    )
  })

  it('reads only what it names', async () => {
    const { octavo } = running.server
    const queries: string[] = []
    const read = octavo.read.bind(octavo)
    Object.assign(octavo, {
      read: (request: Parameters<typeof read>[0]) => {
        queries.push(request.query)
        return read(request)
      },
    })
    await data('{ articles(sort: "id") { data { attributes { title seo { metaTitle } } } } }')
    Object.assign(octavo, { read })
    expect(queries).toEqual([
      'sort[0]=id&pagination[start]=0&pagination[limit]=10&pagination[withCount]=false&fields[]=title&populate[seo][fields][]=metaTitle',
    ])
  })
})

describe('A value that the schema requires', () => {
  const query =
    '{ articles(publicationState: PREVIEW, sort: "id:desc", pagination: { limit: 2 }) { data { id attributes { title slug } } } }'

  it('makes the object around it null and is an error where an entry lacks it', async () => {
    const { octavo } = running.server
    const state = unrestricted('writes a draft without a title')
    const { id } = await octavo.entries('article', state).create({ title: 'whole' })
    const before = await data(query)
    expect(before.articles.data[0]).toMatchObject({ id: String(id), attributes: { title: 'whole' } })
    await octavo.store.execute({ text: 'update articles set title = null where id = $1', values: [id] }, {})
    const { body } = await ask(running.url, query, { token })
    expect(body.data.articles.data).toEqual([{ id: String(id), attributes: null }, before.articles.data[1]])
    expect(body.errors).toEqual([
      {
        message: 'Cannot return null for non-nullable field Article.title.',
        path: ['articles'],
        extensions: { code: 'INTERNAL_SERVER_ERROR', field: 'articles' },
      },
    ])
    await octavo.entries('article', state).delete(id)
  })
})

describe('The fields of a mutation', () => {
  it('run one after the other, each in its own transaction', async () => {
    const create = (data: string): string => `createTag(data: ${data}) { data { id attributes { name } } }`
    const { body } = await ask(
      running.url,
      `mutation { one: ${create('{ name: "first of three" }')} two: ${create('{}')} three: ${create('{ name: "third of three" }')} }`,
      { token },
    )
    expect(body.data.two).toBeNull()
    expect(body.errors).toHaveLength(1)
    const { data: stored } = await rest('/tags?sort=id&filters[name][$endsWith]=of three')
    expect(stored.map(({ id, attributes }: Loose) => [String(id), attributes.name])).toEqual(
      ['one', 'three'].map((key) => [body.data[key].data.id, body.data[key].data.attributes.name]),
    )
    for (const { id } of stored) await data(`mutation { deleteTag(id: ${id}) { data { id } } }`)
  })
})

describe('An operation that is sent again', () => {
  it('has the values of its variables, those of ids and those that shape it', async () => {
    const query =
      'query ($id: ID, $with: Boolean = false, $limit: Int) { article(id: $id) { data { id attributes { title @include(if: $with) } } } tags(sort: "id", pagination: { limit: $limit }) { data { id } } }'
    const [first, again, other] = [
      await data(query, { id: 3, limit: 1 }),
      await data(query, { id: '4', limit: 1 }),
      await data(query, { id: 4, with: true, limit: 2 }),
    ]
    expect([first.article.data, again.article.data]).toEqual([
      { id: '3', attributes: {} },
      { id: '4', attributes: {} },
    ])
    expect(first.tags.data).toHaveLength(1)
    expect(other.article.data.attributes.title).toBe((await rest('/articles/4')).data.attributes.title)
    expect(other.tags.data).toHaveLength(2)
    const { status, body } = await ask(running.url, query, { token, variables: { id: { a: 1 }, limit: 1 } })
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT'])
  })
})

describe('A caller', () => {
  it('gets null for what it may not read, and an empty list', async () => {
    const { body } = await ask(
      running.url,
      '{ restaurants(sort: "id", pagination: { limit: 2 }) { data { id attributes { favourites { data { id } } } } } }',
    )
    expect(body).toEqual({
      data: {
        restaurants: {
          data: ['1', '2'].map((id) => ({ id, attributes: { favourites: { data: [] } } })),
        },
      },
    })
  })
})

it('A relation to one shows drafts where its parent is asked for with drafts', async () => {
  const state = unrestricted('highlights a draft')
  const articles = running.server.octavo.entries('article', state)
  const { id } = await articles.create({ title: 'not yet', publishedAt: null })
  const { data: before } = await rest('/homepage?populate=highlight')
  await data(`mutation { updateHomepage(data: { highlight: ${id} }) { data { id } } }`)
  const highlight = async (given: string): Promise<Loose> => {
    const query = `{ homepage${given} { data { attributes { highlight { data { id } } } } } }`
    return (await data(query)).homepage.data.attributes.highlight.data
  }
  expect([await highlight(''), await highlight('(publicationState: PREVIEW)')]).toEqual([
    null,
    { id: String(id) },
  ])
  await data(
    `mutation { updateHomepage(data: { highlight: ${before.attributes.highlight.data?.id ?? null} }) { data { id } } }`,
  )
  await articles.delete(id)
})

describe('A filter', () => {
  const idsOf = (entries: readonly { readonly id: number | string }[]): readonly string[] =>
    entries.map(({ id }) => String(id))
  const [every, none, without, having] = [
    '',
    '&filters[id][$lt]=0',
    '&filters[born][$null]=true',
    '&filters[born][$notNull]=true',
  ]

  it.each([
    ['{ born: { in: [] } }', none],
    ['{ born: { in: [null] } }', none],
    ['{ born: { notIn: [] } }', every],
    ['{ born: { not: { in: [] } } }', every],
    ['{ born: { in: [], null: false } }', none],
    ['{ born: { not: { in: [], null: false } } }', every],
    ['{ born: { not: { notIn: [] } } }', none],
    ['{ born: { notIn: [], notNull: true } }', having],
    ['{ born: { eq: null, null: false } }', none],
    ['{ or: [{ born: { in: [] } }, { born: { null: true } }] }', without],
    ['{ or: [{ born: { notIn: [] } }, { born: { null: true } }] }', every],
    ['{ articles: { views: { in: [] } } }', none],
    ['{ id: { in: [] } }', every],
    ['{ id: { in: [null] } }', none],
    ['{ born: { eq: null } }', without],
    ['{ born: { ne: null } }', having],
    ['{ born: { not: null } }', having],
    ['{ born: { lt: null } }', none],
    ['{ born: { gte: null } }', none],
    ['{ born: { in: null } }', none],
    ['{ born: { notIn: null } }', none],
    ['{ born: { between: [null, "2020-01-01"] } }', none],
    ['{ born: { null: null } }', having],
    ['{ born: { notNull: null } }', without],
    ['{ bio: { containsi: null } }', none],
    ['{ profile: null }', every],
  ])('%s finds what the reference finds', async (filters, query) => {
    const { authors } = await data(
      `{ authors(filters: ${filters}, sort: "id", pagination: { limit: 100 }) { data { id } } }`,
    )
    const { data: entries } = await rest(`/authors?sort=id&pagination[limit]=100${query}`)
    expect(idsOf(authors.data)).toEqual(idsOf(entries))
  })

  it('between no values is refused', async () => {
    const { body } = await ask(
      running.url,
      '{ tags(filters: { weight: { between: [] } }) { data { id } } }',
      {
        token,
      },
    )
    expect([body.data, body.errors[0].extensions.code]).toEqual([{ tags: null }, 'BAD_USER_INPUT'])
  })
})

it('A page of a size below 1 has one entry', async () => {
  const page = (size: number): string =>
    `size: tags(sort: "id", pagination: { pageSize: ${size} }) { data { id } meta { pagination { pageSize } } }`
  for (const size of [0, -1, -2])
    expect(await data(`{ ${page(size)} }`)).toEqual({
      size: { data: [{ id: '1' }], meta: { pagination: { pageSize: 1 } } },
    })
})

it('A whole number of 8 bytes is a number where JavaScript has it exactly, otherwise its digits', async () => {
  const largest = String(Number.MAX_SAFE_INTEGER)
  const cases = [
    ['0', 0],
    ['-12', -12],
    [largest, Number.MAX_SAFE_INTEGER],
    [`-${largest}`, Number.MIN_SAFE_INTEGER],
    ['9007199254740992', '9007199254740992'],
    ['-9223372036854775808', '-9223372036854775808'],
    [null, null],
  ] as const
  const selected = '{ data { id attributes { reads } } }'
  for (const [given, wanted] of cases) {
    const { updateArticle } = await data(
      `mutation ($reads: Long) { updateArticle(id: 3, data: { reads: $reads }) ${selected} }`,
      { reads: given },
    )
    // The second read is made from the answer of REST, which has two forms of the entry.
    const { direct, made } = await data(
      `{ direct: article(id: 3) ${selected} made: article(id: 3) { data { id } other: data { attributes { reads } } } }`,
    )
    expect([updateArticle.data, direct.data, made.other].map(({ attributes }) => attributes.reads)).toEqual([
      wanted,
      wanted,
      wanted,
    ])
  }
})

describe('A new entry without publishedAt', () => {
  const create = '{ data { id attributes { publishedAt } } }'

  it('is a draft, which is as complete as a published entry', async () => {
    const { createArticle } = await data(`mutation { createArticle(data: { title: "new" }) ${create} }`)
    expect(createArticle.data.attributes.publishedAt).toBeNull()
    const { body } = await ask(
      running.url,
      `mutation { createArticle(data: { body: "no title" }) ${create} }`,
      {
        token,
      },
    )
    expect(body.errors[0].extensions.error.details.errors).toMatchObject([{ path: ['title'] }])
    await data(`mutation { deleteArticle(id: ${createArticle.data.id}) { data { id } } }`)
  })

  it('has the state that the input names, and REST publishes it', async () => {
    const time = '2024-01-01T00:00:00.000Z'
    const created = await data(`mutation {
      draft: createArticle(data: { publishedAt: null }) ${create}
      published: createArticle(data: { title: "old", publishedAt: "${time}" }) ${create}
    }`)
    expect(created.draft.data.attributes.publishedAt).toBeNull()
    expect(created.published.data.attributes.publishedAt).toBe(time)
    const response = await fetch(`${running.url}/api/articles`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ data: { title: 'by REST' } }),
    })
    const { data: rested } = (await response.json()) as Loose
    expect(rested.attributes.publishedAt).not.toBeNull()
    for (const { id } of [created.draft.data, created.published.data, rested])
      await data(`mutation { deleteArticle(id: ${id}) { data { id } } }`)
  })
})

it('A locale that nothing has is empty as a variable, and refused in the text', async () => {
  const query = 'query ($locale: I18NLocaleCode) { articles(locale: $locale) { data { id } } }'
  expect(await data(query, { locale: 'xx' })).toEqual({ articles: { data: [] } })
  const { status } = await ask(running.url, '{ articles(locale: "xx") { data { id } } }', { token })
  expect(status).toBe(400)
})
