import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openSite } from './site.ts'

describe.runIf(process.platform === 'linux')('Connections that arrive at once', () => {
  it('are accepted in few rounds of the event loop, however long a round takes', async () => {
    const site = await openSite()
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

it('A port on which another server listens is an error that names it', async () => {
  const site = await openSite()
  const port = Number(new URL(site.url).port)
  await expect(site.server.listen(port, '127.0.0.1')).rejects.toThrow(
    `Port ${port} is in use on 127.0.0.1; choose another one`,
  )
  await site.close()
})
