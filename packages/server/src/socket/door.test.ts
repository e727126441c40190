import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { Door } from './door.ts'

/** A process whose rounds never rest, and that answers none of the requests that it takes in. */
function door(busyRound: number) {
  let now = 1_000
  let end = (): void => {}
  const asked = new Door({
    ...{ prefix: '/api', proxies: 1, busyRound },
    time: { now: () => now, idle: () => 0 },
    atEnd: (callback) => {
      end = callback
    },
  })
  /** @returns the code of the refusal of each request of a round, each of which takes 10 ms */
  return (urls: readonly string[]): readonly (string | undefined)[] => {
    const codes = urls.map((url) => {
      const request = { method: 'GET', url, headers: { 'x-forwarded-for': '192.0.2.1' }, socket: {} }
      const refusal = asked.refusal(request as unknown as Parameters<Door['refusal']>[0]) // what a door reads
      if (!refusal) asked.begin(new EventEmitter() as ServerResponse) // its end is all that a door knows of it
      now += 10
      return refusal?.code
    })
    end()
    return codes
  }
}

const many = (count: number, url: string): readonly string[] => Array.from({ length: count }, () => url)

it('the door of a process without time refuses requests, but no checks of health', () => {
  const round = door(10)
  for (let i = 0; i < 20; i++) round(many(100, '/api/articles'))
  const urls = [...many(40, '/api/articles'), '/_health', '/_metrics', '/api/articles']
  expect(round(urls)).toEqual([
    undefined,
    ...many(39, 'server/overloaded'),
    ...[undefined, undefined, 'server/overloaded'],
  ])
})

it('the door of a server without a limit for its rounds refuses nothing', () => {
  const round = door(Number.POSITIVE_INFINITY)
  for (let i = 0; i < 20; i++)
    expect(new Set(round(many(100, '/api/articles')))).toEqual(new Set([undefined]))
})
