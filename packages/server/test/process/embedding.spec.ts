/** The server inside of another program, behind that program's middleware. */
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ForbiddenError } from '@octavo/core'
import { createClient } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({
    middleware: [
      async (context, next) => {
        if (context.path === '/own') context.body = { own: true }
        else if (context.path === '/api/authors') throw new ForbiddenError('test/forbidden', 'Not these')
        else await next()
      },
    ],
  })
})
afterAll(() => site.close())

/** Serves the application behind a listener that may read the body first. */
async function behind(read: (request: IncomingMessage & { body?: unknown }) => Promise<void>) {
  const answer: RequestListener = site.server.app.callback()
  const http = createHttpServer((request, response) => {
    void read(request).then(() => answer(request, response))
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo // it listens on a port
  const api = createClient(`http://127.0.0.1:${port}`)
  return { api, close: () => http.close() }
}

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => Buffer.concat(await request.toArray())

describe('server.app', () => {
  it.each<[string, (bytes: Buffer) => unknown]>([
    ['parsed, as by express.json()', (bytes) => JSON.parse(String(bytes))],
    ['bytes, as by express.raw()', (bytes) => bytes],
    ['text, as by express.text()', String],
  ])('takes a body that was read before: %s', async (_, parse) => {
    const { api, close } = await behind(async (request) => {
      request.body = parse(await bytesOf(request))
    })
    const { status, body } = await api.post('/api/articles?fields=title', {
      body: { data: { title: 'Parsed' } },
    })
    expect([status, body.data.attributes]).toEqual([200, { title: 'Parsed' }])
    close()
  })

  it('says where text that was read before is no JSON', async () => {
    const { api, close } = await behind(async (request) => {
      await bytesOf(request)
      request.body = '{"data" {}}'
    })
    const { status, body } = await api.post('/api/articles', { body: {} })
    expect([status, body.error.message]).toEqual([
      400,
      'The body is not valid JSON: line 1, column 9: expected a colon.',
    ])
    close()
  })

  it('reads an unread body', async () => {
    const { api, close } = await behind(async () => {})
    expect((await api.post('/api/articles', { body: { data: { title: 'Unread' } } })).status).toBe(200)
    close()
  })

  it('fails, with the reason in the log, for a consumed body without request.body', async () => {
    const { api, close } = await behind(async (request) => void (await bytesOf(request)))
    expect((await api.post('/api/articles', { body: { data: { title: 'Lost' } } })).status).toBe(500)
    const logged = site.log.findLast(({ level }) => level === 'error')?.fields as { err: Error }
    expect(logged.err.message).toContain('mount the server before the middleware that reads it')
    close()
  })
})

describe('createServer({ middleware })', () => {
  it('answers before routing, and its errors have the envelope', async () => {
    expect((await site.api.get('/own')).body).toEqual({ own: true })
    const { status, body } = await site.api.get('/api/authors')
    expect([status, body.error]).toMatchObject([
      403,
      { message: 'Not these', details: { code: 'test/forbidden' } },
    ])
    expect((await site.api.get('/api/articles/1')).status).toBe(200)
  })
})
