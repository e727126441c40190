/** Bodies that do not arrive, or that cannot be read: their requests end. */
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Server } from '../../src/index.ts'
import { openSite, type Site } from '../support/site.ts'

let site: Site
let http: HttpServer
let port: number
beforeAll(async () => {
  site = await openSite()
  const listening = await (site.server as Server).listen(0, '127.0.0.1')
  http = listening.server
  port = listening.port
})
afterAll(() => site.close())

/** Sends the beginning of a request. @returns both ends of the connection, and what the server answers until it closes it */
async function begin(text: string) {
  const accepted = once(http, 'connection') as Promise<[Socket]>
  const requested = once(http, 'request')
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes
  })
  socket.on('error', () => {})
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)))
  socket.write(text)
  const [end] = await accepted
  await requested
  return { socket, end, answer: closed }
}

const head = 'POST /api/articles HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

describe('a body', () => {
  it('that does not arrive in time is 408, and its connection is closed', async () => {
    const { end, answer } = await begin(`${head}Content-Length: 100\r\n\r\n{"data":`)
    // As Node does after the time for requests, which it compares every half minute.
    http.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), end)
    expect(await answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*request\/timeout/)
  })

  it('in chunks that cannot be read is 400, and its connection is closed', async () => {
    const { answer } = await begin(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)
    expect(await answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*request\/refused/)
  })

  const inChunks = (text: string) => `${[...text].map((char) => `1\r\n${char}\r\n`).join('')}0\r\n\r\n`
  const chunked = `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`

  it('S-20: in tens of thousands of chunks of a byte is 400 at once, and its connection is closed', async () => {
    for (const start of [chunked, chunked.replace('application/json', 'text/plain')]) {
      const { answer } = await begin(
        start + inChunks(JSON.stringify({ data: { title: 'x'.repeat(20_000) } })),
      )
      expect(await answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*in too many small chunks/)
    }
  })

  it('in some thousands of chunks of a byte is read', async () => {
    const { answer } = await begin(chunked + inChunks(`{"data":{${' '.repeat(5_000)}"title":"x"}}`))
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('that is refused before its end has one answer, however the rest of it ends', async () => {
    const length = 2_000_000
    const text = `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`
    const { socket, answer } = await begin(`${head}Transfer-Encoding: chunked\r\n\r\n${text}`)
    await once(socket, 'data')
    socket.write('zz\r\n')
    const answers = (await answer).match(/HTTP\/1\.1 \d+/g)
    expect(answers).toEqual(['HTTP/1.1 413'])
  })
})
