/** Responses to unusual requests: each has the envelope and belongs to its request. */
import { connect } from 'node:net'
import { definePlugin } from '@octavo/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

const bodies = definePlugin({
  name: 'bodies',
  setup: (octavo) =>
    octavo.hook('server:routes', (routes) => {
      routes.add({
        method: 'GET',
        path: '/circular',
        handler: (context) => {
          const body: Record<string, unknown> = { text: 'x'.repeat(2_000) }
          body.self = body
          context.body = body
        },
      })
      routes.add({
        method: 'GET',
        path: '/thrown',
        handler: () => {
          throw 'a text, which is no Error'
        },
      })
    }),
})

let site: Site
beforeAll(async () => {
  site = await openSite({ plugins: [bodies] })
})
afterAll(() => site.close())

/** The bytes that the server sends on a connection until it closes it. */
function send(bytes: string): Promise<string> {
  const { hostname, port } = new URL(site.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    socket.on('data', (data) => {
      text += data.toString()
    })
    socket.on('close', () => resolve(text))
    // The server closes while the rest of a long request is being sent.
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? undefined : reject(error)))
  })
}

const statuses = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, code = '']) => code)
const lastBody = (text: string): unknown => JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n') + 4))
const envelope = (status: number, code: string) => ({
  data: null,
  error: { status, name: expect.any(String), message: expect.any(String), details: { code } },
})

describe('An error answer', () => {
  it('has the code of docs/errors.md in its details', async () => {
    const code = async (path: string): Promise<string> => (await site.api.get(path)).body.error.details.code
    expect(await code('/api/nothing')).toBe('route/not-found')
    expect(await code('/api/articles?sort=nothing')).toBe('query/unknown-attribute')
    const { body } = await site.api.post('/api/articles', { body: { data: { title: 1 } } })
    expect(body.error.details).toEqual({ code: 'entry/invalid', errors: [expect.any(Object)] })
  })

  it('of a plugin’s circular body is a 500, and its reason is in the log', async () => {
    const { status, body } = await site.api.get('/api/circular')
    expect([status, body]).toEqual([500, envelope(500, 'server/failed')])
    const logged = site.log.findLast(({ level }) => level === 'error')?.fields as { err: Error }
    expect(logged.err.stack).toMatch(/circular/)
  })

  it('of a thrown value that is not an Error has a stack in the log', async () => {
    expect((await site.api.get('/api/thrown')).status).toBe(500)
    const logged = site.log.findLast(({ level }) => level === 'error')?.fields as { err: Error }
    expect(logged.err.stack).toContain('a text, which is no Error')
  })
})

describe('Accept-Encoding', () => {
  it.each(['*;q=0', 'gzip;q=0, *;q=0', 'identity;q=0', 'identity;q=0, *;q=0', 'nothing, identity;q=0', ''])(
    '"%s" is answered',
    async (encoding) => {
      const response = await fetch(`${site.url}/api/articles`, { headers: { 'accept-encoding': encoding } })
      expect(response.status).toBe(200)
      expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(3)
    },
  )
})

describe('A request that Node refuses', () => {
  it.each([
    [
      'headers beyond their bound',
      `GET /api/articles HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(140_000)}\r\n\r\n`,
      431,
    ],
    ['a URL beyond its bound', `GET /api/articles?a=${'x'.repeat(140_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['bytes that are no HTTP', 'hello\r\n\r\n', 400],
    ['a header with a line feed in its name', 'GET / HTTP/1.1\r\nHo\nst: x\r\n\r\n', 400],
  ])('for %s has the envelope', async (_, bytes, status) => {
    const text = await send(bytes)
    expect(statuses(text)).toEqual([String(status)])
    expect(lastBody(text)).toMatchObject({ data: null, error: { status } })
  })

  it('for its expectation is 417 with the envelope', async () => {
    const text = await send('GET /api/articles HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n')
    expect(statuses(text)).toEqual(['417'])
    expect(lastBody(text)).toEqual(envelope(417, 'request/refused'))
  })

  it('S-43: for two headers Host is 400, whether they are equal or not', async () => {
    for (const second of ['Host: x', 'host: evil.example']) {
      const text = await send(`GET /api/articles HTTP/1.1\r\nHost: x\r\n${second}\r\n\r\n`)
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(text).toContain('"code":"request/refused"')
    }
  })

  it('for its missing Host is 400 with the envelope', async () => {
    const text = await send('GET /api/articles HTTP/1.1\r\n\r\n')
    expect(statuses(text)).toEqual(['400'])
    expect(lastBody(text)).toEqual(envelope(400, 'request/refused'))
  })

  it.each([
    ['JSON', 'application/json', '{"dat'],
    ['multipart', 'multipart/form-data; boundary=xyz', '--xyz'],
  ])('in the middle of its body is 400 at once, as %s', async (_, type, start) => {
    const text = await send(
      `POST /api/articles HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n${start}\r\nGARBAGE\r\n`,
    )
    expect(statuses(text)).toEqual(['400'])
    expect(lastBody(text)).toEqual(envelope(400, 'request/refused'))
  })

  it('is answered after the good request that came before it on the connection', async () => {
    const text = await send('GET /api/articles/1?fields=title HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n')
    expect(statuses(text)).toEqual(['200', '400'])
    expect(text).toContain('"title":"One"')
    expect(lastBody(text)).toEqual(envelope(400, 'request/refused'))
  })
})
