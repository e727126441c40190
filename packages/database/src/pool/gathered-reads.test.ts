import { describe, expect, it } from 'vitest'
import type { ExecuteOptions, Row, Statement } from '../store/store.ts'
import { GatheredReads, mayBeGathered, type Read } from './gathered-reads.ts'

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
    const reads = demands.map((demand, i) => readOf(String(i), outcomes, demand))
    return { outcomes, message: new GatheredReads(reads) }
  }

  it('have the rows of their own', () => {
    const { outcomes, message } = together([{}, {}])
    const [first, second] = message.statements(undefined)
    first?.onRow?.(['one'])
    second?.onRow?.(['two'])
    expect(message.end(undefined, 2)).toEqual([])
    expect(Object.fromEntries(outcomes)).toEqual({ 0: 'one', 1: 'two' })
  })

  it('return those after an error, which did not run', () => {
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

  it('abort when all have, and answer those who left before', () => {
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
})
