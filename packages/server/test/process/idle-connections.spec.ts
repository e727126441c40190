/** Connections on which nothing is sent for a while. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { runs } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

// A test waits for longer than a minute, which nobody should wait for.
describe.runIf(runs(0, 1) === 1)('An idle connection', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site.close())

  const ask = async (socket: Socket): Promise<string> => {
    socket.write('GET /_health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const closed = once(socket, 'close').then(() => ['closed'])
    const [answer] = await Promise.race([once(socket, 'data'), closed])
    return String(answer)
  }

  it('is open for some seconds longer than answers announce, so that a late client gets its answer', {
    timeout: 120_000,
  }, async () => {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1')
    const seconds = Number(/^keep-alive: timeout=(\d+)/im.exec(await ask(socket))?.[1])
    expect(seconds).toBe(65)
    await after((seconds + 3) * 1_000)
    expect(await ask(socket)).toMatch(/^HTTP\/1\.1 204/)
    socket.destroy()
  })
})
