/** Attacks on servers of GraphQL, each of which ends in a clear refusal. */
import { createHash } from 'node:crypto'
import { unrestricted } from '@octavo/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, ask, login, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
let token: string
beforeAll(async () => {
  running = await recordedServer({ introspection: false })
  const { octavo } = running.server
  const state = unrestricted('the test grants permissions')
  const roles = octavo.entries('plugin::users-permissions.role', state)
  const [role] = (await roles.find({ filters: { type: 'authenticated' } })).data
  for (const action of ['plugin::upload.content-api.upload', 'api::article.article.create'])
    await octavo
      .entries('plugin::users-permissions.permission', state)
      .create({ action, role: role?.id ?? 0 })
  token = await login(running.url)
})
afterAll(() => running.close())

const codes = ({ status, body }: Answer): unknown => [status, body.errors?.[0].extensions.code]
const invalid = [400, 'GRAPHQL_VALIDATION_FAILED']

describe('Introspection that is off', () => {
  it.each([
    '{ __schema { types { name } } }',
    '{ a: __type(name: "Article") { fields { name } } }',
    'query A { author(id: 1) { data { ...on AuthorEntity { id } } } ...b } fragment b on Query { __schema { queryType { name } } }',
  ])('is refused in any form: %s', async (query) => {
    expect(codes(await ask(running.url, query))).toEqual(invalid)
  })

  it('leaves names of the schema out of messages, which would suggest them', async () => {
    for (const query of [
      '{ autor(id: 1) { data { id } } }',
      '{ authors(filter: { id: { eq: 1 } }) { data { id } } }',
      '{ authors(filters: { nam: { eq: "a" } }) { data { id } } }',
      '{ authors { data { ... on AuthrEntity { id } } } }',
    ])
      expect((await ask(running.url, query)).body.errors[0].message).not.toMatch(/Did you mean/)
    const query = 'query ($filters: AuthorFiltersInput) { authors(filters: $filters) { data { id } } }'
    const { body } = await ask(running.url, query, { variables: { filters: { nam: { eq: 'a' } } } })
    expect(body.errors[0].message).not.toMatch(/Did you mean/)
  })
})

describe('A text', () => {
  it.each<[string, string]>([
    [
      'with fragments in a circle',
      '{ authors { ...a } } fragment a on AuthorEntityResponseCollection { ...b } fragment b on AuthorEntityResponseCollection { ...a }',
    ],
    ['with a fragment of itself', '{ authors { data { ...a } } } fragment a on AuthorEntity { id ...a }'],
    [
      'with a thousand directives on a field',
      `{ authors ${'@include(if: true) '.repeat(1_000)}{ data { id } } }`,
    ],
    [
      'with more than four thousand fields',
      `{ authors { data { ${Array.from({ length: 4_100 }, (_, i) => `a${i}: id`).join(' ')} } } }`,
    ],
    [
      'with fragments that double twelve times',
      `{ authors { data { ...f0 } } } ${Array.from({ length: 12 }, (_, i) => `fragment f${i} on AuthorEntity { attributes { ${['a', 'b'].map((key) => `${key}: mentor { data { ${i === 11 ? 'id' : `...f${i + 1}`} } }`).join(' ')} } }`).join(' ')}`,
    ],
    [
      'with more than four thousand fields in all its operations',
      Array.from(
        { length: 3 },
        (_, i) =>
          `query Q${i} { authors { data { ${Array.from({ length: 1_500 }, (_, j) => `a${j}: id`).join(' ')} } } }`,
      ).join(' '),
    ],
    ['with directives that do not exist', `{ authors ${'@a '.repeat(4_000)}{ data { id } } }`],
    [
      'with three thousand variables',
      `query (${Array.from({ length: 3_000 }, (_, i) => `$v${i}: ID`).join(' ')}) { authors { data { id } } }`,
    ],
  ])('%s is refused', async (_name, query) => {
    expect(codes(await ask(running.url, query))).toEqual(invalid)
  })

  it.each<[string, string]>([
    ['with one field four thousand times', `{ authors { data { ${'id '.repeat(3_900)} } } }`],
    ['with a thousand equal selections', `{ ${'authors { data { id } } '.repeat(1_000)} }`],
    [
      'with inline fragments within each other',
      `{ authors { data { ${'... { '.repeat(2_500)}id${' }'.repeat(2_500)} } } }`,
    ],
    [
      'with lists within each other',
      `{ authors(filters: { id: { in: ${'['.repeat(5_000)}1${']'.repeat(5_000)} } }) { data { id } } }`,
    ],
    [
      'with filters within each other',
      `{ authors(filters: ${'{ not: '.repeat(2_500)}{ id: { eq: 1 } }${' }'.repeat(2_500)}) { data { id } } }`,
    ],
  ])('%s is no fault of the server', async (_name, query) => {
    const { status, body } = await ask(running.url, query)
    expect(status).toBeLessThan(500)
    expect(JSON.stringify(body)).not.toContain('INTERNAL_SERVER_ERROR')
  })

  it.each<[string, (many: (text: (i: number) => string) => string) => string]>([
    [
      'fragments that one selection uses',
      (many) =>
        `{ authors { data { ${many((i) => `...f${i}`)} } } } ${many((i) => `fragment f${i} on AuthorEntity { id }`)}`,
    ],
    [
      'fragments that use each other',
      (many) =>
        `{ authors { data { ...f0 } } } ${many((i) => `fragment f${i} on AuthorEntity { a${i}: id ...f${i + 1} }`)} fragment f700 on AuthorEntity { id }`,
    ],
    [
      'fragments that one unused fragment uses',
      (many) =>
        `{ authors { data { id } } } fragment a on AuthorEntity { ${many((i) => `...f${i}`)} } ${many((i) => `fragment f${i} on AuthorEntity { id }`)}`,
    ],
    [
      'fragments in a circle',
      (many) =>
        `{ authors { data { id ...f0 } } } ${many((i) => `fragment f${i} on AuthorEntity { id ...f${(i + 1) % 700} }`)}`,
    ],
    ['equal selections', (many) => `{ ${many(() => 'authors { data { id } }')} }`],
    [
      'operations with the same fragments',
      (many) =>
        `${many((i) => `query Q${i} { authors { data { ...a ...b ...c } } }`)} ${['a', 'b', 'c'].map((name) => `fragment ${name} on AuthorEntity { id b: id c: id }`).join(' ')}`,
    ],
  ])('S-20: with 700 %s is refused before the rules of the library compare them', async (_name, text) => {
    const query = text((part) => Array.from({ length: 700 }, (_, i) => part(i)).join(' '))
    const answer = await ask(running.url, query)
    expect(codes(answer)).toEqual(invalid)
    expect(answer.body.errors[0].message).toMatch(
      /^The query selects too many|^The operations and fragments select more than 4000 fields$/,
    )
  })

  it('S-20: with a hundred fragments of one entry is answered', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `f${i}`)
    const query = `{ authors { data { ${names.map((name) => `...${name}`).join(' ')} } } } ${names.map((name) => `fragment ${name} on AuthorEntity { id ${name}: id }`).join(' ')}`
    const { status, body } = await ask(running.url, query)
    expect([status, body.errors]).toEqual([200, undefined])
  })

  it('may not be stored under the hash of another', async () => {
    const victim = '{ authors { data { id } } }'
    const sha256Hash = createHash('sha256').update(victim).digest('hex')
    const send = async (body: object): Promise<Answer> => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${running.url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return { status: response.status, body: await response.json() }
    }
    const extensions = { persistedQuery: { version: 1, sha256Hash } }
    expect(codes(await send({ query: '{ tags { data { id } } }', extensions }))).toEqual([400, 'BAD_REQUEST'])
    expect(codes(await send({ extensions }))).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND'])
    expect(codes(await send({ extensions: { persistedQuery: { sha256Hash: '__proto__' } } }))).toEqual([
      200,
      'PERSISTED_QUERY_NOT_FOUND',
    ])
  })
})

describe('Aliases of a large value', () => {
  const limit = 32 * 1024 * 1024
  const whole = Array.from({ length: 120 }, (_, i) => `b${i}: body`).join(' ')

  it.each([
    [
      'in an answer that the statement writes',
      (id: number) => `article(id: ${id}) { data { attributes { ${whole} } } }`,
    ],
    [
      'beside two selections of one relation',
      (id: number) =>
        `article(id: ${id}) { data { attributes { a: author { data { id } } b: author { data { id } } ${whole} } } }`,
    ],
    [
      'in two selections of the entry',
      (id: number) => `article(id: ${id}) { a: data { id } b: data { attributes { ${whole} } } }`,
    ],
    [
      'over several root fields',
      (id: number) =>
        Array.from(
          { length: 10 },
          (_, i) =>
            `a${i}: article(id: ${id}) { a: data { id } b: data { attributes { ${whole.slice(0, 180)} } } }`,
        ).join(' '),
    ],
  ])('make no answer larger than the limit, %s', async (_name, fields) => {
    const state = unrestricted('the test writes a large value')
    const articles = running.server.octavo.entries('article', state)
    const { id } = await articles.create({
      title: 'large',
      body: 'a'.repeat(300_000),
      publishedAt: new Date(),
    })
    const { status, body } = await ask(running.url, `{ ${fields(id)} }`, { token })
    await articles.delete(id)
    expect(status).toBe(200)
    expect(body.errors[0].extensions.code).toBe('STRAPI_PAYLOAD_TOO_LARGE_ERROR')
    expect(JSON.stringify(body).length).toBeLessThan(limit)
  })
})

describe('Variables', () => {
  const query = 'query ($text: String) { authors(filters: { name: { eq: $text } }) { data { id } } }'

  it('of nearly a megabyte are read, and larger ones refused', async () => {
    const { status, body } = await ask(running.url, query, { variables: { text: 'a'.repeat(900_000) } })
    expect(status).toBeLessThan(500)
    expect(JSON.stringify(body).length).toBeLessThan(1_000)
    expect((await ask(running.url, query, { variables: { text: 'a'.repeat(1_100_000) } })).status).toBe(413)
  })

  it('S-20: show little of a large value in the message of each mistake', async () => {
    const filtered = 'query ($filters: AuthorFiltersInput) { authors(filters: $filters) { data { id } } }'
    const messagesOf = async (filters: object): Promise<readonly string[]> => {
      const { status, body } = await ask(running.url, filtered, { variables: { filters } })
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT'])
      return body.errors.map(({ message }: { message: string }) => message)
    }
    const unknown = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`unknown${i}`, i]))
    for (const filters of [
      unknown(40_000),
      { ...unknown(20), name: { eq: 'a'.repeat(600_000) } },
      { ...unknown(20), and: Array.from({ length: 20 }, () => unknown(1_000)) },
      { ['a'.repeat(600_000)]: 1 },
      { name: { eq: Object.fromEntries([['a'.repeat(600_000), 1]]) } },
    ])
      for (const message of await messagesOf(filters)) expect(message.length).toBeLessThan(5_000)
  })

  it('S-20: are not repeated in the error of each field that uses them', async () => {
    const creates = Array.from(
      { length: 20 },
      (_, i) => `c${i}: createArticle(data: { title: "t", author: $author }) { data { id } }`,
    )
    const mutation = `mutation ($author: ID) { ${creates.join(' ')} }`
    const { body } = await ask(running.url, mutation, { token, variables: { author: 'a'.repeat(900_000) } })
    expect(body.errors).toHaveLength(creates.length)
    expect(body.errors[0].message).toContain('takes ids that are whole numbers, not "aaa')
    expect(JSON.stringify(body).length).toBeLessThan(50_000)
  })

  it('S-20: show little of the name of an operation that does not exist', async () => {
    const answer = await ask(running.url, 'query A { authors { data { id } } }', {
      operationName: 'a'.repeat(900_000),
    })
    expect(codes(answer)).toEqual([400, 'OPERATION_RESOLUTION_FAILURE'])
    expect(JSON.stringify(answer.body).length).toBeLessThan(5_000)
  })

  it('with names of prototypes are data', async () => {
    const { body } = await ask(
      running.url,
      'query ($constructor: ID) { author(id: $constructor) { data { id } } }',
      {
        variables: { constructor: 1 },
      },
    )
    expect(body).toEqual({ data: { author: { data: { id: '1' } } } })
    const none = await ask(running.url, 'query ($toString: ID) { author(id: $toString) { data { id } } }')
    expect(none.body).toEqual({ data: { author: { data: null } } })
  })

  it('and aliases may not name a prototype', async () => {
    const response = await fetch(`${running.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __proto__: author(id: 1) { data { __proto__: id } } }' }),
    })
    expect(await response.text()).toBe('{"data":{"__proto__":{"data":{"__proto__":"1"}}}}')
  })
})

describe('A file', () => {
  const create = 'mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id } } }'

  async function send(operations: unknown, map: unknown): Promise<Answer> {
    const form = new FormData()
    form.append('operations', typeof operations === 'string' ? operations : JSON.stringify(operations))
    form.append('map', JSON.stringify(map))
    form.append('0', new Blob(['hello'], { type: 'text/plain' }), 'a.txt')
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${running.url}/graphql`, { method: 'POST', headers, body: form })
    return { status: response.status, body: await response.json() }
  }

  it.each([
    ['JSON', { title: 'x', extra: { deep: [null] } }, 'variables.data.extra.deep.0'],
    ['a text', { title: null }, 'variables.data.title'],
    ['a number', { title: 'x', views: null }, 'variables.data.views'],
    ['a time', { title: 'x', publishedAt: null }, 'variables.data.publishedAt'],
    [
      'an item of a zone',
      { title: 'x', blocks: [{ __typename: 'ComponentBlocksQuote', text: null }] },
      'variables.data.blocks.0.text',
    ],
  ])('is no value of %s, and no message shows its path', async (_kind, data, place) => {
    const answer = await send({ query: create, variables: { data } }, { 0: [place] })
    expect(codes(answer)).toEqual([400, 'BAD_USER_INPUT'])
    expect(JSON.stringify(answer.body)).not.toMatch(/incoming-|"path":"\//)
  })

  it('is no part of a literal of JSON', async () => {
    const query =
      'mutation ($file: Upload!) { createArticle(data: { title: "x", extra: { deep: [$file] } }) { data { id } } }'
    const answer = await send({ query, variables: { file: null } }, { 0: ['variables.file'] })
    expect(answer.body.data?.createArticle ?? null).toBeNull()
    expect(answer.body.errors).toHaveLength(1)
  })

  it.each<[string, unknown, unknown]>([
    [
      'twice at one place',
      { query: create, variables: { data: null } },
      { 0: ['variables.data', 'variables.data'] },
    ],
    ['in a list of operations', [{ query: create }], { 0: ['variables.data'] }],
    ['without a part', { query: create, variables: { data: null } }, { 1: ['variables.data'] }],
    ['at a place of a text', { query: create, variables: { data: 'text' } }, { 0: ['variables.data.0'] }],
    ['at a place that is no list', { query: create, variables: { data: null } }, { 0: 'variables.data' }],
    ['as the query', { query: null, variables: {} }, { 0: ['query'] }],
  ])('%s is refused', async (_name, operations, map) => {
    expect(codes(await send(operations, map))).toEqual([400, 'BAD_REQUEST'])
  })

  it('is refused with operations that are no JSON, and where they are not', async () => {
    const { body } = await send('{"query" 1}', {})
    expect(body.errors[0].message).toBe(
      'The field `operations` of a multipart request must be a JSON object: line 1, column 10: expected a colon.',
    )
  })
})
