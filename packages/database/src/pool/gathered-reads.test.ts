import { describe, expect, it } from 'vitest'
import type { ExecuteOptions, Row, Statement } from '../store/store.ts'
import { GatheredReads, mayBeGathered, type Read, SharedRead } from './gathered-reads.ts'

/** A read whose outcome is noted under its name. */
function readOf(
  name: string,
  outcomes: Map<string, string>,
  demand: ExecuteOptions,
  more: Partial<Statement> = {},
): Read {
  const done = (error: Error | undefined, rows: readonly Row[]): void => {
    outcomes.set(name, error ? `${(error as { code?: string }).code ?? error.message}` : String(rows))
  }
  return { statement: { text: 'a', values: [], ...more }, values: [name], demand, done }
}

it('reads are sent alone when their time depends on their values, or they are heavy', () => {
  const may = (demand: ExecuteOptions, more?: Partial<Statement>): boolean =>
    mayBeGathered(readOf('one', new Map(), demand, more))
  expect([may({}), may({}, { planned: true }), may({ heavy: true })]).toEqual([true, false, false])
})

describe('gathered reads', () => {
  const together = (demands: readonly ExecuteOptions[]) => {
    const outcomes = new Map<string, string>()
    const reads = demands.map((demand, i) => new SharedRead(readOf(String(i), outcomes, demand)))
    return { outcomes, message: new GatheredReads(reads) }
  }

  it('have their own rows', () => {
    const { outcomes, message } = together([{}, {}])
    const [first, second] = message.statements(undefined)
    first?.onRow?.(['one'])
    second?.onRow?.(['two'])
    expect(message.end(undefined, 2)).toEqual([])
    expect(Object.fromEntries(outcomes)).toEqual({ 0: 'one', 1: 'two' })
  })

  it('are returned to the sender when they come after an error and did not run', () => {
    const { outcomes, message } = together([{}, {}, {}])
    message.statements(undefined)[0]?.onRow?.(['one'])
    const skipped = message.end(new Error('divided by zero'), 1)
    expect(skipped.map(({ values }) => values[0])).toEqual(['2'])
    expect(Object.fromEntries(outcomes)).toEqual({ 0: 'one', 1: 'divided by zero' })
  })

  it('are complete when the connection breaks after the last of them', () => {
    const { outcomes, message } = together([{}, {}])
    expect(message.end(new Error('broken'), 2)).toEqual([])
    expect([...outcomes.values()]).toEqual(['', ''])
  })

  it('are aborted when all their clients have left, each of which is answered', () => {
    const clients = [new AbortController(), new AbortController(), new AbortController()]
    clients[2]?.abort()
    const { outcomes, message } = together(clients.map(({ signal }) => ({ signal })))
    let aborts = 0
    message.addEventListener('abort', () => {
      aborts += 1
    })
    clients[0]?.abort()
    expect({ aborts, aborted: message.aborted }).toEqual({ aborts: 0, aborted: false })
    expect(Object.fromEntries(outcomes)).toEqual({ 0: 'database/abandoned', 2: 'database/abandoned' })
    clients[1]?.abort()
    expect({ aborts, aborted: message.aborted }).toEqual({ aborts: 1, aborted: true })
    message.fail(new Error('cancelled'))
    expect(outcomes.get('1')).toBe('cancelled')
    expect(outcomes.get('0')).toBe('database/abandoned')
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
    expect(mixed.demand).toMatchObject({ group: 'article', callers: ['ann', 'ben'] })
    expect(mixed.demand.caller).toBeUndefined()
  })

  it('share a statement, and its rows, when they have the same values', () => {
    const outcomes = new Map<string, string>()
    const clients = [new AbortController(), new AbortController()]
    const of = (name: string, demand: ExecuteOptions = {}): SharedRead =>
      new SharedRead({ ...readOf(name, outcomes, demand), values: ['7', null] })
    const [first, second, third] = [
      of('first', { caller: 'ann', signal: clients[0]?.signal }),
      of('second', { caller: 'ben', signal: clients[1]?.signal }),
      of('third', { caller: 'ann' }),
    ]
    expect([first.join(second), first.join(third)]).toEqual([true, true])
    const different = new SharedRead({ ...readOf('fourth', outcomes, {}), values: ['7', ''] })
    expect(first.join(different)).toBe(false)
    const message = new GatheredReads([first])
    expect(message.size).toBe(1)
    expect(message.demand.callers).toEqual(['ann', 'ben', 'ann'])
    clients[0]?.abort()
    expect(message.aborted).toBe(false)
    expect(Object.fromEntries(outcomes)).toEqual({ first: 'database/abandoned' })
    message.statements(undefined)[0]?.onRow?.(['one'])
    message.end(undefined, 1)
    expect(Object.fromEntries(outcomes)).toEqual({
      first: 'database/abandoned',
      second: 'one',
      third: 'one',
    })
  })

  it('that PostgreSQL skipped abort with the message in which they are sent again', () => {
    const client = new AbortController()
    const { message } = together([{}, { signal: client.signal }])
    const again = new GatheredReads(message.end(new Error('divided by zero'), 0))
    let aborts = 0
    message.addEventListener('abort', () => {
      aborts += 100
    })
    again.addEventListener('abort', () => {
      aborts += 1
    })
    client.abort()
    expect({ aborts, aborted: again.aborted }).toEqual({ aborts: 1, aborted: true })
  })
})
