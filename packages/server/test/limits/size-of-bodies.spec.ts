/** Bodies with long lists, of parts, of related entries, and of mistakes, and with long values. */
import { randomBytes } from 'node:crypto'
import { defineComponent, defineContentType } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { runs, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openNodes } from '../support/nodes.ts'
import { openSite, type Site } from '../support/site.ts'
import { type Counter, openCounter, type Work } from '../support/work.ts'

const list = <T>(length: number, item: (i: number) => T): readonly T[] =>
  Array.from({ length }, (_, i) => item(i))

/** Data of an entry, by the length of the list in it. */
const bodies: Readonly<Record<string, (length: number) => object>> = {
  'parts with wrong values': (length) => ({ parts: list(length, () => ({ text: 5 })) }),
  'parts that are none': (length) => ({ parts: list(length, () => null) }),
  'parts that name missing entries': (length) => ({ parts: list(length, (i) => ({ node: 1_000 + i })) }),
  'parts of other entries': (length) => ({ parts: list(length, (i) => ({ id: i + 1 })) }),
  'new parts': (length) => ({ parts: list(length, (i) => ({ text: `t${i}` })) }),
  'missing entries': (length) => ({ up: list(length, (i) => 1_000 + i) }),
  'positions beside missing entries': (length) => ({
    up: { connect: list(length, (i) => ({ id: 1_000 + i, position: { before: 1_001 + i } })) },
  }),
  'names that nothing reads': (length) =>
    Object.fromEntries(list(length, (i) => [`unheard${i}`, i] as const)),
}

// The embedded engine works in this process, where its own calls would be counted, and be slow.
describe.runIf(testEngine() === 'postgresql')('S-35: A body with a long list', () => {
  let site: Site
  let counter: Counter
  beforeAll(async () => {
    site = await openNodes({ strict: true })
    counter = await openCounter()
  })
  afterAll(async () => {
    await counter.close()
    await site.close()
  })

  const send = async (data: object, method: string, path: string): Promise<void> => {
    const { status } = await site.api.request(method, path, { body: { data } })
    expect([200, 400]).toContain(status)
  }
  const workOf = (data: object, method: string, path: string): Promise<Work> =>
    counter.count(() => send(data, method, path))
  const shortest = runs(250, 500)

  it.each(Object.entries(bodies))('of %s takes work in proportion to its length', async (_, body) => {
    for (const [method, path] of [
      ['POST', '/api/nodes'],
      ['PUT', '/api/nodes/2'],
    ] as const) {
      // Modules and settings that the first request loads.
      await send(body(100), method, path)
      const short = await workOf(body(shortest), method, path)
      const long = await workOf(body(8 * shortest), method, path)
      // Eight times as much for eight times the length, and a part more for a sort. A look at each item for each other one takes up to
      // 64 times as much.
      expect(long.calls / short.calls, `calls, ${method}`).toBeLessThan(12)
      // A list that is copied for each item takes up to 64 times as much, too. Samples of less than two megabytes are few.
      expect(long.bytes / Math.max(short.bytes, 2 ** 21), `bytes, ${method}`).toBeLessThan(20)
    }
  })

  it('of mistakes gets their number, and the first hundred', async () => {
    const parts = list(5_000, () => ({ text: 5 }))
    const { status, body, text } = await site.api.post('/api/nodes', { body: { data: { parts } } })
    expect([status, body.error.message, body.error.details.errors.length]).toEqual([
      400,
      '5000 errors occurred',
      100,
    ])
    expect(text.length).toBeLessThan(50_000)
  })
})

// Half a second is enough. A look at the whole list for each item takes minutes, and is ended after one.
it.runIf(testEngine() === 'postgresql').each([
  ['up', 'a join table'],
  ['children', 'a foreign key'],
])(
  'S-35: Entries are placed in a long list in linear time: %s, %s',
  async (relation) => {
    const site = await openNodes({ limits: { statementTime: 60_000 } })
    try {
      await site.server.octavo.store.transaction((tx) =>
        tx.query(`insert into nodes (id, name) select n, 'n' || n from generate_series(1001, 11000) n`),
      )
      const ids = list(10_000, (i) => 1_001 + i)
      const save = async (change: unknown) =>
        (await site.api.put('/api/nodes/2', { body: { data: { [relation]: change } } })).status
      expect(await save(ids)).toBe(200)
      const connect = ids.slice(1).map((id) => ({ id, position: { after: 1_001 } }))
      expect(await save({ connect })).toBe(200)
      const { body } = await site.api.get(`/api/nodes/2?populate[${relation}][fields]=id`)
      const stored = body.data.attributes[relation].data.map(({ id }: { id: number }) => id)
      expect(stored).toEqual([1_001, ...ids.slice(1).reverse()])
    } finally {
      await site.close()
    }
  },
  240_000,
)

it('S-20: of an entry with tens of thousands of names, hooks get the attributes, and the first thousand others', async () => {
  const inputs: object[] = []
  const collector = definePlugin({
    name: 'collector',
    setup: (host) =>
      host.hook('entry:input', (input) => {
        inputs.push(input)
        return input
      }),
  })
  const site = await openSite({ plugins: [collector] })
  try {
    inputs.length = 0
    const unheard = Object.fromEntries(list(40_000, (i) => [`unheard${i}`, i] as const))
    const { status, body } = await site.api.post('/api/articles', {
      body: { data: { ...unheard, title: 'last' } },
    })
    expect([status, body.data.attributes.title]).toEqual([200, 'last'])
    const [names] = inputs.map((input) => Object.keys(input))
    expect(names).toEqual([...Object.keys(unheard).slice(0, 1_000), 'title'])
  } finally {
    await site.close()
  }
})

describe('S-20: A text for which the `regex` of an attribute takes centuries', () => {
  const plant = defineContentType({
    kind: 'collectionType',
    info: { singularName: 'plant', pluralName: 'plants' },
    attributes: {
      steps: { type: 'text', regex: /^(a+)+$/ },
      tail: { type: 'text', regex: '\\s+$' },
      slug: { type: 'string', regex: '^[a-z]+(?:-[a-z]+)*$' },
    },
  })
  let site: Site
  beforeAll(async () => {
    site = await openSite({ contentTypes: [plant], api: { rest: { bulk: true } } }, false)
  })
  afterAll(() => site.close())

  const slow = (regex: string) => [
    400,
    'entry/slow-regex',
    `A text takes too long to check against ${regex}, and nothing was written.`,
  ]

  it.each([
    ['a few dozen characters', { steps: `${'a'.repeat(60)}b` }, '/^(a+)+$/'],
    ['nearly a mebibyte', { tail: `${' '.repeat(900_000)}b` }, '/\\s+$/'],
  ])('is refused: %s', async (_, data, regex) => {
    const { status, body } = await site.api.post('/api/plants', { body: { data } })
    expect([status, body.error.details.code, body.error.message]).toEqual(slow(regex))
  })

  it('is refused once for all entries of a bulk request', async () => {
    const create = list(1_000, () => ({ steps: `${'a'.repeat(60)}b` }))
    const { status, body } = await site.api.post('/api/plants/actions/bulk', { body: { create } })
    expect([status, body.error.details.code, body.error.message]).toEqual(slow('/^(a+)+$/'))
  })

  it('does not keep texts that take microseconds from their check', async () => {
    const send = (slug: string) => site.api.post('/api/plants', { body: { data: { slug } } })
    expect((await send('white-rose')).status).toBe(200)
    expect((await send('white--rose')).body.error.message).toBe('slug must match /^[a-z]+(?:-[a-z]+)*$/')
  })
})

describe('S-35: Unique values of a body', () => {
  const shelf = defineContentType({
    kind: 'collectionType',
    info: { singularName: 'shelf', pluralName: 'shelves' },
    attributes: {
      code: { type: 'string', unique: true },
      labels: { type: 'component', component: 'list.label', repeatable: true },
    },
  })
  const label = defineComponent({
    uid: 'list.label',
    attributes: { code: { type: 'string', unique: true } },
  })
  let site: Site
  beforeAll(async () => {
    const limits = { statementTime: 60_000 }
    site = await openSite({ contentTypes: [shelf], components: [label], limits }, false)
  })
  afterAll(() => site.close())

  const send = (data: object) => site.api.post('/api/shelves', { body: { data } })
  const codes = (length: number) => list(length, (i) => ({ code: `c${i}` }))

  // A second is enough. A look at each value for each other one takes three minutes, and is ended after one.
  it.runIf(testEngine() === 'postgresql')(
    'are compared with each other in linear time',
    async () => {
      const labels = [...codes(40_000), { code: 'c7' }]
      const { status, body } = await send({ labels })
      expect([status, body.error.details.errors]).toEqual([
        400,
        [
          {
            path: ['labels', '40000', 'code'],
            message: 'This attribute must be unique',
            name: 'ValidationError',
          },
        ],
      ])
      expect((await send({ labels: codes(40_000) })).status).toBe(200)
    },
    240_000,
  )

  it('are refused where they are too long for an index', async () => {
    const { status, body } = await send({ code: randomBytes(6_000).toString('hex') })
    expect([status, body.error.message]).toEqual([
      400,
      'A value is too long for an index, which takes 2,696 bytes, compressed',
    ])
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([])
    // PostgreSQL compresses this value to fewer bytes, and stores it.
    expect((await send({ code: 'x'.repeat(6_000) })).status).toBe(200)
  })
})
