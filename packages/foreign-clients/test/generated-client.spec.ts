/** A client that openapi-typescript and openapi-fetch make from the description of the server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { describeServer } from '@octavo/plugin-openapi'
import createClient, { type Client } from 'openapi-fetch'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { paths } from './generated/api.ts'
import { credentials, openSite, type Site } from './site.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let site: Site
let client: Client<paths>
beforeAll(async () => {
  site = await openSite()
  client = createClient<paths>({ baseUrl: site.url, querySerializer })
})
afterAll(() => site.close())

/** Objects and lists in brackets: openapi-fetch refuses nested ones. */
function querySerializer(query: Readonly<Record<string, unknown>>): string {
  const parts: string[] = []
  const write = (key: string, value: unknown): void => {
    if (value !== null && typeof value === 'object')
      for (const [name, inner] of Object.entries(value)) write(`${key}[${name}]`, inner)
    else if (value !== undefined)
      parts.push(`${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`)
  }
  for (const [key, value] of Object.entries(query)) write(key, value)
  return parts.join('&')
}

/** The types of a description, made with TypeScript 6. */
async function typesOf(description: object): Promise<string> {
  const script = createRequire(import.meta.url).resolve('@octavo/typescript6/generate-types.mjs')
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(description))
  const [types] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return types
}

describe('The client of openapi-typescript and openapi-fetch', () => {
  // `pnpm typecheck` compiles this file against the types, with TypeScript 7. `-u` writes them.
  it('has the types of the description', async () => {
    await expect(await typesOf(describeServer(site.server))).toMatchFileSnapshot('./generated/api.ts')
  })

  it('lists entries with nested filters, sort and pages', async () => {
    const { data, error } = await client.GET('/api/articles', {
      params: {
        query: {
          filters: { author: { name: { $contains: 'Austen' } }, views: { $lt: 5 } },
          sort: ['views:desc'],
          pagination: { page: 1, pageSize: 10 },
          populate: { author: { fields: ['name'] }, seo: true },
          publicationState: 'preview',
        },
      },
    })
    expect(error).toBeUndefined()
    const titles: (string | null | undefined)[] | undefined = data?.data.map(
      ({ attributes }) => attributes.title,
    )
    expect(titles).toEqual(['Sanditon', 'Persuasion', 'Emma'])
    const written = data?.data.at(-1)?.attributes
    expect(written?.author?.data?.attributes.name).toBe('Jane Austen')
    expect(written?.seo?.title).toBe('On Emma')
    expect(data?.meta.pagination?.total).toBe(3)
  })

  it('has the type of the error envelope', async () => {
    const { error, response } = await client.GET('/api/articles/{id}', { params: { path: { id: 999 } } })
    expect(response.status).toBe(404)
    expect(error?.error.details.code).toBe('route/not-found')
  })

  it('logs in and writes', async () => {
    const login = await client.POST('/api/auth/local', { body: credentials })
    const headers = { authorization: `Bearer ${login.data?.jwt}` }
    expect(login.data?.user.username).toBe('ada')
    const created = await client.POST('/api/articles', {
      headers,
      body: { data: { title: 'Lady Susan', author: 1, seo: { title: 'On Susan' } } },
      params: { query: { populate: ['author'] } },
    })
    expect(created.error).toBeUndefined()
    const id = created.data?.data.id ?? 0
    expect(created.data?.data.attributes.author?.data?.id).toBe(1)
    const updated = await client.PUT('/api/articles/{id}', {
      headers,
      params: { path: { id } },
      body: { data: { views: 7, author: { disconnect: [1] } } },
    })
    expect(updated.data?.data.attributes.views).toBe(7)
    const deleted = await client.DELETE('/api/articles/{id}', { headers, params: { path: { id } } })
    expect(deleted.response.status).toBe(200)
  })

  it('has no room for names that do not exist', () => {
    const calls = [
      // @ts-expect-error: no such endpoint
      () => client.GET('/api/nothing'),
      // @ts-expect-error: the attribute is a text
      () => client.POST('/api/articles', { body: { data: { title: 7 } } }),
      // @ts-expect-error: a body without data
      () => client.POST('/api/articles', { body: {} }),
    ]
    expect(calls).toHaveLength(3)
  })
})
