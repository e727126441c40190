import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UnsentStatement } from '../wire/unsent-statement.ts'
import { GatheredWrites } from './gathered-writes.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Transactions of one statement; each notes the values of the messages that it runs. */
class Writes {
  readonly messages: string[][] = []
  /** The error of the next message, and how many of its statements are completed before. */
  failure: { readonly code: string; readonly completed?: number } | undefined
  /** The error of sending the next message. */
  refusal: Error | undefined
  readonly #gathered = new GatheredWrites(Number.POSITIVE_INFINITY)

  /** The outcomes of transactions that start in one turn. */
  async run(...values: readonly string[]): Promise<readonly unknown[]> {
    const outcomes = values.map((value) => this.#run(value).catch((error: Error) => error.message))
    vi.runAllTimers()
    return Promise.all(outcomes)
  }

  /** Runs transactions of one turn, each of which locks the row with an id. */
  async runLocking(...ids: readonly number[]): Promise<readonly unknown[]> {
    const outcomes = ids.map((id) => this.#run(String(id), id))
    vi.runAllTimers()
    return Promise.all(outcomes)
  }

  #run(value: string, locked?: number): Promise<boolean> {
    return this.#gathered.run({
      among: '',
      locked,
      statements: [new UnsentStatement('insert', [value])],
      run: async (statements) => {
        this.messages.push(statements.map(({ text, values }) => String(values[0] ?? text)))
        const { failure, refusal } = this
        if (refusal) throw refusal
        this.failure = undefined
        const error = failure && Object.assign(new Error(failure.code), failure)
        const completed = failure ? (failure.completed ?? 0) : statements.length
        return { error, result: { columns: [], rows: [], lastTag: '', completed } }
      },
    })
  }
}

describe('transactions of one turn', () => {
  it('are one message when their time is known', async () => {
    const writes = new Writes()
    expect(await writes.run('first', 'second')).toEqual([true, true])
    expect(await writes.run('third', 'fourth', 'fifth')).toEqual([true, true, true])
    expect(writes.messages).toEqual([['first'], ['second'], ['third', 'fourth', 'fifth']])
  })

  it('are alone when they are large', async () => {
    const writes = new Writes()
    await writes.run('first')
    expect(await writes.run('small', 'x'.repeat(20_001), 'little')).toEqual([true, false, true])
    expect(writes.messages.at(-1)).toEqual(['small', 'little'])
  })

  it('lock their rows in ascending order, and none waits for long', async () => {
    const writes = new Writes()
    expect(await writes.runLocking(3)).toEqual([true])
    expect(await writes.runLocking(9, 3, 5)).toEqual([true, true, true])
    const limit = "select set_config('lock_timeout', '50ms', true)"
    expect(writes.messages).toEqual([['3'], [limit, '3', '5', '9']])
    writes.failure = { code: '55P03', completed: 2 }
    expect(await writes.runLocking(9, 3)).toEqual([false, false])
  })

  it('have not happened after an error, which is that of one which is alone', async () => {
    const writes = new Writes()
    await writes.run('first')
    writes.failure = { code: '23505' }
    expect(await writes.run('second', 'third')).toEqual([false, false])
    writes.failure = { code: '23505' }
    expect(await writes.run('fourth')).toEqual(['23505'])
  })

  it.each([
    ['their connection breaks', { code: '57P01' }],
    ['a socket fails', { code: 'ERR_SSL_BAD_RECORD' }],
    ['the commit ends with an error that does not undo it', { code: '53100', completed: 2 }],
  ])('fail together when %s: whether they are committed is not known', async (_, failure) => {
    const writes = new Writes()
    await writes.run('first')
    writes.failure = failure
    expect(await writes.run('second', 'third')).toEqual([failure.code, failure.code])
  })

  it('fail together when their connection cannot send', async () => {
    const writes = new Writes()
    await writes.run('first')
    writes.refusal = new Error('no connection')
    expect(await writes.run('second', 'third')).toEqual(['no connection', 'no connection'])
  })

  it.each([
    ['a deferred constraint', '23503'],
    ['a deferred trigger', 'P0001'],
    ['a deferred trigger with a code of its own', 'AB123'],
    ['the time limit of statements', '57014'],
  ])('have not happened when %s refuses the commit', async (_, code) => {
    const writes = new Writes()
    await writes.run('first')
    writes.failure = { code, completed: 2 }
    expect(await writes.run('second', 'third')).toEqual([false, false])
  })
})
