/** Concurrent writes to the same entries, while the server is killed. */
import { createTestDatabase, runs } from '@octavo/testing'
import { describe, expect, it, vi } from 'vitest'
import { anomalies, type History } from '../src/model/history.ts'
import { type ModelOptions, type ModelReport, runModel } from '../src/model/model.ts'

// It starts servers and ends them, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

async function run(options: Omit<ModelOptions, 'database'>): Promise<ModelReport> {
  const database = await createTestDatabase()
  try {
    return await runModel({ database: database.url, ...options })
  } finally {
    await database.drop()
  }
}

describe('clients that write to the same entries', () => {
  it('find every acknowledged write and one order of them, over kills of the server', async () => {
    const report = await run({ kills: runs(1, 2), rounds: 8, clients: 4 })
    expect(report.anomalies).toEqual([])
    expect(report.writes).toBeGreaterThan(runs(60, 100))
  })

  it('find updates that are lost: a server that acknowledges every third without writing it', async () => {
    // Counted apart: in a common count every third update may be one of a list each time.
    const config = `((counts) => ({
      content: '.', plugins: [], access: 'open',
      middleware: [async (context, next) => {
        const type = context.method === 'PUT' && /^.api.(logs|items)/.exec(context.path)?.[1]
        if (type && ++counts[type] % 3 === 0) context.body = { data: null }
        else await next()
      }],
    }))({ logs: 0, items: 0 })`
    const { anomalies: found } = await run({ kills: 0, rounds: 30, clients: 4, config })
    expect(found).toContainEqual(expect.stringMatching(/the append of \d+ was lost/))
    expect(found).toContainEqual(expect.stringMatching(/^item \d+ is in box \d: a later move was lost/))
  })
})

describe('a history', () => {
  const empty: History = { appends: [], listReads: [], puts: [], boxReads: [], unknownItems: 0 }
  const append = (value: number, start: number, end: number) => ({ list: 1, value, start, end })
  const list = (values: readonly number[], start: number) => ({ list: 1, values, start, end: start + 1 })
  const put = (box: number | undefined, start: number, end: number) => ({ item: 9, box, start, end })
  const boxes = (start: number, ...all: readonly (readonly number[])[]) => ({
    boxes: new Map(all.map((items, i) => [i + 1, items])),
    start,
    end: start + 1,
  })
  const never = Number.POSITIVE_INFINITY

  it.each<[string, Partial<History>]>([
    [
      'of appends that overlap, in either order',
      { appends: [append(1, 0, 5), append(2, 1, 6)], listReads: [list([2, 1], 9)] },
    ],
    [
      'with an append of unknown outcome, there or not',
      { appends: [append(1, 0, never)], listReads: [list([], 5), list([1], 9)] },
    ],
    [
      'of a move that overlaps its read',
      { puts: [put(1, 0, 1), put(2, 3, 9)], boxReads: [boxes(4, [9]), boxes(6, [], [9])] },
    ],
    [
      'of a delete',
      { puts: [put(1, 0, 1), put(undefined, 3, 4)], boxReads: [boxes(2, [9]), boxes(5, [], [])] },
    ],
    ['with an item of unknown creation', { unknownItems: 1, boxReads: [boxes(2, [7])] }],
  ])('%s has no anomaly', (_, history) => {
    expect(anomalies({ ...empty, ...history })).toEqual([])
  })

  it.each<[string, Partial<History>]>([
    ['a lost append', { appends: [append(1, 0, 1), append(2, 2, 3)], listReads: [list([2], 9)] }],
    ['an append that happened twice', { appends: [append(1, 0, 1)], listReads: [list([1, 1], 9)] }],
    ['a refused append that happened', { listReads: [list([1], 9)] }],
    [
      'two orders',
      { appends: [append(1, 0, 5), append(2, 0, 5)], listReads: [list([1, 2], 9), list([2, 1], 10)] },
    ],
    [
      'a list that goes back',
      { appends: [append(1, 0, never), append(2, 0, never)], listReads: [list([1, 2], 9), list([1], 12)] },
    ],
    ['an item in two boxes', { puts: [put(1, 0, 1), put(2, 0, 9)], boxReads: [boxes(4, [9], [9])] }],
    ['a lost item', { puts: [put(1, 0, 1)], boxReads: [boxes(4, [], [])] }],
    ['a lost move', { puts: [put(1, 0, 1), put(2, 2, 3)], boxReads: [boxes(4, [9], [])] }],
    ['an item that came back', { puts: [put(1, 0, 1), put(undefined, 2, 3)], boxReads: [boxes(4, [9], [])] }],
    ['an item that nobody created', { boxReads: [boxes(4, [7])] }],
  ])('with %s has an anomaly', (_, history) => {
    expect(anomalies({ ...empty, ...history })).not.toEqual([])
  })
})
