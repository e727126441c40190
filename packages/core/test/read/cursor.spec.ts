/** Cursors: paging through a growing list, and rejected cursors. */
import { createOctavo, defineContentType, type Octavo, type OctavoError } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createTestDatabase, runs, type TestDatabase, testEngine } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

// Random cases repeat their requests, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const item = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'item', pluralName: 'items' },
  attributes: {
    name: { type: 'string' },
    n: { type: 'integer' },
    price: { type: 'decimal' },
    ratio: { type: 'float' },
    on: { type: 'boolean' },
    at: { type: 'datetime' },
    hours: { type: 'time' },
    hidden: { type: 'boolean', default: false },
    group: { type: 'relation', relation: 'manyToOne', target: 'api::group.group' },
  },
})
const group = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'group', pluralName: 'groups' },
  attributes: { name: { type: 'string' } },
})
/** Some entries are out of reach, as with drafts and locales. */
const hiding = definePlugin({
  name: 'hiding',
  setup(host) {
    host.hook('query:node', ({ model }, { action }) => {
      const hidden = model.attributes.get('hidden')
      if (hidden?.kind !== 'scalar' || action === 'create') return undefined
      return {
        kind: 'compare',
        attribute: hidden,
        operator: '$eq',
        operands: [{ kind: 'value', value: false }],
        asText: false,
      }
    })
  },
})

let database: TestDatabase
let octavo: Octavo
beforeAll(async () => {
  database = await createTestDatabase()
  octavo = await createOctavo({ contentTypes: [item, group], plugins: [hiding], database: database.url })
})
afterAll(async () => {
  await octavo.close()
  await database.drop()
})
beforeEach(async () => {
  await octavo.store.query('delete from items')
})

interface Cursors {
  readonly before: string | null
  readonly after: string | null
}

async function page(query: Readonly<Record<string, unknown>>) {
  const { data, pagination } = await octavo.entries('item').find(query)
  const { cursors } = pagination as unknown as { cursors: Cursors }
  return { ids: data.map(({ id }) => id), cursors, pagination }
}

/** Reads all pages in one direction, with an action between pages. */
async function walk(
  direction: 'after' | 'before',
  query: Readonly<Record<string, unknown>>,
  between: () => Promise<void> = async () => {},
): Promise<readonly number[]> {
  const found: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { ids, cursors } = await page({ ...query, pagination: { [direction]: cursor, pageSize: 3 } })
    if (direction === 'after') found.push(...ids)
    else found.unshift(...ids)
    cursor = cursors[direction]
    await between()
  }
  return found
}

const sorted = async (query: Readonly<Record<string, unknown>>): Promise<readonly number[]> =>
  (await octavo.entries('item').find({ ...query, pagination: { limit: -1 } })).data.map(({ id }) => id)

const nullable = <T>(...values: readonly T[]) => fc.constantFrom<T | null>(null, ...values)
const row = fc.record({
  name: nullable('alpha', 'Beta', 'émile', "it's", ''),
  n: nullable(-1, 0, 1),
  price: nullable('0.1', '12.34'),
  ratio: nullable(0.1, 1e-7, 123456.789),
  on: nullable(true, false),
  at: nullable('2024-02-29T12:00:00.001Z', '1969-12-31T23:59:59.999Z'),
  hours: nullable('09:30:00.25', '23:59:59'),
  hidden: fc.boolean(),
})
const sort = fc.array(
  fc
    .tuple(
      fc.constantFrom('name', 'n', 'price', 'ratio', 'on', 'at', 'hours', 'id'),
      fc.constantFrom('asc', 'desc'),
    )
    .map((term) => term.join(':')),
  { maxLength: 4 },
)

describe('pages by cursor', () => {
  it('return the sorted list in both directions, each entry once, while entries are added', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 14 }),
        fc.array(row, { minLength: 1, maxLength: 4 }),
        sort,
        async (rows, later, terms) => {
          await octavo.store.query('delete from items')
          for (const one of rows) await octavo.entries('item').create(one)
          const query = { sort: terms, filters: { $or: [{ n: { $lt: 1 } }, { n: { $null: true } }] } }
          const all = await sorted(query)
          expect(await walk('after', query)).toEqual(all)
          expect(await walk('before', query)).toEqual(all)

          const newcomers = [...later]
          const more = async () => {
            const one = newcomers.pop()
            if (one) await octavo.entries('item').create(one)
          }
          for (const direction of ['after', 'before'] as const) {
            const before = await sorted(query)
            const walked = await walk(direction, query, more)
            expect(walked.filter((id) => before.includes(id))).toEqual(before)
            const now = await sorted(query)
            expect(walked).toEqual(now.filter((id) => walked.includes(id)))
            newcomers.push(...later)
          }
        },
      ),
      { numRuns: runs(8, 25) },
    )
  }, 120_000)
  it('return to the previous page', async () => {
    for (let n = 1; n <= 7; n++) await octavo.entries('item').create({ n })
    const first = await page({ sort: 'n:desc', pagination: { after: '', pageSize: 3 } })
    const second = await page({
      sort: 'n:desc',
      pagination: { after: first.cursors.after, pageSize: 3 },
    })
    const back = await page({ sort: 'n:desc', pagination: { before: second.cursors.before, pageSize: 3 } })
    expect(first.cursors.before).toBeNull()
    expect(back).toEqual(first)
  })
  it('include a total only when requested', async () => {
    for (let n = 1; n <= 3; n++) await octavo.entries('item').create({ n })
    const plain = await page({ pagination: { after: '', pageSize: 2 } })
    expect(plain.pagination).toEqual({ pageSize: 2, cursors: { before: null, after: expect.any(String) } })
    const counted = await page({ pagination: { after: plain.cursors.after, pageSize: 2, withCount: true } })
    expect(counted.pagination).toEqual({
      pageSize: 2,
      total: 3,
      cursors: { before: expect.any(String), after: null },
    })
  })
})

describe('a cursor', () => {
  const cursor = async (query: Readonly<Record<string, unknown>>): Promise<string> => {
    const { cursors } = await page({ ...query, pagination: { after: '', pageSize: 1 } })
    return cursors.after ?? ''
  }
  const refusal = (type: string, query: Readonly<Record<string, unknown>>): Promise<string> =>
    octavo
      .entries(type)
      .find(query)
      .then(
        () => 'not refused',
        (error: OctavoError) => `${error.status} ${error.code} ${error.message}`,
      )
  beforeEach(async () => {
    await octavo.entries('item').create({ name: 'a secret name' })
    await octavo.entries('item').create({ name: 'b' })
  })

  it('is deterministic and reveals no values', async () => {
    const one = await cursor({ sort: 'name' })
    expect(await cursor({ sort: 'name' })).toBe(one)
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('secret')
  })
  // The embedded engine serves one process at a time.
  it.skipIf(testEngine() === 'pglite')('holds in another process on the same database', async () => {
    const one = await cursor({ sort: 'name' })
    const other = await createOctavo({ contentTypes: [item, group], database: database.url })
    const { data } = await other.entries('item').find({ sort: 'name', pagination: { after: one } })
    await other.close()
    expect(data.map(({ attributes }) => attributes.name)).toEqual(['b'])
  })
  it('is rejected when any letter was changed', async () => {
    const one = await cursor({ sort: 'name' })
    for (let i = 0; i < one.length; i++) {
      const other = `${one.slice(0, i)}${one[i] === 'A' ? 'B' : 'A'}${one.slice(i + 1)}`
      expect(await refusal('item', { sort: 'name', pagination: { after: other } })).toMatch(
        /^400 query\/bad-cursor pagination\[after\]: this is not a cursor of this server/,
      )
    }
  })
  it.each([
    ['another direction', 'item', { sort: 'name:desc' }],
    ['another sort', 'item', { sort: ['name', 'n'] }],
    ['another content-type', 'group', { sort: 'name' }],
  ])('is rejected for %s', async (_, type, query) => {
    const after = await cursor({ sort: 'name' })
    expect(await refusal(type, { ...query, pagination: { after } })).toMatch(
      /^400 query\/bad-cursor pagination\[after\]: the cursor belongs to another content-type or sort/,
    )
  })
  it.each([
    [{ after: 'x' }, 'this is not a cursor of this server'],
    [{ after: '', before: '' }, 'not both'],
    [{ after: '', page: 1 }, 'only pageSize with it'],
    [{ before: '', limit: 1 }, 'only pageSize with it'],
    [{ after: ['a', 'b'] }, 'expected one cursor'],
  ])('is rejected: %j', async (pagination, reason) => {
    expect(await refusal('item', { pagination })).toContain(reason)
  })
  it('does not support sorts through relations', async () => {
    expect(await refusal('item', { sort: 'group.name', pagination: { after: '' } })).toBe(
      '400 query/bad-cursor pagination[after]: a cursor goes by fields of the entry itself, not by "group.name"; use page and pageSize, or another sort.',
    )
  })
  it('is not created for a value that is too long for a URL', async () => {
    await octavo.entries('item').create({ name: 'a'.repeat(9_000) })
    expect(await refusal('item', { sort: 'name', pagination: { after: '', pageSize: 2 } })).toContain(
      'a value of name, id is too long for a cursor',
    )
  })
})
