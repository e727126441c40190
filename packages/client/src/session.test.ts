import { afterEach, expect, it, vi } from 'vitest'
import { memorySession, Renewal, type Session } from './session.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** As browsers have them. Node.js 22 has none. */
const withLocks = it.runIf(globalThis.navigator?.locks)

withLocks('A slow renewal keeps its refresh token from other tabs until its answer is there', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('document', {})
  const old = { jwt: 'old', refreshToken: 'once' }
  const used: string[] = []
  const answer = Promise.withResolvers<Session>()
  const tab = () => {
    const store = memorySession(old)
    const renewal = new Renewal(store, (token) => {
      used.push(token)
      return answer.promise
    })
    return { store, renewed: renewal.renew('old') }
  }
  const [first, second] = [tab(), tab()]
  await vi.advanceTimersByTimeAsync(60_000)
  expect(used).toEqual(['once'])
  const next = { jwt: 'new', refreshToken: 'twice' }
  answer.resolve(next)
  expect(await first.renewed).toBe('new')
  await second.store.set(next)
  await vi.advanceTimersByTimeAsync(100)
  expect(await second.renewed).toBe('new')
  expect(used).toEqual(['once'])
})
