import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { reservePort } from '../../src/socket/listen.ts'
import { openSite } from '../support/site.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(process.platform === 'linux')('Connections that arrive at once', () => {
  it('are accepted in few rounds of the event loop, however long a round takes', async () => {
    // The connections, which send nothing, are open until the end of the grace.
    const site = await openSite({ grace: 1_000 })
    const { server, port } = await site.server.listen(0, '127.0.0.1')
    let accepted = 0
    server.on('connection', () => {
      accepted += 1
    })
    // The kernel completes them all before the next round.
    const sockets: Socket[] = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'))
    let rounds = 0
    while (accepted < sockets.length) {
      await nextRound()
      if (accepted > 0) rounds += 1
    }
    // With one listening socket it takes 200.
    expect(rounds).toBeLessThan(100)
    const closed = sockets.map((socket) => once(socket.resume(), 'close'))
    await site.close()
    await Promise.all(closed)
    const [refused] = await once(connect(port, '127.0.0.1'), 'error')
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
  })
})

it('A server that is closed listens no more', async () => {
  const site = await openSite()
  await site.close()
  await expect(site.server.listen(0, '127.0.0.1')).rejects.toThrow(
    'The server is closed; createServer makes another one',
  )
})

it('A port on which another server listens is an error that names it', async () => {
  const site = await openSite()
  const port = Number(new URL(site.url).port)
  await expect(site.server.listen(port, '127.0.0.1')).rejects.toThrow(
    `Port ${port} is in use on 127.0.0.1; choose another one`,
  )
  await site.close()
})

it('One process listens on a port, of several that start at the same instant', async () => {
  const script = fileURLToPath(new URL('./listening-server.ts', import.meta.url))
  const starters = [0, 1, 2].map(() => fork(script))
  const answers = () =>
    Promise.all(starters.map(async (starter) => String((await once(starter, 'message'))[0])))
  try {
    await answers()
    for (let round = 0; round < 20; round++) {
      const { port, release } = await reservePort(0, '127.0.0.1')
      await release()
      const tried = answers()
      // All at the same moment, so that they meet.
      for (const starter of starters) starter.send({ port, at: Date.now() + 5 })
      const inUse = `Port ${port} is in use on 127.0.0.1; choose another one`
      expect((await tried).sort()).toEqual([inUse, inUse, 'listens'])
      const stopped = answers()
      for (const starter of starters) starter.send({ port: 0, at: 0 })
      await stopped
    }
  } finally {
    for (const starter of starters) starter.kill()
  }
})

it.runIf(process.platform === 'linux')(
  'No server listens on a reserved port until it is released',
  async () => {
    const site = await openSite()
    const { port, release } = await reservePort(0, '127.0.0.1')
    await expect(site.server.listen(port, '127.0.0.1')).rejects.toThrow(`Port ${port} is in use`)
    await release()
    await site.server.listen(port, '127.0.0.1')
    await site.close()
  },
)
