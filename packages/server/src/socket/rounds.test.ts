import { describe, expect, it } from 'vitest'
import { Rounds } from './rounds.ts'

/** A process of which every round takes in the requests that have arrived, each with work of some milliseconds. They are answered `answered` rounds later. */
class Loop {
  now = 1_000
  idle = 0
  #ends: (() => void)[] = []
  readonly rounds: Rounds
  refused = 0
  /** Requests of the last rounds that have no answer. */
  readonly #open: number[] = []
  readonly #answered: number

  constructor(busyRound = 25, answered = 10, proxies = 1) {
    this.#answered = answered
    this.rounds = new Rounds({
      ...{ busyRound, proxies },
      time: { now: () => this.now, idle: () => this.idle },
      atEnd: (end) => void this.#ends.push(end),
    })
  }

  /** @param senders Of each request, in order. @returns whether each was admitted */
  round(senders: readonly string[], work: number): readonly boolean[] {
    const admitted = senders.map((sender) => {
      const request = { headers: { 'x-forwarded-for': sender }, socket: {} }
      const isAdmitted = this.rounds.hasTimeFor(request as unknown as Parameters<Rounds['hasTimeFor']>[0]) // what it reads
      if (!isAdmitted) this.refused += 1
      if (isAdmitted) this.rounds.began()
      this.now += isAdmitted ? work : work / 20
      return isAdmitted
    })
    this.#open.push(countOf(admitted))
    if (this.#open.length > this.#answered)
      for (let n = this.#open.shift() ?? 0; n > 0; n--) this.rounds.ended()
    for (const end of this.#ends.splice(0)) end()
    return admitted
  }

  rest(milliseconds: number): void {
    this.now += milliseconds
    this.idle += milliseconds
  }
}

const many = (count: number, sender = '192.0.2.1'): readonly string[] =>
  Array.from({ length: count }, () => sender)
const countOf = (admitted: readonly boolean[]): number => admitted.filter(Boolean).length

describe('the rounds of a process', () => {
  it('takes in all requests of a burst that lasts less than a quarter of a second', () => {
    const loop = new Loop()
    expect(countOf(loop.round(many(249), 1))).toBe(249)
  })

  it('takes in what two fifths of a long round do, when there was no pause for a while', () => {
    const loop = new Loop()
    for (let i = 0; i < 5; i++) loop.round(many(240), 0.5)
    const admitted = loop.round(many(200), 0.5)
    expect(countOf(admitted)).toBe(20)
    expect(admitted.slice(0, 20)).not.toContain(false)
    expect(loop.refused).toBeGreaterThanOrEqual(180)
  })

  it('goes on refusing while its rounds are short because it refuses', () => {
    const loop = new Loop()
    for (let i = 0; i < 5; i++) loop.round(many(240), 0.5)
    const counts = Array.from({ length: 100 }, () => countOf(loop.round(many(40), 0.5)))
    expect(new Set(counts)).toEqual(new Set([20]))
  })

  it('takes in everything again after a short round in which it refused nothing', () => {
    const loop = new Loop()
    for (let i = 0; i < 5; i++) loop.round(many(240), 0.5)
    loop.round(many(10), 0.5)
    expect(countOf(loop.round(many(100), 0.5))).toBe(100)
  })

  it('takes in all requests that arrived during a stall', () => {
    const loop = new Loop()
    loop.round(many(1), 3_000)
    expect(countOf(loop.round(many(100), 1))).toBe(100)
  })

  it('refuses in a round that takes in requests without an end', () => {
    const loop = new Loop()
    const first = loop.round(many(5_000), 0.2)
    expect(first.indexOf(false)).toBe(1_250)
    expect(countOf(first)).toBe(1_250)
    expect(countOf(loop.round(many(1_000), 0.5))).toBe(20)
  })

  it('takes in everything again after a pause', () => {
    const loop = new Loop()
    for (let i = 0; i < 5; i++) loop.round(many(400), 1)
    loop.rest(2)
    expect(countOf(loop.round(many(200), 1))).toBe(200)
  })

  it('refuses nobody while rounds are short, for however long they follow one another', () => {
    const loop = new Loop()
    for (let i = 0; i < 1_000; i++) expect(countOf(loop.round(many(20), 1))).toBe(20)
  })

  it('takes in requests of few clients that wait for their answers, however long its rounds are', () => {
    const loop = new Loop(25, 0)
    for (let i = 0; i < 100; i++) expect(countOf(loop.round(many(24), 10))).toBe(24)
    expect(countOf(loop.round(many(60), 10))).toBe(33)
  })

  it('takes in a sender of few requests beside one of many', () => {
    const loop = new Loop()
    const senders = [...many(60), '198.51.100.7']
    for (let i = 0; i < 100; i++) loop.round(senders, 1)
    const rounds = Array.from({ length: 20 }, () => loop.round(senders, 1))
    expect(rounds.map((admitted) => admitted.at(-1))).not.toContain(false)
    expect(countOf(rounds.flat())).toBeLessThan(20 * 40)
  })

  it('refuses nothing with Infinity', () => {
    const loop = new Loop(Number.POSITIVE_INFINITY)
    for (let i = 0; i < 20; i++) expect(countOf(loop.round(many(100), 10))).toBe(100)
  })
})
