/** Lists of operations in one request. */
import { silentLogger } from '@octavo/core'
import { graphql } from '@octavo/plugin-graphql'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, login, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
let token: string
beforeAll(async () => {
  running = await recordedServer({}, [], {
    permissions: {
      public: ['api::author.author.findOne', 'api::tag.tag.find'],
      authenticated: ['api::tag.tag.create', 'api::tag.tag.find'],
    },
  })
  token = await login(running.url)
})
afterAll(() => running.close())

async function post(body: unknown, authorization?: string): Promise<Answer & { readonly headers: Headers }> {
  const response = await fetch(`${running.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

const author = { query: '{ author(id: 1) { data { id } } }' }
const authorAnswer = { data: { author: { data: { id: '1' } } } }
const typename = (id: unknown) => ({
  query: 'query ($id: ID!) { author(id: $id) { __typename } }',
  variables: { id },
})

describe('A batch', () => {
  it('is answered with a list, in its order', async () => {
    const { status, body, headers } = await post([author, typename(2), author])
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body).toEqual([
      authorAnswer,
      { data: { author: { __typename: 'AuthorEntityResponse' } } },
      authorAnswer,
    ])
    expect((await post([author])).body).toEqual([authorAnswer])
  })

  it('goes on behind an operation that is refused', async () => {
    const refused = [
      {},
      { query: 5 },
      { query: '{' },
      { query: '{ nope }' },
      typename(undefined),
      'text',
      null,
      [author],
      { query: author.query, variables: 'x' },
      { query: author.query, extensions: { persistedQuery: { sha256Hash: 'a' } } },
      { query: '', extensions: { persistedQuery: { sha256Hash: 'b' } } },
    ]
    const { status, body } = await post([...refused, author])
    expect(status).toBe(200)
    expect(body).toHaveLength(refused.length + 1)
    const codes = body.map(({ errors }: Answer['body']) => errors?.[0].extensions.code)
    expect(codes).toEqual([
      'BAD_REQUEST',
      'BAD_REQUEST',
      'GRAPHQL_PARSE_FAILED',
      'GRAPHQL_VALIDATION_FAILED',
      'BAD_USER_INPUT',
      'BAD_REQUEST',
      'BAD_REQUEST',
      'BAD_REQUEST',
      'BAD_REQUEST',
      'BAD_REQUEST',
      'PERSISTED_QUERY_NOT_FOUND',
      undefined,
    ])
    expect(body.at(-1)).toEqual(authorAnswer)
  })

  it('runs its operations one after the other, each with the rights of the caller', async () => {
    const create = {
      query: 'mutation { createTag(data: { name: "batched" }) { data { attributes { name } } } }',
    }
    const list = { query: '{ tags(filters: { name: { eq: "batched" } }) { data { attributes { name } } } }' }
    const none = { data: { tags: { data: [] } } }
    const made = { attributes: { name: 'batched' } }
    const asPublic = await post([create, list])
    expect([asPublic.body[0].errors[0].extensions.code, asPublic.body[1]]).toEqual(['FORBIDDEN', none])
    const { body } = await post([list, create, list], `Bearer ${token}`)
    expect(body).toEqual([
      none,
      { data: { createTag: { data: made } } },
      { data: { tags: { data: [made] } } },
    ])
  })
})

describe('The bounds of a batch', () => {
  it.each([
    ['without operations', []],
    ['with more than 20', Array.from({ length: 21 }, () => author)],
  ])('refuse one %s', async (_, body) => {
    const answer = await post(body)
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST'])
    expect(answer.body).not.toHaveProperty('data')
  })

  it('are, for the texts together, those of one', async () => {
    const long = { query: `${author.query}${' '.repeat(30_000)}` }
    const { body } = await post([long, long, long, author])
    const codes = body.map(({ errors }: Answer['body']) => errors?.[0].extensions.code)
    expect(codes).toEqual([undefined, undefined, 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_PARSE_FAILED'])
  })

  it('leave the schema to requests of its own', async () => {
    const { body } = await post([{ query: '{ __type(name: "Author") { name } }' }, author])
    expect([body[0].errors[0].message, body[1]]).toEqual([
      'The schema is asked for in a request of its own, not in a batch.',
      authorAnswer,
    ])
  })

  it('are, for the bytes of the answers together, those of one', async () => {
    const { octavo } = running.server
    const before = octavo.limits
    const one = JSON.stringify(authorAnswer).length
    Object.defineProperty(octavo, 'limits', { value: { ...before, answerBytes: one }, configurable: true })
    try {
      const { status, body } = await post(Array.from({ length: 12 }, () => author))
      const isAnswered = body.map(({ data }: Answer['body']) => data.author !== null)
      expect([status, isAnswered[0], isAnswered.at(-1)]).toEqual([200, true, false])
      const { error } = body.at(-1).errors[0].extensions
      expect(error.details.code).toBe('graphql/answer-too-large')
    } finally {
      Object.defineProperty(octavo, 'limits', { value: before, configurable: true })
    }
  })
})

it('Each login of a batch is an attempt', async () => {
  const database = await createTestDatabase()
  const server = await createServer({
    plugins: [usersPermissions(), graphql()],
    database: database.url,
    logger: silentLogger,
  })
  try {
    const { url } = await server.listen(0, '127.0.0.1')
    const login = { query: 'mutation { login(input: { identifier: "ada", password: "wrong" }) { jwt } }' }
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: 20 }, () => login)),
    })
    const answers = (await response.json()) as readonly Answer['body'][]
    expect(answers[0].errors[0].message).toBe('Invalid identifier or password')
    expect(answers.at(-1)?.errors[0].message).toBe('Too many requests, please try again later.')
  } finally {
    await server.close()
    await database.drop()
  }
})
