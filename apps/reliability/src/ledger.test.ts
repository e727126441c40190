/** The ledger of writes finds each violation that it is for. */
import { describe, expect, it } from 'vitest'
import { Ledger } from './ledger.ts'

describe('the ledger of writes', () => {
  const one = { n: 1, parts: [1], box: 1 }
  const two = { n: 2, parts: [1, 2], box: 2 }
  const of = (...steps: ((ledger: Ledger) => void)[]): readonly string[] => {
    const ledger = new Ledger()
    for (const step of steps) step(ledger)
    return ledger.violations
  }
  const done = (value: typeof one | undefined) => (ledger: Ledger) => ledger.wrote('a', value, 'done')
  const unknown = (value: typeof one | undefined) => (ledger: Ledger) => ledger.wrote('a', value, 'unknown')
  const read =
    (...found: (typeof one)[]) =>
    (ledger: Ledger) =>
      ledger.read('a', found)

  it.each([
    ['what was acknowledged', [done(one), read(one)]],
    ['either value after a broken connection', [done(one), unknown(two), read(two)]],
    ['the former value after a broken connection', [done(one), unknown(two), read(one)]],
    ['a delete', [done(one), done(undefined), read()]],
  ])('accepts %s', (_, steps) => {
    expect(of(...steps)).toEqual([])
  })

  it.each([
    ['a lost update', [done(one), done(two), read(one)]],
    ['a lost create', [done(one), read()]],
    ['an entry that came back', [done(one), done(undefined), read(one)]],
    ['a value that changes after it was read', [done(one), unknown(two), read(one), read(two)]],
    ['a create that happened twice', [unknown(one), read(one, one)]],
    ['a half-written entry', [done(two), read({ ...two, parts: [1] })]],
    ['another box', [done(one), read({ ...one, box: 2 })]],
  ])('finds %s', (_, steps) => {
    expect(of(...steps).length).toBeGreaterThan(0)
  })
})
