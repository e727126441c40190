/** Clients that request large responses and do not read them. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { definePlugin } from '@octavo/core/plugin'
import { expect, it, vi } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

// The subject is time limits, whose ends a busy machine reaches late.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** More than the buffers of a connection take, on either side. */
const size = 32 * 1024 * 1024
const large = definePlugin({
  name: 'large',
  setup: (octavo) =>
    octavo.hook('server:routes', (routes) =>
      routes.add({
        method: 'GET',
        path: '/large',
        handler: (context) => {
          context.body = 'x'.repeat(size)
        },
      }),
    ),
})

/** A route whose answer is ready only when its client has disconnected. */
const late = definePlugin({
  name: 'late',
  setup: (octavo) =>
    octavo.hook('server:routes', (routes) =>
      routes.add({
        method: 'GET',
        path: '/late',
        handler: async (context) => {
          arrived()
          await once(context.res, 'close')
          context.body = 'x'.repeat(size)
        },
      }),
    ),
})
let arrived = (): void => {}

/** Sends a request, and reads nothing after the first bytes. */
async function slowReader({ url }: Site, headers = ''): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /api/large HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
  await once(socket, 'readable')
  socket.on('error', () => {})
  return socket
}

const unsent = async ({ api }: Site): Promise<number> =>
  Number(/^octavo_unsent_answer_bytes (\d+)$/m.exec((await api.get('/_metrics')).text)?.[1])

it('Slow clients are cut off when they make no progress', async () => {
  const site = await openSite({ plugins: [large], metrics: true, response: { idle: 200 } })
  const readers = await Promise.all([1, 2, 3].map(() => slowReader(site)))
  await expect.poll(() => unsent(site), { timeout: 60_000, interval: 100 }).toBe(0)
  for (const reader of readers) reader.destroy()
  await site.close()
})

it('Answers to slow clients have a common limit: one above it is 503, and small ones are sent', async () => {
  const site = await openSite({ plugins: [large], metrics: true, response: { unsent: size * 1.5 } })
  const reader = await slowReader(site)
  expect(await unsent(site)).toBe(size)
  const { status, headers, body } = await site.api.get('/api/large')
  expect([status, headers.get('retry-after'), body.error.details.code]).toEqual([503, '1', 'server/busy'])
  expect((await site.api.get('/api/articles/1')).status).toBe(200)
  reader.destroy()
  await expect.poll(() => unsent(site), { timeout: 60_000 }).toBe(0)
  expect((await site.api.get('/api/large')).text).toHaveLength(size)
  await site.close()
})

it('S-38: slow clients of one caller leave room for the answers of others', async () => {
  const site = await openSite({ plugins: [large], metrics: true, proxies: 1, response: { unsent: size * 4 } })
  const askedBy = (address: string) =>
    site.api.get('/api/large', { headers: { 'x-forwarded-for': address } }).then(({ status }) => status)
  const readers: Socket[] = []
  for (let i = 0; i < 3; i++) readers.push(await slowReader(site, 'X-Forwarded-For: 192.0.2.1\r\n'))
  expect(await unsent(site)).toBe(3 * size)
  expect([await askedBy('192.0.2.1'), await askedBy('192.0.2.2')]).toEqual([503, 200])
  for (const reader of readers) reader.destroy()
  await expect.poll(() => askedBy('192.0.2.1'), { timeout: 60_000 }).toBe(200)
  await site.close()
})

it('Answers to slow clients make room for others when they are older than the limit', async () => {
  const site = await openSite({ plugins: [large], metrics: true, response: { idle: 500, unsent: size } })
  const reader = await slowReader(site)
  // It reads a little now and then, so that the time without progress never runs out.
  const reading = setInterval(() => reader.read(), 50)
  await expect
    .poll(async () => (await site.api.get('/api/large')).status, { timeout: 60_000, interval: 100 })
    .toBe(200)
  clearInterval(reading)
  reader.destroy()
  await site.close()
})

it('Answers are not read from the database when there is no room for them', async () => {
  const site = await openSite()
  const { octavo } = site.server
  const articles = octavo.entries('article')
  const body = 'x'.repeat(1024 * 1024)
  for (let i = 0; i < 4; i++) await articles.create({ title: 'Long', body })
  const type = octavo.registry.contentType('api::article.article')
  const read = (query: string, requireRoom: (bytes: number) => void) =>
    octavo.read({ type, action: 'find', kind: 'list', query, state: {}, requireRoom })
  const sizes: number[] = []
  const { data = '' } = await read('', (bytes) => void sizes.push(bytes))
  expect(data.length).toBeGreaterThan(4 * body.length)
  // The brackets of the list are added afterwards.
  expect(sizes).toEqual([data.length - 2])
  const refuse = (): never => {
    throw new Error('no room')
  }
  await expect(read('', refuse)).rejects.toThrow('no room')
  expect((await read('fields=title', refuse)).data).toContain('Long')
  await site.close()
})

it('Clients that disconnect before their answer is ready take no room', async () => {
  const site = await openSite({ plugins: [late], metrics: true })
  const { hostname, port } = new URL(site.url)
  for (let i = 0; i < 3; i++) {
    const atHandler = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const socket = connect(Number(port), hostname)
    socket.write('GET /api/late HTTP/1.1\r\nHost: x\r\n\r\n')
    await atHandler
    socket.destroy()
    await expect.poll(() => site.log.filter(({ message }) => message === 'GET /api/late').length).toBe(i + 1)
  }
  expect(await unsent(site)).toBe(0)
  await site.close()
})
