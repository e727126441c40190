/** Writes that are one message have the answers, the errors and the effects of those that run step by step. */

import {
  createOctavo,
  defineComponent,
  defineContentType,
  type Octavo,
  OctavoError,
  unrestricted,
} from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createTestDatabase, runs, type TestDatabase, testEngine } from '@octavo/testing'
import { countMessages } from '@octavo/testing/messages'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

// Random cases repeat their requests, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const named = (singularName: string, attributes: object = {}) =>
  defineContentType({
    kind: 'collectionType',
    info: { singularName, pluralName: `${singularName}s` },
    attributes: { name: { type: 'string' }, ...attributes },
  })
const contentTypes = [
  named('author', {
    pages: { type: 'relation', relation: 'oneToMany', target: 'api::page.page', mappedBy: 'author' },
  }),
  named('tag', {
    pages: { type: 'relation', relation: 'manyToMany', target: 'api::page.page', mappedBy: 'tags' },
  }),
  named('page', {
    slug: { type: 'uid' },
    length: { type: 'integer', min: 0 },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'pages' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'pages' },
    cover: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
    lead: { type: 'component', component: 'page.part' },
    parts: { type: 'component', component: 'page.part', repeatable: true },
    zone: { type: 'dynamiczone', components: ['page.part', 'page.box'] },
  }),
]
const components = [
  defineComponent({
    uid: 'page.part',
    attributes: {
      text: { type: 'string' },
      code: { type: 'string', unique: true },
      data: { type: 'json' },
      by: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
    },
  }),
  defineComponent({
    uid: 'page.box',
    attributes: {
      parts: { type: 'component', component: 'page.part', repeatable: true },
      tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
    },
  }),
]

/** A plugin whose hooks do nothing; with them, each write runs step by step. */
const hooks = definePlugin({
  name: 'hooks',
  setup(host) {
    host.hook('entry:beforeCreate', () => {})
    host.hook('entry:beforeUpdate', () => {})
  },
})

/** A server's part with three authors and tags, and pages 1 to 3. */
class Site {
  readonly octavo: Octavo
  readonly #database: TestDatabase
  readonly #state = unrestricted('writes pages')

  private constructor(octavo: Octavo, database: TestDatabase) {
    this.octavo = octavo
    this.#database = database
  }

  static async open(plugins: readonly ReturnType<typeof definePlugin>[]): Promise<Site> {
    const database = await createTestDatabase()
    return new Site(
      await createOctavo({ contentTypes, components, database: database.url, plugins }),
      database,
    )
  }

  async close(): Promise<void> {
    await this.octavo.close()
    await this.#database.drop()
  }

  async reset(): Promise<void> {
    const { store, registry } = this.octavo
    const models = [...registry.contentTypes.values(), ...registry.components.values()]
    const tables = models.map(({ table }) => `"${table}"`).join(', ')
    await store.query(`truncate ${tables} restart identity cascade`)
    const names = ['one', 'two', 'three']
    for (const uid of ['author', 'tag']) for (const name of names) await this.write({ uid, input: { name } })
    for (const name of names)
      await this.write({ input: { name, slug: name, tags: [1, 2], parts: [{ text: name, code: name }] } })
  }

  /** @returns The entry without ids, or the code and the details of the error. */
  async write({ uid = 'page', id, input, query = '' }: Write): Promise<unknown> {
    const type = this.octavo.registry.contentType(`api::${uid}.${uid}`)
    const action = id === undefined ? 'create' : 'update'
    const request = {
      type,
      action,
      input,
      query,
      state: this.#state,
      ...(id !== undefined && { id }),
    } as const
    try {
      const { data } = await this.octavo.write(request)
      return withoutIds(data ?? 'null')
    } catch (error) {
      if (!(error instanceof OctavoError)) throw error
      return { code: error.code, details: error.details }
    }
  }

  /** All pages, and the lists of the other sides. */
  async stored(): Promise<unknown> {
    const lists = ['page', 'author', 'tag'].map(async (uid) => {
      const type = this.octavo.registry.contentType(`api::${uid}.${uid}`)
      const query =
        uid === 'page'
          ? 'sort=id&populate[zone][populate]=*&populate[parts][populate]=*&populate[lead]=true&populate[author]=true&populate[tags]=true&populate[cover]=true'
          : 'sort=id&populate[pages][fields]=name'
      const { data } = await this.octavo.read({
        type,
        action: 'find',
        kind: 'list',
        query,
        state: this.#state,
      })
      return withoutIds(data ?? 'null')
    })
    return Promise.all(lists)
  }
}

interface Write {
  readonly uid?: string
  readonly id?: number | undefined
  readonly input: Readonly<Record<string, unknown>>
  readonly query?: string
}

/** Ids depend on the writes that failed, and times on the clock. */
const withoutIds = (json: string): unknown =>
  JSON.parse(json, (key, value) => (['id', 'createdAt', 'updatedAt'].includes(key) ? undefined : value))

let direct: Site
let checked: Site
beforeAll(async () => {
  direct = await Site.open([])
  checked = await Site.open([hooks])
})
afterAll(() => Promise.all([direct?.close(), checked?.close()]))

async function expectSame(write: Write): Promise<unknown> {
  const outcomes = await Promise.all([direct.write(write), checked.write(write)])
  expect(outcomes[0], JSON.stringify(write)).toEqual(outcomes[1])
  expect(await direct.stored(), JSON.stringify(write)).toEqual(await checked.stored())
  return outcomes[0]
}

const wrong: Readonly<Record<string, Write>> = {
  'an author that does not exist': { id: 1, input: { author: 9 } },
  'tags that do not exist': { id: 1, input: { tags: [1, 8, 9] } },
  'both, and a value that is not unique': { id: 1, input: { author: 9, tags: [9], slug: 'two' } },
  'an id beyond the range of ids': {
    id: 1,
    input: { author: 3_000_000_000, tags: { connect: [2 ** 40] } },
  },
  'an entry that does not exist': { id: 99, input: { name: 'none' } },
  'an entry beyond the range of ids': { id: 3_000_000_000, input: { name: 'none' } },
  'an entry that does not exist, with mistakes': { id: 99, input: { length: 'long', author: 9 } },
  'an entry that does not exist, which would take the cover of another': { id: 99, input: { cover: 1 } },
  'values that are no numbers': { id: 1, input: { length: 'long', author: 9 } },
  'a neighbour that is not in the list': {
    id: 1,
    input: { tags: { connect: [{ id: 3, position: { before: 9 } }] } },
  },
  'a neighbour that the same body disconnects': {
    id: 1,
    input: { tags: { connect: [{ id: 3, position: { before: 1 } }], disconnect: [1] } },
  },
  'an entry beside itself': { id: 1, input: { tags: { connect: [{ id: 2, position: { after: 2 } }] } } },
  'a neighbour beyond the range of ids': {
    id: 1,
    input: { tags: { connect: [{ id: 2, position: { after: 2 ** 40 } }] } },
  },
  'a neighbour of a new entry': { input: { tags: { connect: [{ id: 2, position: { after: 1 } }] } } },
  'a component beyond the range of ids': { id: 1, input: { parts: [{ id: 2 ** 40, text: 'a' }] } },
  'a new entry with wrong relations': { input: { author: 9, tags: [1, 9], parts: [{ text: 'a', by: 9 }] } },
  'a new entry with a value that is not unique': { input: { slug: 'two', tags: [1] } },
  'a new entry with a component that is not unique': {
    input: { parts: [{ code: 'one' }, { code: 'new' }] },
  },
  'a new entry whose components have the same value': { input: { parts: [{ code: 'x' }, { code: 'x' }] } },
}

describe('A write that is one message', () => {
  beforeEach(() => Promise.all([direct.reset(), checked.reset()]))

  it.each(Object.entries(wrong))('has the same error: %s', async (_, write) => {
    if (write.id === 99)
      for (const site of [direct, checked]) await site.write({ id: 1, input: { cover: 1 } })
    const before = await direct.stored()
    // There is no answer without an entry.
    if ((write.id ?? 0) > 3) expect(await expectSame(write)).toBeNull()
    else expect(await expectSame(write)).toHaveProperty('code')
    expect(await direct.stored()).toEqual(before)
  })

  it('has the same effects, in any order', async () => {
    const ids = fc.constantFrom(1, 2, 3, 3, 2, 1, 9)
    const list = fc.uniqueArray(ids, { maxLength: 3 })
    const position = fc.constantFrom(undefined, { start: true }, { end: true }, { before: 1 }, { after: 2 })
    const connect = fc.array(fc.record({ id: ids, position }), { maxLength: 2 })
    const patch = fc.record({ connect, disconnect: list })
    const part = fc.record(
      {
        text: fc.constantFrom('a', "it's"),
        code: fc.constantFrom('p', 'q', null, null),
        data: fc.constantFrom({ a: [1] }, 'text', null),
        by: fc.constantFrom(1, null, 9),
      },
      { requiredKeys: [] },
    )
    const box = fc.record(
      { __component: fc.constant('page.box'), parts: fc.array(part, { maxLength: 2 }), tags: list },
      { requiredKeys: ['__component'] },
    )
    const block = part.map((rest) => ({ __component: 'page.part', ...rest }))
    const input = fc.record(
      {
        name: fc.constantFrom('a', 'b', null),
        slug: fc.constantFrom('s', 't', 'one', null),
        length: fc.constantFrom(1, 2, -1),
        author: fc.oneof(
          ids,
          fc.constant(null),
          patch.filter((one) => one.connect.length < 2),
        ),
        tags: fc.oneof(list, list, patch),
        cover: fc.oneof(ids, fc.constant(null)),
        lead: fc.oneof(part, fc.constant(null)),
        parts: fc.array(part, { maxLength: 3 }),
        zone: fc.array(fc.oneof(block, block, box), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    )
    const id = fc.constantFrom(undefined, 1, 2, 3, 99)
    const query = fc.constantFrom('', 'fields=name', 'populate=*')
    const write = fc.record({ id, input, query })
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 6 }), async (writes) => {
        await Promise.all([direct.reset(), checked.reset()])
        for (const one of writes) await expectSame(one)
      }),
      { numRuns: runs(8, 40) },
    )
  })

  it('is not written by halves when a trigger refuses a part of it', async () => {
    const { table } = direct.octavo.registry.component('page.part')
    for (const { octavo } of [direct, checked]) {
      await octavo.store.query(`create function no_z() returns trigger language plpgsql as $$ begin
        if new.text = 'z' then raise exception 'no z'; end if; return new; end $$`)
      await octavo.store.query(
        `create trigger no_z before insert on ${table} for each row execute function no_z()`,
      )
    }
    const before = await direct.stored()
    const write = { input: { name: 'new', tags: [1], parts: [{ text: 'a' }, { text: 'z' }] } }
    for (const site of [direct, checked])
      expect(await site.write(write)).toMatchObject({ code: 'entry/invalid' })
    expect(await direct.stored()).toEqual(before)
    for (const { octavo } of [direct, checked]) await octavo.store.query('drop function no_z cascade')
  })
})

describe('A list that is replaced', () => {
  beforeEach(() => direct.reset())
  const links = async (): Promise<readonly unknown[]> =>
    (
      await direct.octavo.store.query(
        'select target_id, xmin, position is null from pages_tags_links where owner_id = 1 order by position, target_id',
      )
    ).map((row) => row.map(String))
  const ids = (rows: readonly unknown[]) => rows.map((row) => (row as readonly string[])[0])

  it('is not written when it is the same', async () => {
    const before = await links()
    await direct.write({ id: 1, input: { tags: [1, 2] } })
    expect(await links()).toEqual(before)
  })

  it('is written when its order or its entries differ', async () => {
    for (const tags of [[2, 1], [2, 1, 3], [3, 1], [1]]) {
      await direct.write({ id: 1, input: { tags } })
      expect(ids(await links())).toEqual(tags.map(String))
    }
  })

  it('gets positions, of rows that have none', async () => {
    await direct.octavo.store.query('update pages_tags_links set position = null where owner_id = 1')
    await direct.write({ id: 1, input: { tags: [1, 2] } })
    expect((await links()).map((row) => (row as readonly string[])[2])).toEqual(['f', 'f'])
  })
})

describe('An entry that is connected beside another', () => {
  beforeEach(() => direct.reset())
  const order = async (): Promise<readonly unknown[]> =>
    (
      await direct.octavo.store.query(
        'select target_id from pages_tags_links where owner_id = 1 order by position, target_id',
      )
    ).map(([id]) => Number(id))
  const place = (id: number, position: object) =>
    direct.write({ id: 1, input: { tags: { connect: [{ id, position }] } } })

  it('is there after a hundred insertions at one place, where no number is left between two positions', async () => {
    for (let n = 0; n < 50; n++) {
      await place(3, { after: 1 })
      expect(await order()).toEqual([1, 3, 2])
      await place(2, { after: 1 })
      expect(await order()).toEqual([1, 2, 3])
    }
  })

  it('is there beside a row that is older than the order', async () => {
    await direct.octavo.store.query('update pages_tags_links set position = null where owner_id = 1')
    await place(3, { before: 2 })
    expect(await order()).toEqual([1, 3, 2])
  })

  it('is at the end where the neighbour is not in the list and the body says that this is no mistake', async () => {
    const connect = [{ id: 1, position: { after: 3 } }]
    await direct.write({ id: 1, input: { tags: { connect, options: { strict: false } } } })
    expect(await order()).toEqual([2, 1])
  })
})

// The embedded engine has no messages.
describe.runIf(testEngine() === 'postgresql')('The messages to PostgreSQL', () => {
  beforeEach(() => direct.reset())

  async function messagesOf(write: Write): Promise<number> {
    // The first read with `populate` estimates its price.
    await direct.write(write)
    const work = async () => ({ status: await direct.write(write) })
    return (await countMessages(work)).messages
  }

  const box = { __component: 'page.box', parts: [{ text: 'a', by: 1 }], tags: [1] }
  it.each([
    ['an update with relations', 1, { id: 1, input: { name: 'new', author: 2, tags: [1, 3], cover: 2 } }],
    ['an update of a unique value', 1, { id: 1, input: { slug: 'new' } }],
    [
      'a new entry with components and relations',
      1,
      { input: { tags: [1], parts: [{ text: 'a' }], lead: {} } },
    ],
    ['an update whose answer is populated', 1, { id: 1, input: { tags: [3] }, query: 'populate=*' }],
    ['a new entry whose answer is populated', 1, { input: { tags: [3] }, query: 'populate=*' }],
    ['an update with new components and links in them', 1, { id: 1, input: { zone: [box] } }],
    ['an update that is refused', 1, { id: 1, input: { author: 9, slug: 'two' } }],
    ['a new entry that is refused', 1, { input: { tags: [9], parts: [{ code: 'one' }] } }],
    ['an update of an entry that does not exist', 1, { id: 99, input: { name: 'none' } }],
  ] as const)('of %s: %i', async (_, count, write) => {
    expect(await messagesOf(write)).toBe(count)
  })

  it('are several where each statement of one would read the ids of many rows', async () => {
    const zoneOf = (length: number) => Array.from({ length }, () => ({ __component: 'page.box', tags: [1] }))
    expect(await messagesOf({ input: { zone: zoneOf(99) } })).toBe(1)
    expect(await messagesOf({ input: { zone: zoneOf(100) } })).toBe(2)
  })

  it('raise no error for a refused write, and use up no id', async () => {
    const { store, registry } = direct.octavo
    const { table } = registry.contentType('api::page.page')
    const lastId = async () => String((await store.query(`select last_value from ${table}_id_seq`))[0]?.[0])
    const before = await lastId()
    const errors: unknown[] = []
    const { query } = pg.Client.prototype
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const [batch] = args as [{ handleError?: (...given: unknown[]) => void }]
      const { handleError } = batch
      if (handleError)
        batch.handleError = function (...given) {
          errors.push(given[0])
          return handleError.apply(this, given)
        }
      return Reflect.apply(query, this, args)
    } as typeof query
    try {
      for (const write of Object.values(wrong)) await direct.write(write)
    } finally {
      pg.Client.prototype.query = query
    }
    expect(errors).toEqual([])
    expect(await lastId()).toBe(before)
  })

  it('are not shared by new entries with unique values, which might wait for each other', async () => {
    const { store, registry } = direct.octavo
    const slugs = (round: string): readonly string[] => Array.from({ length: 10 }, (_, i) => `${round}${i}`)
    // The first round measures how long a create takes. Without the rule, creates of the second round share a message.
    for (const round of ['a', 'b'])
      await Promise.all(slugs(round).map((slug) => direct.write({ input: { slug } })))
    const { table } = registry.contentType('api::page.page')
    const rows = await store.query(`select distinct xmin::text from ${table} where slug ~ '^b[0-9]'`)
    expect(rows.length).toBe(10)
  })

  it('are shared by new entries with the same links, and by no others', async () => {
    const { store, registry } = direct.octavo
    const inputs = (round: string) =>
      Array.from({ length: 10 }, (_, i) => ({ name: `${round}${i % 2}`, tags: [1 + (i % 2)], parts: [{}] }))
    // Only creates that are known to be quick are sent together: these take no time, however slow the machine is.
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    try {
      for (const round of ['a', 'b']) await Promise.all(inputs(round).map((input) => direct.write({ input })))
    } finally {
      now.mockRestore()
    }
    const { table } = registry.contentType('api::page.page')
    const of = async (names: string): Promise<number> =>
      (await store.query(`select distinct xmin::text from ${table} where name ~ '^${names}$'`)).length
    const [even, odd, all] = [await of('b0'), await of('b1'), await of('b[01]')]
    expect(all).toBeLessThan(10)
    expect(all).toBe(even + odd)
  })

  it.each([
    ['are shared by updates', true, () => ({ author: 1, tags: [1, 3], parts: [{}] })],
    ['are not shared by updates that change other entries', false, (id: number) => ({ cover: id })],
  ])('%s', async (_, isShared, input) => {
    const { store, registry } = direct.octavo
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    try {
      for (const round of ['a', 'b'])
        await Promise.all(
          [3, 1, 2].map((id) => direct.write({ id, input: { name: `${round}${id}`, ...input(id) } })),
        )
    } finally {
      now.mockRestore()
    }
    const { table } = registry.contentType('api::page.page')
    const rows = await store.query(`select name, xmin::text from ${table} where id < 4 order by id`)
    expect(rows.map(([name]) => name)).toEqual(['b1', 'b2', 'b3'])
    expect(new Set(rows.map(([, transaction]) => transaction)).size < 3).toBe(isShared)
  })
})
