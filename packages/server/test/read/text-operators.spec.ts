import { defineContentType, silentLogger } from '@octavo/core'
import { adviseOnLists } from '@octavo/core/internal'
import { type OperatorName, operators } from '@octavo/core/plugin'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServer, type Server } from '../../src/index.ts'

const product = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'product', pluralName: 'products' },
  options: { indexes: [{ attributes: ['size', 'id'] }] },
  attributes: {
    whole: { type: 'integer' },
    big: { type: 'biginteger' },
    price: { type: 'decimal' },
    ratio: { type: 'float' },
    isOpen: { type: 'boolean' },
    day: { type: 'date' },
    time: { type: 'time' },
    moment: { type: 'datetime' },
    stamp: { type: 'timestamp' },
    size: { type: 'enumeration', enum: ['small', 'medium', 'large', 'Extra'] },
    rates: { type: 'component', component: 'product.rate', repeatable: true },
  },
})
const rate = { uid: 'product.rate', attributes: { value: { type: 'decimal' } } }

/** The second one differs from the first in every value, the third has none. */
const entries = [
  {
    whole: 120,
    big: '9007199254740993',
    price: 4.5,
    ratio: 0.125,
    isOpen: true,
    day: '2024-02-29',
    time: '09:30:00.25',
    moment: '2024-02-29T09:30:00.250Z',
    stamp: '1643767322000',
    size: 'medium',
    rates: [{ value: 1.25 }],
  },
  {
    whole: -7,
    big: '12',
    price: 30,
    ratio: 1e21,
    isOpen: false,
    day: '1999-12-31',
    time: '23:00:00',
    moment: '1999-12-31T23:00:00.000Z',
    stamp: '5',
    size: 'Extra',
    rates: [{ value: 7 }],
  },
  { rates: [] },
]
type Name = Exclude<keyof typeof product.attributes, 'rates'>

let server: Server
let api: Client
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [product],
    components: [rate],
    database: database.url,
    logger: silentLogger,
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
  for (const entry of entries) await server.octavo.entries('product').create(entry)
})
afterAll(async () => {
  await server.close()
  await drop()
})

const found = async (filter: string): Promise<number[]> => {
  const { status, body } = await api.get(`/api/products?sort=id&${filter}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map(({ id }: { id: number }) => id)
}

describe('A filter of a form in which a field is empty', () => {
  it.each([
    ['filters[whole][$gte]=&filters[whole][$lte]=200', [1]],
    ['filters[price][$gt]=', [1, 2]],
    ['filters[ratio][$lt]=', []],
    ['filters[whole][$in][0]=&filters[whole][$in][1]=-7.0', [2]],
    ['filters[isOpen]=', [2]],
    ['filters[isOpen][$ne]=%20', [1]],
    ['filters[rates][value][$gt]=', [1, 2]],
    ['filters[size]=', []],
  ])('%s reads it as 0 or false', async (query, ids) => {
    expect(await found(query)).toEqual(ids)
  })

  it.each(['id', 'big', 'day', 'time', 'moment', 'stamp'])('is 400 for %s', async (name) => {
    const { status, body } = await api.get(`/api/products?filters[${name}]=`)
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(`filters[${name}]`)])
  })
})

describe('text operators on values that are no texts', () => {
  /** The text of the first entry's value, a part at its beginning and its end, and a text that occurs in neither entry. */
  const texts: Record<Name, { text: string; start: string; end: string }> = {
    whole: { text: '120', start: '12', end: '20' },
    big: { text: '9007199254740993', start: '9', end: '93' },
    price: { text: '4.5', start: '4.', end: '.5' },
    ratio: { text: '0.125', start: '0', end: '125' },
    isOpen: { text: 'true', start: 'tr', end: 'ue' },
    day: { text: '2024-02-29', start: '2024-02', end: '-29' },
    time: { text: '09:30:00.25', start: '09', end: '.25' },
    moment: { text: '2024-02-29T09:30:00.250Z', start: '2024-02-29T', end: '250Z' },
    stamp: { text: '1643767322000', start: '164', end: '000' },
    size: { text: 'medium', start: 'med', end: 'ium' },
  }

  it.each(Object.entries(texts))('compare the text of %s as an answer has it', async (name, parts) => {
    const { text, start, end } = parts
    const middle = text.slice(1, -1)
    const cases: Partial<Record<OperatorName, readonly [string, number[]]>> = {
      $eqi: [text.toUpperCase(), [1]],
      $nei: [text.toUpperCase(), [2]],
      $containsi: [middle.toUpperCase(), [1]],
      $notContainsi: [middle.toUpperCase(), [2]],
      $startsWithi: [start.toUpperCase(), [1]],
      $endsWithi: [end.toUpperCase(), [1]],
      $contains: [middle, [1]],
      $notContains: [middle, [2]],
      $endsWith: [end, [1]],
    }
    expect(Object.keys(cases).sort()).toEqual(
      Object.entries(operators)
        .flatMap(([operator, { on }]) => (on === 'text' ? [operator] : []))
        .sort(),
    )
    for (const [operator, [value, ids]] of Object.entries(cases))
      expect([operator, await found(`filters[${name}][${operator}]=${encodeURIComponent(value)}`)]).toEqual([
        operator,
        ids,
      ])
    expect(await found(`filters[${name}][$containsi]=no such text`)).toEqual([])
    expect(await found(`filters[${name}][$eqi]=no such text`)).toEqual([])
    expect(await found(`filters[${name}][$notContainsi]=no such text`)).toEqual([1, 2])
  })

  it.each([
    ['filters[price][$eqi]=30', [2]],
    ['filters[price][$eqi]=30.00', []],
    ['filters[ratio][$containsi]=1E%2B21', [2]],
    ['filters[moment][$endsWithi]=:00.000Z', [2]],
    ['filters[id][$startsWithi]=1', [1]],
    ['filters[whole][$containsi][0]=12&filters[whole][$containsi][1]=7', [1, 2]],
    ['filters[whole][$not][$containsi]=12', [2]],
    ['filters[rates][value][$containsi]=.2', [1]],
    ['filters[rates][$containsi]=1', [1]],
    ['filters[whole][$containsi]=%25', []],
  ])('%s', async (filter, ids) => {
    expect(await found(filter)).toEqual(ids)
  })

  it('apply to every column, joined by $or, as an admin panel sends them', async () => {
    const columns = ['whole', 'price', 'isOpen', 'day', 'moment', 'size']
    const search = (text: string) =>
      columns.map((name, i) => `filters[$or][${i}][${name}][$containsi]=${text}`).join('&')
    expect(await found(search('1999'))).toEqual([2])
    expect(await found(search('TRU'))).toEqual([1])
  })
})

describe('$startsWith', () => {
  it.each([
    ['filters[size][$startsWith]=m', [1]],
    ['filters[size][$startsWith]=M', []],
    ['filters[isOpen][$startsWith]=tr', [1]],
    ['filters[isOpen][$startsWith]=TR', []],
    ['filters[day][$startsWith]=1999', [2]],
    ['filters[time][$startsWith]=23:00', [2]],
    ['filters[moment][$startsWith]=2024-02-29T', [1]],
    ['filters[stamp][$startsWith]=164', [1]],
  ])('compares the text: %s', async (filter, ids) => {
    expect(await found(filter)).toEqual(ids)
  })

  // Source: recorded exchange filters-048.
  it.each(['id', 'whole', 'big', 'price', 'ratio'])('refuses a number: %s', async (name) => {
    const { status, body } = await api.get(`/api/products?filters[${name}][$startsWith]=1`)
    expect(status).toBe(400)
    expect(body.error.message).toContain('$startsWithi compares its text')
  })
})

describe('$eqi on values that are no texts', () => {
  it.each([
    ['filters[isOpen][$eqi]=TRUE', [1]],
    ['filters[isOpen][$eqi]=1', []],
    ['filters[whole][$eqi]=%20120', []],
    ['filters[whole][$eqi]=+120', []],
    ['filters[moment][$eqi]=2024-02-29t09:30:00.250z', [1]],
    ['filters[moment][$eqi]=2024', []],
    ['filters[day][$eqi]=1999-12-31T00:00:00Z', []],
    ['filters[whole][$eqi][0]=120&filters[whole][$eqi][1]=-7&filters[whole][$eqi][2]=x', [1, 2]],
    ['filters[whole][$not][$eqi]=120', [2]],
  ])('compares texts: %s', async (filter, ids) => {
    expect(await found(filter)).toEqual(ids)
  })

  it('is served by an index', () => {
    const advised = (query: string) =>
      adviseOnLists({ contentTypes: [product], components: [rate] }, [{ route: 'products', query }])
    expect(advised('filters[whole][$eqi]=120')).toMatchObject([{ index: ['whole'] }])
    expect(advised('filters[size][$eqi]=medium')).toMatchObject([{ index: undefined }])
  })
})

describe('an order of enumerations', () => {
  it.each([
    ['filters[size][$gt]=large', [1]],
    ['filters[size][$lt]=large', [2]],
    ['filters[size][$gte]=medium', [1]],
    ['filters[size][$lte]=Extra', [2]],
    ['filters[size][$between][0]=a&filters[size][$between][1]=n', [1]],
    ['filters[size][$gt]=zzz', []],
  ])('is that of its texts: %s', async (filter, ids) => {
    expect(await found(filter)).toEqual(ids)
  })

  it('is served by an index', () => {
    const lists = ['filters[size][$gt]=a', 'filters[size][$between][0]=a&filters[size][$between][1]=n']
    const reads = lists.map((query) => ({ route: 'products', query }))
    expect(adviseOnLists({ contentTypes: [product], components: [rate] }, reads)).toEqual([])
  })
})
