import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { UnsentAnswers } from './unsent.ts'

const response = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()))
/** A response whose client has disconnected. */
function abandoned(): ServerResponse {
  const socket = new Socket()
  const closed = response()
  closed.assignSocket(socket)
  socket.emit('close')
  return closed
}
const busy = expect.objectContaining({ code: 'server/busy' })
const caller = 'address 192.0.2.1'
const [four, six] = [4_000_000, 6_000_000]

describe('room for answers that are being read', () => {
  it('is taken before they are read, so that none is read that cannot be sent', () => {
    const unsent = new UnsentAnswers({ idle: 20_000, unsent: six })
    const first = response()
    unsent.reserve(first, four, caller)
    expect(() => unsent.reserve(response(), four, caller)).toThrow(busy)
    unsent.hold(first, four + 100, caller)
    expect(unsent.bytes).toBe(four + 100)
    first.emit('close')
    expect(unsent.bytes).toBe(0)
    unsent.reserve(response(), four, caller)
  })

  it('is not taken by an answer whose client has disconnected', () => {
    const unsent = new UnsentAnswers({ idle: 20_000, unsent: six })
    const gone = abandoned()
    unsent.reserve(gone, four, caller)
    unsent.hold(gone, four, caller)
    expect(unsent.bytes).toBe(0)
  })

  it('is free again when a small answer is sent instead, such as an error', () => {
    const unsent = new UnsentAnswers({ idle: 20_000, unsent: six })
    const failed = response()
    unsent.reserve(failed, four, caller)
    unsent.hold(failed, 200, caller)
    expect(unsent.bytes).toBe(0)
  })

  it('is not taken from an answer that is still being read, however long that takes', () => {
    const unsent = new UnsentAnswers({ idle: 0, unsent: six })
    const reading = response()
    unsent.reserve(reading, four, caller)
    expect(() => unsent.reserve(response(), four, caller)).toThrow(busy)
    unsent.hold(reading, four, caller)
    // Of those that are being sent, the ones older than `idle` make room.
    unsent.reserve(response(), four, caller)
    expect(reading.destroyed).toBe(true)
  })
})

describe('room for the answers of one caller', () => {
  const [first, second] = ['user 1', 'user 2'] as const

  it('is three times what stays free, so that others have a part of it', () => {
    const unsent = new UnsentAnswers({ idle: 20_000, unsent: 100_000 })
    for (let i = 0; i < 3; i++) unsent.reserve(response(), 25_000, first)
    expect(() => unsent.reserve(response(), 25_000, first)).toThrow(busy)
    unsent.reserve(response(), 25_000, second)
  })

  it('is enough for a first answer of any size that fits', () => {
    const unsent = new UnsentAnswers({ idle: 20_000, unsent: 100_000 })
    unsent.reserve(response(), 20_000, first)
    unsent.reserve(response(), 80_000, second)
    expect(unsent.bytes).toBe(100_000)
  })

  it('grows by answers of the same caller that are older than idle', () => {
    const unsent = new UnsentAnswers({ idle: 0, unsent: 100_000 })
    const old = response()
    unsent.hold(old, 75_000, first)
    unsent.reserve(response(), 25_000, first)
    expect(old.destroyed).toBe(true)
  })
})

describe('counted answers', () => {
  it('are forgotten when they are sent: the next young collection frees them', async () => {
    let full = 0
    const observer = new PerformanceObserver((list) => {
      // The types of Node.js leave the details of garbage collections out.
      const entries = list.getEntries() as unknown as readonly {
        readonly detail: { readonly kind: number }
      }[]
      full += entries.filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length
    })
    observer.observe({ entryTypes: ['gc'] })
    const unsent = new UnsentAnswers({ idle: 20_000, unsent: six })
    const inFlight: ServerResponse[] = []
    for (let i = 0; i < 60_000; i++) {
      const answer = Object.assign(response(), { text: Buffer.alloc(10_000, 'a').toString('latin1') })
      unsent.hold(answer, 20_000, caller)
      inFlight.push(answer)
      if (inFlight.length > 16) inFlight.shift()?.emit('close')
      if (i % 100 === 0) await turn()
    }
    await turn()
    observer.disconnect()
    // 600 MB went through; each 50 MB of them that live on make a full collection.
    // A busy machine makes some of its own.
    expect(full).toBeLessThan(9)
  }, 60_000)
})
