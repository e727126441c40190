/** Requests over HTTP, and their bounds. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, ask, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
beforeAll(async () => {
  running = await recordedServer({ depthLimit: 4, introspection: false })
})
afterAll(() => running.close())

async function send(init: RequestInit, search = ''): Promise<Answer> {
  const response = await fetch(`${running.url}/graphql${search}`, init)
  return { status: response.status, body: await response.json() }
}

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  send({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const codes = ({ status, body }: Answer): unknown => [status, body.errors?.[0].extensions.code]
const query = '{ author(id: 1) { data { id } } }'
const author = { data: { author: { data: { id: '1' } } } }

describe('A request', () => {
  it('by GET is a query; a mutation is refused', async () => {
    const get = (text: string): Promise<Answer> => send({}, `?query=${encodeURIComponent(text)}`)
    expect(await get(query)).toEqual({ status: 200, body: author })
    expect(codes(await get('mutation { deleteTag(id: 1) { data { id } } }'))).toEqual([405, 'BAD_REQUEST'])
  })

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])(
    'as a form (%s), which other sites may send, is refused',
    async (type) => {
      const { status } = await send({
        method: 'POST',
        headers: { 'content-type': type },
        body: JSON.stringify({ query }),
      })
      expect(status).toBe(400)
    },
  )

  it('may name a text that was sent before by its hash', async () => {
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
    }
    expect(codes(await post({ extensions }))).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND'])
    expect((await post({ query, extensions })).body).toEqual(author)
    expect((await post({ extensions })).body).toEqual(author)
    expect(codes(await post({ query: `${query} `, extensions }))).toEqual([400, 'BAD_REQUEST'])
  })

  it('with a wrong token gets the 401 of REST', async () => {
    const { status, body } = await post({ query }, { authorization: 'Bearer wrong' })
    expect([status, body.error.name]).toEqual([401, 'UnauthorizedError'])
  })

  it.each([
    [{}, 400, 'BAD_REQUEST'],
    [{ query: 5 }, 400, 'BAD_REQUEST'],
    [{ query, variables: 'x' }, 400, 'BAD_REQUEST'],
    [{ query: '{' }, 400, 'GRAPHQL_PARSE_FAILED'],
    [{ query: '{a'.repeat(3_000) }, 400, 'GRAPHQL_PARSE_FAILED'],
    [{ query: `${query} query B ${query}` }, 400, 'GRAPHQL_VALIDATION_FAILED'],
    [{ query: `query A ${query}`, operationName: 'B' }, 400, 'OPERATION_RESOLUTION_FAILURE'],
    [{ query: 'subscription { a }' }, 400, 'BAD_REQUEST'],
    [{ query: '{ __schema { types { name } } }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
  ])('%j is refused', async (body, status, code) => {
    expect(codes(await post(body))).toEqual([status, code])
  })
})

it('Variables that are no JSON are refused with the place of the mistake', async () => {
  const { status, body } = await post({ query, variables: '{"a" 1}' })
  expect([status, body.errors[0].message]).toEqual([
    400,
    '`variables` must be an object: line 1, column 6: expected a colon.',
  ])
})

it.each([
  ['a text', '{ articles(locale: "xx") { data { id } } }', undefined, 20],
  ['a date of a filter', '{ articles(filters: { date: { eq: "x" } }) { data { id } } }', undefined, 35],
  [
    'a variable',
    'query ($filters: TagFiltersInput) { tags(filters: $filters) { data { id } } }',
    { filters: 3 },
    8,
  ],
  [
    'an item of a zone',
    'mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id } } }',
    { data: { blocks: [{ __typename: 'Nope' }] } },
    11,
  ],
])('A value that does not fit has its place in the query: %s', async (_, text, variables, column) => {
  const { status, body } = await post({ query: text, variables })
  expect([status, body.errors?.map(({ locations }: { locations: unknown }) => locations)]).toEqual([
    400,
    [[{ line: 1, column }]],
  ])
})

describe('Bounds', () => {
  it('count levels and fields of fragments where they are used', async () => {
    const deep = '{ authors { data { attributes { articles { data { attributes { title } } } } } } }'
    expect(codes(await post({ query: deep }))).toEqual([400, 'GRAPHQL_VALIDATION_FAILED'])
    const spread = `{ authors { data { ...a } } } fragment a on AuthorEntity { attributes { articles { data { ...b } } } } fragment b on ArticleEntity { attributes { title } }`
    expect(codes(await post({ query: spread }))).toEqual([400, 'GRAPHQL_VALIDATION_FAILED'])
    const doubling = Array.from(
      { length: 16 },
      (_, i) => `fragment f${i} on AuthorEntity { id ${i === 15 ? '' : `...f${i + 1} ...f${i + 1}`} }`,
    )
    const { status, body } = await post({
      query: `{ author(id: 1) { data { ...f0 } } } ${doubling.join(' ')}`,
    })
    expect([status, body.errors[0].message]).toEqual([400, "'' selects more than 4000 fields"])
  })

  it('count the relations of all root fields together', async () => {
    const fields = Array.from(
      { length: 300 },
      (_, i) =>
        `a${i}: author(id: 1) { data { attributes { articles { __typename } profile { __typename } } } }`,
    )
    const { body } = await ask(running.url, `{ ${fields.join(' ')} }`)
    expect(body.errors.length).toBeGreaterThan(0)
    expect(body.errors[0].extensions.error.details.code).toBe('graphql/too-many-places')
  })

  it('count the root fields themselves', async () => {
    const fields = Array.from({ length: 501 }, (_, i) => `a${i}: author(id: 1) { __typename }`)
    const { body } = await ask(running.url, `{ ${fields.join(' ')} }`)
    expect(body.errors[0].extensions.error.details.code).toBe('graphql/too-many-places')
  })
})
