/** Values of scalars in texts and variables, and how filters compare them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Loose, login, type RecordedServer, recordedServer } from './recorded.ts'

/** No content-type of the recording has a whole number of any size. */
const whole = {
  typeDefs: 'extend type Query { whole(value: Long): String }',
  resolvers: { Query: { whole: (_parent: unknown, { value }: Loose) => value } },
}

let running: RecordedServer
let token: string
beforeAll(async () => {
  running = await recordedServer({ extend: [whole] })
  token = await login(running.url)
})
afterAll(() => running.close())

const send = (query: string, variables?: object) =>
  ask(running.url, query, { token, ...(variables && { variables }) })

/** The data of an answer without errors. */
async function data(query: string, variables?: object): Promise<Loose> {
  const { body } = await send(query, variables)
  expect(body.errors).toBeUndefined()
  return body.data
}

describe('A date-time', () => {
  const byText = (value: string) =>
    send(
      `mutation { createArticle(data: { title: "t", startsAt: ${JSON.stringify(value)} }) { data { id } } }`,
    )
  const byVariable = (value: string) =>
    send(
      'mutation ($value: DateTime) { createArticle(data: { title: "t", startsAt: $value }) { data { id } } }',
      {
        value,
      },
    )

  it.each([
    '2024-02-30T00:00:00Z',
    '2023-02-29T10:00:00.000Z',
    '2024-04-31T10:00:00+02:00',
    '2024-06-01T24:00:00Z',
    '2024-06-01T12:00Z',
    '2024-06-01 12:00:00Z',
  ])('that does not exist, or is written in another way, is refused: %s', async (value) => {
    for (const answer of [await byText(value), await byVariable(value)]) {
      expect(answer.status).toBe(400)
      expect(answer.body.errors[0].message).toContain('DateTime cannot represent')
    }
  })

  it.each([
    ['2024-02-29T23:30:00-01:30', '2024-03-01T01:00:00.000Z'],
    ['2024-06-01t12:00:00.123456z', '2024-06-01T12:00:00.123Z'],
  ])('is stored as its moment: %s', async (value, stored) => {
    const query =
      'mutation ($value: DateTime) { createArticle(data: { title: "t", startsAt: $value }) { data { id attributes { startsAt } } } }'
    const { createArticle } = await data(query, { value })
    expect(createArticle.data.attributes.startsAt).toBe(stored)
    await data(`mutation { deleteArticle(id: ${createArticle.data.id}) { data { id } } }`)
  })
})

describe('A whole number of any size', () => {
  const written = (value: string) => send(`{ whole(value: ${value}) }`)
  const given = (value: unknown) => send('query ($value: Long) { whole(value: $value) }', { value })

  it.each(['007', '+7', '-0', '-07', '7.0', '7e0', ' 7', ''])(
    'is refused in a notation that its digits do not have: "%s"',
    async (value) => {
      for (const { status, body } of [await written(JSON.stringify(value)), await given(value)]) {
        expect(status).toBe(400)
        expect(body.errors[0].message).toContain('Long cannot represent')
      }
    },
  )

  it('has no fraction, not even of zero', async () => {
    const { status, body } = await written('7.0')
    expect(status).toBe(400)
    expect(body.errors[0].message).toContain('Long cannot represent non-integer value: 7.0')
  })

  it.each(['7', '-7', '0', '9007199254740993'])('is a number or a text of its digits: %s', async (value) => {
    for (const { body } of [await written(value), await written(`"${value}"`), await given(value)])
      expect(body).toEqual({ data: { whole: value } })
  })
})

describe('A word without quotes', () => {
  it.each(['en', 'all'])('is no locale: %s', async (word) => {
    const { status, body } = await send(`{ articles(locale: ${word}) { data { id } } }`)
    expect(status).toBe(400)
    expect(body.errors[0].message).toBe(
      `Expected value of type "I18NLocaleCode", found ${word}; A text needs quotes: "${word}"`,
    )
  })

  it.each(['word', '{ list: [1, word] }'])('is no JSON: %s', async (value) => {
    const { status, body } = await send(`{ articles(filters: { extra: { eq: ${value} } }) { data { id } } }`)
    expect(status).toBe(400)
    expect(body.errors[0].message).toContain('A text needs quotes: "word"')
  })
})

it('A timestamp is a date-time, which a mutation takes back; REST has its milliseconds', async () => {
  const selected = '{ data { id attributes { stamp } } }'
  const moment = '2024-02-29T23:30:00.125Z'
  for (const stamp of [moment, null]) {
    const write = `mutation ($stamp: DateTime) { updateArticle(id: 3, data: { stamp: $stamp }) ${selected} }`
    const read = `{ article(id: 3) ${selected} articles(filters: { id: { eq: 3 } }) ${selected} }`
    expect((await data(write, { stamp })).updateArticle.data.attributes).toEqual({ stamp })
    const { article, articles } = await data(read)
    expect([article.data, ...articles.data]).toEqual([1, 2].map(() => ({ id: '3', attributes: { stamp } })))
  }
  // More milliseconds than a date of JavaScript has.
  const stored = await fetch(`${running.url}/api/articles/3`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ data: { stamp: '9223372036854775807' } }),
  })
  expect(((await stored.json()) as Loose).data.attributes.stamp).toBe('9223372036854775807')
  expect((await data(`{ article(id: 3) ${selected} }`)).article.data.attributes.stamp).toBe(
    '9223372036854775807',
  )
  await data('mutation { updateArticle(id: 3, data: { stamp: null }) { data { id } } }')
})

describe('A variable without a value', () => {
  it('is left out of an object of JSON, and is null in a list', async () => {
    const query = `mutation ($absent: JSON, $word: JSON) {
      createRestaurant(data: { name: "json", tags: { a: $absent, b: [$absent, $word], c: { d: $absent } } }) {
        data { id attributes { tags } }
      } }`
    const { createRestaurant } = await data(query, { word: { x: [1] } })
    expect(createRestaurant.data.attributes.tags).toEqual({ b: [null, { x: [1] }], c: {} })
    await data(`mutation { deleteRestaurant(id: ${createRestaurant.data.id}) { data { id } } }`)
  })

  it('is left out of an item of a zone', async () => {
    const query = `mutation ($absent: JSON) {
      createArticle(data: { title: "zone", blocks: [{ __typename: "ComponentBlocksHero", heading: $absent, cta: { label: "c", url: $absent } }] }) {
        data { id attributes { blocks { ... on ComponentBlocksHero { heading cta { label url } } } } }
      } }`
    const { createArticle } = await data(query)
    expect(createArticle.data.attributes.blocks).toEqual([{ heading: null, cta: { label: 'c', url: null } }])
    await data(`mutation { deleteArticle(id: ${createArticle.data.id}) { data { id } } }`)
  })
})

describe('A filter of JSON', () => {
  const values = [0, 5, '5', true, 'true', [1, 'a'], { a: 1, b: [null] }, 'text', null]
  const ids: string[] = []
  beforeAll(async () => {
    for (const tags of values) {
      const { createRestaurant } = await data(
        'mutation ($tags: JSON) { createRestaurant(data: { name: "filtered", tags: $tags }) { data { id } } }',
        { tags },
      )
      ids.push(createRestaurant.data.id)
    }
  })
  afterAll(async () => {
    for (const id of ids) await data(`mutation { deleteRestaurant(id: ${id}) { data { id } } }`)
  })

  const found = async (filter: object): Promise<readonly unknown[]> => {
    const { restaurants } = await data(
      `query ($filter: JSONFilterInput) { restaurants(filters: { name: { eq: "filtered" }, tags: $filter }, sort: "id") {
        data { attributes { tags } } } }`,
      { filter },
    )
    return restaurants.data.map(({ attributes }: Loose) => attributes.tags)
  }

  it.each(values.map((value) => [value]))('finds the equal value, and no text of it: %j', async (value) => {
    expect(await found({ eq: value })).toEqual([value])
    expect(await found({ in: [value, 'absent'] })).toEqual(value === null ? [] : [value])
  })

  it('leaves equal values out', async () => {
    const given = values.filter((value) => value !== null)
    expect(await found({ ne: 5 })).toEqual(given.filter((value) => value !== 5))
    expect(await found({ notIn: [0, true, { b: [null], a: 1 }] })).toEqual([5, '5', 'true', [1, 'a'], 'text'])
    expect(await found({ not: { eq: true } })).toEqual(given.filter((value) => value !== true))
  })

  it('takes literals of every kind', async () => {
    const query = (filter: string) =>
      `{ restaurants(filters: { name: { eq: "filtered" }, tags: ${filter} }) { data { attributes { tags } } } }`
    for (const [filter, value] of [
      ['{ eq: 5 }', 5],
      ['{ eq: "5" }', '5'],
      ['{ eq: true }', true],
      ['{ eq: { b: [null], a: 1 } }', { a: 1, b: [null] }],
      ['{ in: [[1, "a"]] }', [1, 'a']],
    ] as const)
      expect((await data(query(filter))).restaurants.data).toEqual([{ attributes: { tags: value } }])
  })

  it('is an operator of REST as well, which refuses a text that is no JSON', async () => {
    const get = async (operand: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const query = `filters[name]=filtered&filters[tags][$equalsJson]=${encodeURIComponent(operand)}`
      return (await fetch(`${running.url}/api/restaurants?${query}`, { headers })).json() as Promise<Loose>
    }
    expect((await get('{"b": [null], "a": 1}')).data[0].attributes.tags).toEqual({ a: 1, b: [null] })
    expect((await get('five')).error.message).toBe(
      'filters[tags][$equalsJson]: expected JSON, such as 5, "text" or {"a":1}, not "five".',
    )
  })

  it('refuses a value that PostgreSQL cannot hold', async () => {
    const query = 'query ($value: JSON) { restaurants(filters: { tags: { eq: $value } }) { data { id } } }'
    const { status, body } = await send(query, { value: { text: '\0' } })
    expect([status, body.data, body.errors[0].extensions.code]).toEqual([
      200,
      { restaurants: null },
      'BAD_USER_INPUT',
    ])
  })
})
