import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Gatherer } from './gatherer.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A gatherer of names for messages that are expected to take 2 ms. */
class Work {
  readonly #sent: (readonly string[])[] = []
  readonly gatherer = new Gatherer<string>((names) => this.#sent.push(names), 2)

  /** Lets a text be known to take so many milliseconds. @param rested Those in which the event loop waited. */
  know(text: string, milliseconds: number, rested = milliseconds): void {
    this.gatherer.took({ milliseconds, rested }, text, 1)
  }

  add(text: string, name = text): void {
    this.gatherer.add(name, text)
  }

  /** The messages so far, without those of the turn. */
  get sent(): readonly (readonly string[])[] {
    return this.#sent
  }

  get messages(): readonly (readonly string[])[] {
    vi.runAllTimers()
    return this.#sent
  }
}

describe('work of one turn', () => {
  it('is sent together when it has the same text', () => {
    const work = new Work()
    work.know('a', 0.1)
    work.know('b', 0.1)
    for (const [i, text] of ['a', 'b', 'a', 'a', 'b'].entries()) work.add(text, `${text}${i}`)
    expect(work.sent).toEqual([])
    expect(work.messages).toEqual([
      ['a0', 'a2', 'a3'],
      ['b1', 'b4'],
    ])
  })

  it('joins work that is not sent yet, in a full message too', () => {
    const sent: (readonly string[])[] = []
    const gatherer = new Gatherer<string>(
      (names) => sent.push(names),
      2,
      (known, name) => known === name,
    )
    gatherer.took({ milliseconds: 1, rested: 1 }, 'a', 1)
    for (const name of ['one', 'two', 'one', 'three', 'two']) gatherer.add(name, 'a')
    vi.runAllTimers()
    gatherer.add('one', 'a')
    vi.runAllTimers()
    expect(sent).toEqual([['one', 'two'], ['three'], ['one']])
  })

  it('is sent alone when its time is unknown', () => {
    const work = new Work()
    for (const name of ['one', 'two']) work.add('unknown', name)
    expect(work.sent).toEqual([['one'], ['two']])
  })

  it('is sent at once when it has many texts', () => {
    const work = new Work()
    const texts = Array.from({ length: 33 }, (_, i) => String(i))
    for (const text of texts) work.know(text, 0.1)
    for (const text of texts) work.add(text)
    expect(work.sent.length).toBe(32)
    expect(work.messages.flat()).toEqual(texts)
  })

  it.each([
    [0.01, [16, 4]],
    [0.25, [8, 8, 4]],
    [0.9, [2, 2, 2, 2, 2, 2, 2, 2, 2, 2]],
    [1.1, Array.from({ length: 20 }, () => 1)],
  ])('is as much as takes 2 ms: at %d ms each', (time, sizes) => {
    const work = new Work()
    work.know('a', time)
    for (let i = 0; i < 20; i++) work.add('a')
    expect(work.messages.map(({ length }) => length)).toEqual(sizes)
  })
})

describe('the time of a text', () => {
  const sizeAfter = (times: readonly number[]): number => {
    const work = new Work()
    work.know('a', 0.1)
    for (const time of times) work.know('a', time)
    for (let i = 0; i < 16; i++) work.add('a')
    return work.messages[0]?.length ?? 0
  }

  it('is the shortest of its latest times', () => {
    expect(sizeAfter([5, 5, 5])).toBe(16)
    expect(sizeAfter(Array.from({ length: 1_500 }, () => 5))).toBe(4)
  })

  it('is forgotten at once when it becomes slow', () => {
    expect(sizeAfter([60])).toBe(1)
    expect(sizeAfter([60, 0.5])).toBe(4)
  })

  it('is not forgotten when the event loop was busy, and the answer waited for it', () => {
    const work = new Work()
    work.know('a', 0.1)
    work.know('a', 60, 2)
    for (let i = 0; i < 16; i++) work.add('a')
    expect(work.messages).toHaveLength(1)
    work.know('a', 60, 55)
    for (let i = 0; i < 16; i++) work.add('a')
    expect(work.messages).toHaveLength(17)
  })

  it('is the time of one statement of a message', () => {
    const work = new Work()
    work.gatherer.took({ milliseconds: 8, rested: 8 }, 'a', 16)
    for (let i = 0; i < 16; i++) work.add('a')
    expect(work.messages.map(({ length }) => length)).toEqual([4, 4, 4, 4])
  })
})
