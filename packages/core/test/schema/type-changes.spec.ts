/** Attributes whose type changes while entries have values: the SQL of the refusal, and passwords. */
import { openStore, type Store, silentLogger } from '@octavo/database'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultLimits } from '../../src/limits.ts'
import { SchemaError } from '../../src/schema/schema-error.ts'
import { updateSchema } from '../../src/schema/update-schema.ts'
import { collection, registryOf } from '../support/registry.ts'

// The conversions of all pairs of types take minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({ database: database.url, limits: defaultLimits, logger: silentLogger })
})
beforeEach(async () => {
  await store.query('drop schema public cascade')
  await store.query('create schema public')
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

const update = (attributes: Parameters<typeof collection>[1], options = {}) =>
  updateSchema(store, registryOf([collection('note', attributes)]), options)
const refusalsOf = async (work: Promise<unknown>): Promise<SchemaError['refusals']> => {
  const error: unknown = await work.catch((error: unknown) => error)
  if (error instanceof SchemaError) return error.refusals
  throw new Error('The update was not refused', { cause: error })
}
/** Runs SQL as an operator in Tokyo does. @returns the rows of the first statement */
const inTokyo = async (sql: string): Promise<readonly (readonly unknown[])[]> => {
  const [first = [], ...others] = await store.transaction(async (tx) => {
    await tx.query(`set local time zone 'Asia/Tokyo'`)
    const answers: (readonly (readonly unknown[])[])[] = []
    for (const statement of sql.split(';'))
      if (/^[^-\n]/m.test(statement)) answers.push(await tx.query(statement))
    return answers
  })
  return others.length > 0 ? first : []
}

/** A value of each type of column, as SQL. */
const samples = {
  string: `'text'`,
  integer: '12',
  biginteger: '1706999400000',
  float: '1.5',
  decimal: '2.5',
  boolean: 'true',
  json: `'12'`,
  date: `'2024-02-03'`,
  time: `'10:30'`,
  datetime: `'2024-02-03T23:30:00Z'`,
} as const
type Type = keyof typeof samples
const types = Object.keys(samples) as Type[] // the keys of the line above

/** A text or JSON that has a value of another type. */
const convertible = (from: Type, to: Type): string => {
  if (from === 'json') return to === 'boolean' ? `'true'` : samples.json
  if (from === 'biginteger' && to === 'integer') return '12'
  return from === 'string' && to === 'json'
    ? `'{}'`
    : from === 'string'
      ? `'${samples[to].replaceAll(`'`, '')}'`
      : samples[from]
}

describe('The SQL for another type of a column', () => {
  it('runs for all pairs of types, and the next start goes on', async () => {
    const pairs = types.flatMap((from) => types.filter((to) => to !== from).map((to) => ({ from, to })))
    const attributes = (side: 'from' | 'to') =>
      Object.fromEntries(pairs.map((pair) => [`a_${pair.from}_${pair.to}`, { type: pair[side] }]))
    await update(attributes('from'))
    await store.query(
      `insert into notes (${pairs.map(({ from, to }) => `a_${from}_${to}`).join()}) values (${pairs.map(({ from, to }) => convertible(from, to)).join()})`,
    )
    const refusals = await refusalsOf(update(attributes('to')))
    expect(refusals).toHaveLength(pairs.length)
    for (const { sql } of refusals) await inTokyo(sql)
    await update(attributes('to'))
  })

  it.each<[Type, Type, string]>([
    ['datetime', 'date', '2024-02-03'],
    ['datetime', 'time', '23:30:00'],
    ['datetime', 'string', '2024-02-03T23:30:00.000Z'],
    ['datetime', 'biginteger', '1707003000000'],
    ['date', 'datetime', '2024-02-03 00:00:00'],
  ])('has the times of %s in UTC as %s, in a session of any time zone', async (from, to, value) => {
    await update({ v: { type: from } })
    await store.query(`insert into notes (v) values (${samples[from]})`)
    const [refusal] = await refusalsOf(update({ v: { type: to } }))
    await inTokyo(refusal?.sql ?? '')
    const shown = to === 'datetime' ? `(v at time zone 'UTC')` : 'v'
    expect(await store.query(`select ${shown}::text from notes`)).toEqual([[value]])
  })

  it('begins with the rows whose values it rounds', async () => {
    await update({ v: { type: 'decimal' } })
    await store.query('insert into notes (v) values (1.5), (2)')
    const [refusal] = await refusalsOf(update({ v: { type: 'integer' } }))
    expect((await inTokyo(refusal?.sql ?? '')).map(([id]) => id)).toEqual(['1'])
  })
})

describe('An attribute that', () => {
  const hash = `$2b$10$${'a'.repeat(53)}`
  const insert = (value: string) => store.query('insert into notes (v) values ($1)', [value])

  it.each([
    ['at once', { v: { type: 'string' } }],
    ['under another name', { w: { type: 'string', renamedFrom: 'v' } }],
  ])('was a password does not show its hashes, %s', async (_, attributes) => {
    await update({ v: { type: 'password' } })
    await insert(hash)
    for (const dryRun of [true, false]) {
      const [refusal] = await refusalsOf(update(attributes, { dryRun }))
      expect(refusal?.reason).toContain('of the type string now, so that its hashes would be readable')
    }
    expect(await store.query('select v from notes')).toEqual([[hash]])
    await update({ v: { type: 'password' } })
    await store.query('update notes set v = null')
    await update(attributes)
  })

  it('becomes a password is not left with readable values', async () => {
    await update({ v: { type: 'string' } })
    await insert('in plain text')
    const [refusal] = await refusalsOf(update({ v: { type: 'password' } }))
    expect(refusal?.reason).toContain('it has a value that everybody who reads the database can read')
    for (const sql of (refusal?.sql ?? '').split(';').filter((one) => one.trim())) await store.query(sql)
    await update({ v: { type: 'password' } })
    expect(await store.query('select v from notes')).toEqual([[null]])
  })

  it('is a password stays one after a start without its content-type, such as one without a plugin', async () => {
    const withoutIt = () => updateSchema(store, registryOf([collection('other', {})]))
    await withoutIt()
    await update({ v: { type: 'password' } })
    await insert(hash)
    await withoutIt()
    await update({ v: { type: 'password' } })
    await withoutIt()
    const [refusal] = await refusalsOf(update({ v: { type: 'string' } }))
    expect(refusal?.reason).toContain('so that its hashes would be readable')
  })

  it('stays a password under another name has its hashes', async () => {
    await update({ v: { type: 'password' } })
    await insert(hash)
    await update({ w: { type: 'password', renamedFrom: 'v' } })
    expect(await store.query('select w from notes')).toEqual([[hash]])
  })
})
