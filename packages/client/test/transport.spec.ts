/** Timeouts, retries, caches and aborted calls, against a server whose answers a middleware replaces. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ClientOptions, createClient, memorySession } from '../src/index.ts'
import { openSite, type Site } from './site.ts'

/** The answers of the next requests; afterwards the server answers. */
let answers: { status: number; headers?: Record<string, string>; body?: string }[] = []
/** The requests that arrived, with their `If-None-Match`. */
let arrived: { known: string }[] = []
/** The statuses that the client received. */
let received: number[] = []
/** Called when a request arrives. */
let onArrival: (() => Promise<void> | void) | undefined

let site: Site
beforeAll(async () => {
  site = await openSite({
    middleware: [
      async (context, next) => {
        arrived.push({ known: context.get('if-none-match') })
        await onArrival?.()
        const answer = answers.shift()
        if (answer) {
          context.status = answer.status
          context.set(answer.headers ?? {})
          context.body = answer.body ?? 'a proxy'
        } else await next()
      },
    ],
  })
})
beforeEach(() => {
  answers = []
  arrived = []
  received = []
  onArrival = undefined
})
afterAll(() => site.close())

const recording: typeof fetch = async (...request) => {
  const response = await fetch(...request)
  received.push(response.status)
  return response
}
const clientOf = (options: ClientOptions = {}) =>
  createClient({ url: site.url, fetch: recording, ...options })
const soon = { 'retry-after': '0' }

describe('a read', () => {
  it('is tried again while a proxy or the server is busy', async () => {
    answers = [
      { status: 502, headers: soon },
      { status: 503, headers: soon },
    ]
    expect((await clientOf().entries('articles').find()).data).toEqual([])
    expect(arrived).toHaveLength(3)
  })

  it('waits without Retry-After in the answer', async () => {
    answers = [{ status: 504 }]
    expect((await clientOf().entries('articles').find()).data).toEqual([])
    expect(arrived).toHaveLength(2)
  })

  it('fails with the last error after its retries', async () => {
    answers = Array(3).fill({ status: 502, headers: soon })
    await expect(clientOf().entries('articles').find()).rejects.toMatchObject({
      name: 'HttpError',
      status: 502,
    })
    expect(arrived).toHaveLength(3)
  })

  it('is not tried again when the wait is long or the same would happen', async () => {
    const error = (code: string) =>
      JSON.stringify({
        data: null,
        error: { status: 503, name: 'ServiceUnavailableError', message: 'Timeout', details: { code } },
      })
    const busy = { status: 429, headers: { 'retry-after': '60' } }
    for (const answer of [busy, { status: 503, body: error('database/timeout') }, { status: 500 }]) {
      arrived = []
      answers = [answer]
      await expect(clientOf().entries('articles').find()).rejects.toMatchObject({ status: answer.status })
      expect(arrived).toHaveLength(1)
    }
    answers = [busy]
    await expect(clientOf().entries('articles').find()).rejects.toMatchObject({ retryAfter: 60 })
  })

  it('fails with an HttpError when a proxy answers with a page of its own', async () => {
    const api = clientOf({ cache: 10 })
    answers = [{ status: 200, headers: { etag: '"page"' }, body: '<!doctype html>' }]
    await expect(api.entries('articles').find()).rejects.toMatchObject({ name: 'HttpError', status: 200 })
    expect((await api.entries('articles').find()).data).toEqual([])
    expect(arrived.map(({ known }) => known)).toEqual(['', ''])
  })

  it('fails with the status of the answer, also when its error is not that of Octavo', async () => {
    for (const error of [{}, { details: null }, { status: 200 }]) {
      const body = JSON.stringify({ error: { name: 'GatewayError', message: 'No route', ...error } })
      answers = [{ status: 404, body }]
      await expect(clientOf().entries('articles').find()).rejects.toMatchObject({
        name: 'GatewayError',
        status: 404,
        details: {},
      })
    }
  })

  it('follows redirects', async () => {
    answers = [{ status: 301, headers: { location: '/api/authors' } }]
    expect((await clientOf().entries('articles').find()).data).toEqual([])
    expect(arrived).toHaveLength(2)
  })

  it('requests changes only, with a cache', async () => {
    const api = clientOf({ cache: 10 })
    const first = await api.entries('articles').find()
    expect(await api.entries('articles').find()).toEqual(first)
    expect(await api.entries('articles').find()).not.toBe(first)
    expect(received).toEqual([200, 304, 304])
    expect(arrived[0]?.known).toBe('')
    await api.entries('authors').find()
    expect(arrived[3]?.known).toBe('')
  })

  it('has no answer of another caller from the cache', async () => {
    let token: string | undefined
    const api = clientOf({ cache: 10, token: () => token })
    await api.entries('articles').find()
    const { jwt } = await clientOf().auth.register({
      username: 'dora',
      email: 'dora@example.org',
      password: 'Password123',
    })
    token = jwt
    await api.entries('articles').find()
    expect(arrived.map(({ known }) => known)).toEqual(['', '', ''])
  })

  it('drops the oldest answers of the cache', async () => {
    const api = clientOf({ cache: 1 })
    for (const route of ['articles', 'authors', 'articles']) await api.entries(route).find()
    expect(received).toEqual([200, 200, 200])
  })
})

/** The token of a new user. */
async function writer(username: string): Promise<string> {
  const account = { username, email: `${username}@example.org`, password: 'Password123' }
  return (await clientOf().auth.register(account)).jwt ?? ''
}

describe('a write', () => {
  it('is never tried again, unless it is a create of a server that observes keys', async () => {
    answers = [{ status: 503, headers: soon }]
    await expect(clientOf().entries('authors').create({ name: 'A' })).rejects.toMatchObject({ status: 503 })
    expect(arrived).toHaveLength(1)
    const authors = clientOf({ token: await writer('eva') }).entries('authors')
    const { data } = await authors.create({ name: 'B' })
    answers = [{ status: 503, headers: soon }]
    await expect(authors.update(data.id, { name: 'C' })).rejects.toMatchObject({ status: 503 })
  })

  it('that is redirected fails, since a POST could become a GET', async () => {
    const articles = clientOf().entries('articles')
    for (const write of [() => articles.create({ title: 'A' }), () => articles.update(1, { title: 'A' })]) {
      answers = [{ status: 301, headers: { location: 'https://example.org/api/articles' } }]
      arrived = []
      await expect(write()).rejects.toMatchObject({
        name: 'HttpError',
        status: 301,
        message: 'A write is not redirected: use the address https://example.org/api/articles',
      })
      expect(arrived).toHaveLength(1)
    }
  })

  it('of a new entry is tried again with its key, and happens once though its answer was lost', async () => {
    let isLost = false
    const losing: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      if (!isLost) return response
      isLost = false
      throw new TypeError('The connection broke')
    }
    const authors = clientOf({ fetch: losing, token: await writer('fay') }).entries('authors')
    await authors.create({ name: 'first' })
    isLost = true
    const { data } = await authors.create({ name: 'second' })
    const found = await authors.find({ filters: { name: 'second' } })
    expect(found.data.map(({ id }) => id)).toEqual([data.id])
    expect((await authors.create({ name: 'third' })).data.id).not.toBe(data.id)
  })
})

describe('a call', () => {
  /** Holds the next request back until it is released. */
  const held = () => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const arrival = new Promise<void>((resolve) => {
      onArrival = () => {
        resolve()
        return released
      }
    })
    return { release, arrival }
  }

  it('is aborted by its signal, and rejects with the reason', async () => {
    const { release, arrival } = held()
    const controller = new AbortController()
    const call = clientOf().entries('articles').find({}, { signal: controller.signal })
    await arrival
    controller.abort(new Error('not needed any more'))
    await expect(call).rejects.toThrow('not needed any more')
    release()
  })

  it('that is aborted while it waits for its next attempt makes none', async () => {
    const controller = new AbortController()
    answers = [{ status: 503, headers: { 'retry-after': '9' } }]
    const call = clientOf().entries('articles').find({}, { signal: controller.signal })
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort()
    await expect(call).rejects.toThrow(/abort/i)
    expect(arrived).toHaveLength(1)
  })

  it('is not sent with an aborted signal', async () => {
    await expect(
      clientOf()
        .entries('articles')
        .find({}, { signal: AbortSignal.abort(new Error('never')) }),
    ).rejects.toThrow('never')
    expect(arrived).toEqual([])
  })

  it('fails with a TimeoutError, its retries included', async () => {
    const { release } = held()
    await expect(clientOf().entries('articles').find({}, { timeout: 50 })).rejects.toMatchObject({
      name: 'TimeoutError',
      status: 0,
      message: 'No answer within 50 ms',
    })
    release()
    answers = Array(3).fill({ status: 503, headers: { 'retry-after': '9' } })
    await expect(clientOf().entries('articles').find({}, { timeout: 1000 })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  it('has no timeout for ever, and a fraction of a millisecond is rounded up', async () => {
    const { find } = clientOf({ timeout: Number.POSITIVE_INFINITY }).entries('articles')
    expect((await find()).data).toEqual([])
    // Timers of the environment would end it at once.
    expect((await find({}, { timeout: 2 ** 32 })).data).toEqual([])
    const { release } = held()
    await expect(find({}, { timeout: 0.5 })).rejects.toMatchObject({ name: 'TimeoutError' })
    release()
  })

  it('that reaches no server fails with the reason', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const api = createClient({ url: `http://127.0.0.1:${port}`, retries: 0 })
    await expect(api.entries('articles').find()).rejects.toMatchObject({
      name: 'NetworkError',
      message: `There is no answer: fetch failed (connect ECONNREFUSED 127.0.0.1:${port})`,
    })
    const unknown = createClient({ url: 'localhost:1337', retries: 0 })
    await expect(unknown.entries('articles').find()).rejects.toThrow('unknown scheme')
  })

  it('does not leave its route for an id that is a path', async () => {
    const paths: string[] = []
    const api = clientOf({
      fetch: async (url) => {
        paths.push(String(url).slice(site.url.length))
        return new Response('{}')
      },
    })
    // A program without types may pass what a request gave it.
    const id = '../articles/1' as unknown as number
    await api.users.delete(id)
    await api.files.findOne(id)
    await api.entries('articles').delete(id)
    expect(paths).toEqual([
      '/api/users/..%2Farticles%2F1',
      '/api/upload/files/..%2Farticles%2F1',
      '/api/articles/..%2Farticles%2F1',
    ])
  })

  it('ends in time, also while it waits for a token or for the renewal of a session', async () => {
    const never = new Promise<never>(() => {})
    const silent: typeof fetch = async (url, init) =>
      String(url).endsWith('/auth/refresh') ? never : fetch(url, init)
    for (const options of [
      { token: () => never },
      { fetch: silent, session: memorySession({ jwt: 'stale', refreshToken: 'older' }) },
    ]) {
      const { find } = clientOf(options).entries('articles')
      await expect(find({}, { timeout: 50 })).rejects.toMatchObject({ name: 'TimeoutError' })
      const controller = new AbortController()
      const call = find({}, { signal: controller.signal })
      controller.abort(new Error('not needed any more'))
      await expect(call).rejects.toThrow('not needed any more')
    }
  })

  it('with a mistake in its query is no request', async () => {
    await expect(
      clientOf()
        .entries('articles')
        .find({ filters: { id: { $in: [] } } }),
    ).rejects.toThrow(TypeError)
    expect(arrived).toEqual([])
  })

  it('has its own headers in place of those of the client, whatever their case', async () => {
    let sent = new Headers()
    const api = clientOf({
      headers: { 'X-Tenant': 'a', 'X-Site': 's' },
      fetch: (url, init) => {
        sent = new Headers(init?.headers)
        return fetch(url, init)
      },
    })
    await api.entries('articles').find({}, { headers: { 'x-tenant': 'b', Accept: '*/*' } })
    expect([sent.get('x-tenant'), sent.get('x-site'), sent.get('accept')]).toEqual(['b', 's', '*/*'])
  })

  it('sends forms and files as they are, and other bodies as JSON', async () => {
    const types: (string | null)[] = []
    const api = clientOf({
      fetch: async (url, init) => {
        types.push(new Request(url, init).headers.get('content-type'))
        return new Response()
      },
    })
    const bodies = [
      new FormData(),
      new URLSearchParams({ a: 'b' }),
      new Blob(['a'], { type: 'text/csv' }),
      { a: 1 },
    ]
    for (const body of bodies) await api.request('POST', '/reports', { body })
    expect(types.map((type) => type?.split(';')[0])).toEqual([
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      'text/csv',
      'application/json',
    ])
  })

  it('reaches any route, however slashes are written', async () => {
    const clients = [clientOf(), clientOf({ url: `${site.url}/`, prefix: 'api/' })]
    for (const api of clients)
      for (const path of ['/articles', 'articles'])
        expect(await api.request('GET', path, { query: { fields: 'id' } })).toMatchObject({ data: [] })
    expect(
      (
        await clientOf({ url: `${site.url}/api/`, prefix: '/' })
          .entries('articles')
          .find()
      ).data,
    ).toEqual([])
  })
})
