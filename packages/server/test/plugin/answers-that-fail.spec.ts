import { request } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import { definePlugin } from '@octavo/core/plugin'
import type { RouteContext } from '@octavo/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

type Line = Readonly<Record<string, unknown>>

let site: Site
let lines: Line[]
let handler: (context: RouteContext) => unknown

/** Libraries have promises of their own, such as the queries of a builder; here it is that of another realm. */
const OtherPromise = runInNewContext('Promise') as PromiseConstructor
const laterReport = (context: RouteContext): Promise<void> =>
  OtherPromise.resolve(setTimeout(10)).then(() => {
    context.body = { total: 1 }
  })

beforeEach(async () => {
  lines = []
  const log = (fields: Line, message: string) => void lines.push({ ...fields, message })
  const logger = { debug: log, info: () => {}, warn: log, error: log, child: () => logger }
  const plugin = definePlugin({
    name: 'reports',
    setup: (host) =>
      host.hook('server:routes', (routes) => {
        routes.add({ method: 'GET', path: '/report', handler: (context) => void handler(context) })
        routes.add({ method: 'GET', path: '/later', handler: laterReport })
      }),
  })
  site = await openSite({ plugins: [plugin], logger })
})
afterEach(() => site?.close())

/** Requests the report. The body is `undefined` where the connection broke before its end. */
async function get(encoding: string) {
  const response = await new Promise<import('node:http').IncomingMessage | undefined>((resolve) =>
    request(`${site.url}/api/report`, { headers: { 'accept-encoding': encoding } })
      .on('response', resolve)
      .on('error', () => resolve(undefined))
      .end(),
  )
  const body = response && (await buffer(response).catch(() => undefined))
  return { status: response?.statusCode, headers: response?.headers ?? {}, body }
}

const said = (text: string) =>
  async function* () {
    yield text
    throw new Error('the report ended early')
  }
const encodings = ['identity', 'gzip']

describe.each(encodings)('An answer in the encoding %s', (encoding) => {
  it.each([
    ['a stream', () => Readable.from(said('half')())],
    ['a stream of the web', () => Readable.toWeb(Readable.from(said('half')()))],
    [
      'a stream that fails at once',
      () =>
        new Readable({
          read() {
            this.destroy(new Error('the report ended early'))
          },
        }),
    ],
  ])('of %s that fails breaks off, and the log names plugin and route', async (_what, body) => {
    handler = (context) => {
      context.type = 'text/plain'
      context.body = body()
    }
    expect((await get(encoding)).body).toBeUndefined()
    expect(lines.filter(({ message }) => message === 'An answer could not be sent')).toEqual([
      expect.objectContaining({ plugin: 'reports', route: 'GET /api/report', requestId: expect.any(String) }),
    ])
  })

  it.each([
    ['a Blob', () => new Blob(['a report '.repeat(1_000)])],
    ['a Response', () => new Response('a report '.repeat(1_000))],
    ['a stream of the web', () => new Blob(['a report '.repeat(1_000)]).stream()],
  ])('of %s is whole', async (_what, made) => {
    handler = (context) => {
      context.type = 'text/plain'
      context.body = made()
    }
    const { status, headers, body = Buffer.alloc(0) } = await get(encoding)
    expect([status, headers['content-encoding']]).toEqual([200, encoding === 'gzip' ? 'gzip' : undefined])
    expect(String(encoding === 'gzip' ? gunzipSync(body) : body)).toBe('a report '.repeat(1_000))
  })
})

it('A stream of events has not failed when its client ends it', async () => {
  const closed = Promise.withResolvers<void>()
  handler = (context) => {
    const body = new PassThrough()
    body.write(':\n\n')
    context.type = 'text/event-stream'
    context.body = body
    context.res.once('close', () => closed.resolve())
  }
  const leaving = new AbortController()
  expect((await fetch(`${site.url}/api/report`, { signal: leaving.signal })).status).toBe(200)
  leaving.abort()
  await closed.promise
  await site.close()
  expect(lines.filter(({ message }) => message === 'An answer could not be sent')).toEqual([])
})

describe('A handler that fails after it has sent the head', () => {
  it.each([
    ['of its own answer', false],
    ['of the answer that the server ends', true],
  ])('%s breaks the answer off, without the body of an error in it', async (_what, respond) => {
    handler = (context) => {
      context.respond = respond
      context.res.writeHead(200, { 'content-type': 'text/plain' })
      context.res.write('half')
      throw new Error('the report ended early')
    }
    expect((await get('identity')).body).toBeUndefined()
    expect(lines.filter(({ message }) => message === 'A request failed')).toEqual([
      expect.objectContaining({ message: 'A request failed', plugin: 'reports', route: 'GET /api/report' }),
    ])
  })
})

describe('An answer that is no JSON', () => {
  it.each([
    ['a number that JSON does not have', { total: 1n }, 'BigInt'],
    [
      'a promise',
      Promise.resolve({ total: 1 }),
      'context.body is a promise, which the handler did not await',
    ],
    ['a promise that fails', () => Promise.reject(new Error('No total')), 'is a promise'],
    ['a function', () => () => 1, 'context.body is a function, which is no JSON'],
  ])('of %s is a 500 like others, and the log names plugin and route', async (_what, made, message) => {
    handler = (context) => {
      context.body = typeof made === 'function' ? made() : made
    }
    await expectFailure(message)
  })
})

describe('A handler that does not wait for its answer', () => {
  it.each([
    ['an answer', 'api::article.article'],
    ['a refusal', 'api::artcle.article'],
  ])('is named in the log, when it would be %s', async (_what, type) => {
    handler = (context) => void context.octavo.find(type)
    await expectFailure('return or await the promise of context.octavo')
  })
})

it('A handler may return a promise that is none of the language', async () => {
  expect((await site.api.get('/api/later')).body).toEqual({ total: 1 })
})

async function expectFailure(message: string): Promise<void> {
  const { status, body } = await get('identity')
  expect([status, JSON.parse(String(body))]).toEqual([
    500,
    { data: null, error: expect.objectContaining({ status: 500, name: 'InternalServerError' }) },
  ])
  expect(lines.filter(({ message }) => message === 'A request failed')).toEqual([
    expect.objectContaining({
      err: expect.objectContaining({ message: expect.stringContaining(message) }),
      plugin: 'reports',
      route: 'GET /api/report',
    }),
  ])
}
