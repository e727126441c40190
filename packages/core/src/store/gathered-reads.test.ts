import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type GatheredReads, Gatherer } from './gathered-reads.ts'
import type { ExecuteOptions, Row, Statement } from './store.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A gatherer whose messages are answered by hand. */
class Reads {
  readonly sent: GatheredReads[] = []
  readonly outcomes = new Map<string, string>()
  readonly #gatherer = new Gatherer((reads) => this.sent.push(reads))

  /** Lets a text be known to take so many milliseconds. */
  know(text: string, milliseconds: number): void {
    this.add(text, 'first')
    this.took(milliseconds)
  }

  add(text: string, name: string, demand: ExecuteOptions = {}, more: Partial<Statement> = {}): void {
    const done = (error: Error | undefined, rows: readonly Row[]): void => {
      this.outcomes.set(name, error ? `${(error as { code?: string }).code ?? error.message}` : String(rows))
    }
    this.#gatherer.add({ statement: { text, values: [], ...more }, values: [name], demand, done })
  }

  took(milliseconds: number): void {
    const reads = this.sent.pop()
    if (reads) this.#gatherer.took(milliseconds, reads)
  }

  /** The names of the reads in each message. */
  get messages(): readonly (readonly unknown[])[] {
    vi.runAllTimers()
    return this.sent.map((message) => message.statements('n').map(({ values }) => values[0]))
  }
}

describe('reads of one turn', () => {
  it('are sent together when they have the same text', () => {
    const reads = new Reads()
    reads.know('a', 0.1)
    reads.know('b', 0.1)
    for (const [i, text] of ['a', 'b', 'a', 'a', 'b'].entries()) reads.add(text, `${text}${i}`)
    expect(reads.sent).toEqual([])
    expect(reads.messages).toEqual([
      ['a0', 'a2', 'a3'],
      ['b1', 'b4'],
    ])
  })

  it('are sent alone when their time is unknown, or depends on their values, or they are heavy', () => {
    const reads = new Reads()
    reads.know('a', 0.1)
    for (const name of ['one', 'two']) reads.add('unknown', name)
    for (const name of ['three', 'four']) reads.add('a', name, {}, { planned: true })
    for (const name of ['five', 'six']) reads.add('a', name, { heavy: true })
    expect(reads.messages).toEqual([['one'], ['two'], ['three'], ['four'], ['five'], ['six']])
  })

  it.each([
    [0.01, [16, 4]],
    [0.25, [8, 8, 4]],
    [0.9, [2, 2, 2, 2, 2, 2, 2, 2, 2, 2]],
    [1.1, Array.from({ length: 20 }, () => 1)],
  ])('are as many as take 2 ms: at %d ms each', (time, sizes) => {
    const reads = new Reads()
    reads.know('a', time)
    for (let i = 0; i < 20; i++) reads.add('a', String(i))
    expect(reads.messages.map(({ length }) => length)).toEqual(sizes)
  })
})

describe('the time of a text', () => {
  const sizeAfter = (times: readonly number[]): number => {
    const reads = new Reads()
    reads.know('a', 0.1)
    for (const time of times) {
      reads.add('a', 'x')
      vi.runAllTimers()
      reads.took(time)
    }
    for (let i = 0; i < 16; i++) reads.add('a', String(i))
    return reads.messages[0]?.length ?? 0
  }

  it('is the shortest of late', () => {
    expect(sizeAfter([5, 5, 5])).toBe(16)
    expect(sizeAfter(Array.from({ length: 1_500 }, () => 5))).toBe(4)
  })

  it('is forgotten at once when it becomes slow', () => {
    expect(sizeAfter([60])).toBe(1)
    expect(sizeAfter([60, 0.5])).toBe(4)
  })
})

describe('gathered reads', () => {
  const together = (demands: readonly ExecuteOptions[]): { reads: Reads; message: GatheredReads } => {
    const reads = new Reads()
    reads.know('a', 0.1)
    for (const [i, demand] of demands.entries()) reads.add('a', String(i), demand)
    vi.runAllTimers()
    return { reads, message: reads.sent[0] as GatheredReads }
  }

  it('have the rows of their own', () => {
    const { reads, message } = together([{}, {}])
    const [first, second] = message.statements(undefined)
    first?.onRow?.(['one'])
    second?.onRow?.(['two'])
    expect(message.end(undefined, 2)).toEqual([])
    expect(Object.fromEntries(reads.outcomes)).toEqual({ 0: 'one', 1: 'two' })
  })

  it('return those after an error, which did not run', () => {
    const { reads, message } = together([{}, {}, {}])
    message.statements(undefined)[0]?.onRow?.(['one'])
    const skipped = message.end(new Error('divided by zero'), 1)
    expect(skipped.map(({ values }) => values[0])).toEqual(['2'])
    expect(Object.fromEntries(reads.outcomes)).toEqual({ 0: 'one', 1: 'divided by zero' })
  })

  it('are complete when the connection breaks after the last of them', () => {
    const { reads, message } = together([{}, {}])
    expect(message.end(new Error('broken'), 2)).toEqual([])
    expect([...reads.outcomes.values()]).toEqual(['', ''])
  })

  it('abort when all have, and answer those who left before', () => {
    const clients = [new AbortController(), new AbortController(), new AbortController()]
    clients[2]?.abort()
    const { reads, message } = together(clients.map(({ signal }) => ({ signal })))
    let aborts = 0
    message.addEventListener('abort', () => {
      aborts += 1
    })
    clients[0]?.abort()
    expect({ aborts, aborted: message.aborted }).toEqual({ aborts: 0, aborted: false })
    expect(Object.fromEntries(reads.outcomes)).toEqual({ 0: 'database/abandoned', 2: 'database/abandoned' })
    clients[1]?.abort()
    expect({ aborts, aborted: message.aborted }).toEqual({ aborts: 1, aborted: true })
    message.fail(new Error('cancelled'))
    expect(reads.outcomes.get('1')).toBe('cancelled')
    expect(reads.outcomes.get('0')).toBe('database/abandoned')
  })

  it('count for their caller when they have one', () => {
    const { message } = together([
      { group: 'article', caller: 'ann' },
      { group: 'article', caller: 'ann' },
    ])
    expect(message.demand).toMatchObject({ group: 'article', caller: 'ann' })
    const { message: mixed } = together([
      { group: 'article', caller: 'ann' },
      { group: 'article', caller: 'ben' },
    ])
    expect(mixed.demand).toMatchObject({ group: 'article', caller: undefined })
  })
})
