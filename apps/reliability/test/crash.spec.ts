/** Acknowledged writes survive kills of the server; `pnpm faults` kills more often. */
import { runs } from '@octavo/testing'
import { describe, expect, it, vi } from 'vitest'
import { crash } from '../src/crash.ts'
import { Ledger } from '../src/ledger.ts'
import { cutPower } from '../src/power/power-cuts.ts'

// It starts servers and ends them, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

describe('a server that is killed while it writes', () => {
  it('loses no acknowledged write and leaves none half-done', async () => {
    const kills = runs(1, 3)
    const { violations, acknowledged } = await crash({ kills, writesBetween: 60, clients: 4 })
    expect(violations).toEqual([])
    expect(acknowledged).toBeGreaterThanOrEqual(kills * 60)
  })
})

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

/** The folder begins as those of tests do, because initdb takes seconds. */
const prepared = {
  NODE_OPTIONS: `--import=${new URL('../../../packages/core/test/support/prepared-pglite-hook.mjs', import.meta.url).href}`,
}

describe('a server whose power is cut while it writes to the embedded database', () => {
  it('loses no acknowledged write, and repairs its folder', async () => {
    const work = { cuts: 1, writesBetween: runs(30, 60), clients: 4, seed: 3 }
    const { violations, acknowledged } = await cutPower({ ...work, first: prepared })
    expect(violations).toEqual([])
    expect(acknowledged).toBeGreaterThanOrEqual(work.writesBetween)
  })
})
