/** Two versions of the definitions on one database, as while a new version rolls out. */
import {
  type ContentTypeDefinition,
  defineComponent,
  defineContentType,
  SchemaError,
  type Store,
  silentLogger,
} from '@octavo/core'
import { type Client, createClient, createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServer, type Server } from '../../src/index.ts'

const person = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'person', pluralName: 'persons' },
  attributes: { name: { type: 'string' } },
})

type Attributes = ContentTypeDefinition['attributes']
const book = (attributes: Attributes, options = {}): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  options,
  attributes,
})
const toPerson = { type: 'relation', target: 'api::person.person' } as const

const before: Attributes = {
  title: { type: 'string', unique: true },
  facts: { type: 'json' },
  writer: { ...toPerson, relation: 'manyToOne' },
  readers: { ...toPerson, relation: 'manyToMany' },
  year: { type: 'integer' },
  pages: { type: 'integer' },
}
/** Renames of each kind of storage, `year` is removed, and `pages` may not be equal any more. */
const after: Attributes = {
  name: { type: 'string', unique: true, renamedFrom: 'title' },
  details: { type: 'json', renamedFrom: 'facts' },
  author: { ...toPerson, relation: 'manyToOne', renamedFrom: 'writer' },
  fans: { ...toPerson, relation: 'manyToMany', renamedFrom: 'readers' },
  pages: { type: 'integer', unique: true },
}

interface Started {
  readonly server: Server
  readonly api: Client
}

describe.skipIf(testEngine() === 'pglite')('two versions on one database', () => {
  let database: TestDatabase
  let servers: Server[] = []
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(async () => {
    for (const server of servers) await server.close()
    servers = []
    await database.drop()
  })

  const place = defineComponent({ uid: 'a.place', attributes: { name: { type: 'string' } } })
  const start = async (attributes: Attributes, options = {}): Promise<Started> => {
    const server = await createServer({
      contentTypes: [person, book(attributes, options)],
      components: [place],
      database: database.url,
      access: 'open',
      logger: silentLogger,
    })
    servers.push(server)
    const { url } = await server.listen(0, '127.0.0.1')
    return { server, api: createClient(url) }
  }
  const columnsOf = async (store: Store): Promise<readonly unknown[]> =>
    (
      await store.query(
        `select column_name from information_schema.columns where table_name = 'books' order by 1`,
      )
    ).flat()
  const write = async ({ api }: Started, data: object, id?: number): Promise<number> => {
    const { status, body } =
      id === undefined
        ? await api.post('/api/books', { body: { data } })
        : await api.put(`/api/books/${id}`, { body: { data } })
    expect([status, body.error]).toEqual([200, undefined])
    return body.data.id
  }
  const read = async ({ api }: Started, id: number) => {
    const { status, body } = await api.get(`/api/books/${id}?populate=*`)
    expect([status, body.error]).toEqual([200, undefined])
    return body.data.attributes
  }
  const person1 = { data: { id: 1 } }
  /** As if a minute had passed, in which a process may start again. */
  const minuteLater = (store: Store) =>
    store.query(`update octavo_processes set at = at - interval '2 minutes' where ended`)

  it('have old and new names with the same values, whichever of them writes', async () => {
    const old = await start(before)
    await old.api.post('/api/persons', { body: { data: { name: 'ada' } } })
    const first = await write(old, {
      title: 'one',
      facts: { a: 1 },
      writer: 1,
      readers: [1],
      year: 1,
      pages: 1,
    })
    const fresh = await start(after)
    expect(await read(fresh, first)).toMatchObject({ name: 'one', details: { a: 1 }, author: person1 })
    expect((await read(fresh, first)).fans.data).toHaveLength(1)
    expect(await read(old, first)).toMatchObject({ title: 'one', facts: { a: 1 }, writer: person1, year: 1 })

    const byOld = await write(old, { title: 'old', facts: [1], writer: 1, readers: [1], pages: 2 })
    expect(await read(fresh, byOld)).toMatchObject({ name: 'old', details: [1], author: person1 })
    expect((await read(fresh, byOld)).fans.data).toHaveLength(1)
    const byNew = await write(fresh, { name: 'new', details: [2], author: 1, fans: [1], pages: 3 })
    expect(await read(old, byNew)).toMatchObject({ title: 'new', facts: [2], writer: person1, year: null })
    expect((await read(old, byNew)).readers.data).toHaveLength(1)

    await write(old, { title: 'old again', facts: null, writer: null, readers: [] }, byNew)
    expect(await read(fresh, byNew)).toMatchObject({
      name: 'old again',
      details: null,
      author: { data: null },
    })
    expect((await read(fresh, byNew)).fans.data).toEqual([])
    await write(fresh, { name: 'new again', author: 1 }, byOld)
    expect(await read(old, byOld)).toMatchObject({ title: 'new again', writer: person1 })
    // An index that the old version does not know refuses as its own would.
    expect((await old.api.post('/api/books', { body: { data: { title: 'x', pages: 3 } } })).status).toBe(400)
  })

  it('go on when the old one restarts, and the old names go when it has gone', async () => {
    const old = await start(before)
    const id = await write(old, { title: 'one', year: 1 })
    const fresh = await start(after)
    await old.server.close()
    const again = await start(before)
    await write(again, { title: 'two' }, id)
    expect(await read(fresh, id)).toMatchObject({ name: 'two' })
    await write(fresh, { name: 'three' }, id)
    expect(await read(again, id)).toMatchObject({ title: 'three', year: 1 })

    await again.server.close()
    const { store } = fresh.server.octavo
    await minuteLater(store)
    await expect.poll(() => columnsOf(store), { timeout: 20_000 }).not.toContain('title')
    expect(await columnsOf(store)).toEqual(expect.arrayContaining(['name', 'author_id', 'year']))
    expect(await read(fresh, id)).toMatchObject({ name: 'three' })
    const leftovers = await store.query(
      `select proname from pg_proc where proname like 'octavo%renaming' union all select relname from pg_class where relname = 'books_readers_links'`,
    )
    expect(leftovers).toEqual([])
  })

  it('refuse a start of the old one afterwards, which would make its names anew, and empty', async () => {
    const old = await start(before)
    await write(old, { title: 'one' })
    await old.server.close()
    await start(after)
    const refused = await start(before).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(SchemaError)
    expect((refused as SchemaError).refusals).toMatchObject([{ table: 'books', column: 'title' }])
    expect(String((refused as Error).message)).toContain('later definitions renamed it')
    // The way back.
    const back = await start({ ...after, name: { type: 'string', unique: true }, title: { type: 'string' } })
    expect((await back.api.get('/api/books')).body.data[0].attributes).toMatchObject({
      name: 'one',
      title: null,
    })
  })

  it('refuse to move the rows of a component while the old one reads them', async () => {
    const old = await start({ home: { type: 'component', component: 'a.place' } })
    await write(old, { home: { name: 'x' } })
    const renamed: Attributes = { house: { type: 'component', component: 'a.place', renamedFrom: 'home' } }
    await expect(start(renamed)).rejects.toThrow('processes with the former definitions still run')
    await old.server.close()
    const fresh = await start(renamed)
    expect((await read(fresh, 1)).house).toMatchObject({ name: 'x' })
  })

  it('are not begun when a renamed attribute has another type as well, and the old one goes on', async () => {
    const old = await start({ price: { type: 'decimal' }, code: { type: 'string' } })
    const id = await write(old, { price: 1.5, code: 'x' })
    const cases = [
      ['price', { type: 'integer', renamedFrom: 'price' }, 'it is numeric(20,2), and "next"'],
      ['code', { type: 'integer', renamedFrom: 'code' }, 'it is text, and "next"'],
    ] as const
    for (const [column, next, reason] of cases) {
      const refused = await start({ next }).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(SchemaError)
      expect((refused as SchemaError).refusals).toEqual([
        { table: 'books', column, reason: expect.stringContaining(reason), sql: expect.any(String) },
      ])
    }
    expect(await columnsOf(old.server.octavo.store)).not.toContain('next')
    await write(old, { price: 2.5, code: 'y' }, id)
    expect(await read(old, id)).toMatchObject({ price: 2.5, code: 'y' })
  })

  it('have the links of a renamed polymorphic relation under both names', async () => {
    const linked = { type: 'relation', relation: 'morphToMany' } as const
    const old = await start({ things: linked })
    await old.api.post('/api/persons', { body: { data: { name: 'ada' } } })
    const thing = { __type: 'api::person.person', id: 1 }
    await write(old, { things: [thing] })
    const fresh = await start({ objects: { ...linked, renamedFrom: 'things' } })
    await write(old, { things: [thing] })
    await write(fresh, { objects: [thing] })
    for (const table of ['books_things_morphs', 'books_objects_morphs'])
      expect(await fresh.server.octavo.store.query(`select target_id from ${table} order by 1`)).toEqual([
        ['1'],
        ['2'],
        ['3'],
      ])
  })

  describe('of which the new one is taken back', () => {
    const text = { type: 'string' } as const
    const linked = { ...toPerson, relation: 'manyToMany' } as const
    const v1: Attributes = { title: text, readers: linked }
    const v2: Attributes = {
      name: { ...text, renamedFrom: 'title' },
      fans: { ...linked, renamedFrom: 'readers' },
    }
    /** The old version runs, the new one begins its renames beside it, and both end. */
    const takeBack = async () => {
      const old = await start(v1)
      await old.api.post('/api/persons', { body: { data: { name: 'ada' } } })
      await write(old, { title: 'one', readers: [1] })
      const fresh = await start(v2)
      await write(fresh, { name: 'two', fans: [1] })
      await fresh.server.close()
      return old
    }
    const leftovers = (store: Store) =>
      store.query(
        `select proname from pg_proc where proname like '%renaming' union all select relname from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace union all select key from octavo_schema where key like 'renaming:%'`,
      )

    it('have the former names only at the next start of the old one', async () => {
      await (await takeBack()).server.close()
      const back = await start(v1)
      const { store } = back.server.octavo
      await minuteLater(store)
      await expect.poll(() => leftovers(store), { timeout: 20_000 }).toEqual([])
      expect(await columnsOf(store)).not.toContain('name')
      expect(await read(back, 2)).toMatchObject({ title: 'two', readers: { data: [{ id: 1 }] } })
      await write(back, { title: 'three', readers: [] }, 2)
      expect(await read(back, 2)).toMatchObject({ title: 'three', readers: { data: [] } })
    })

    it('let a later version rename to other names, and write', async () => {
      await (await takeBack()).server.close()
      const later = await start({
        label: { ...text, renamedFrom: 'title' },
        public: { ...linked, renamedFrom: 'readers' },
      })
      expect(await read(later, 1)).toMatchObject({ label: 'one', public: { data: [{ id: 1 }] } })
      const id = await write(later, { label: 'three', public: [1] })
      expect(await read(later, id)).toMatchObject({ label: 'three', public: { data: [{ id: 1 }] } })
      expect(await leftovers(later.server.octavo.store)).toEqual([])
    })

    it('let a later version rename further, beside the old one as well', async () => {
      const old = await takeBack()
      const later = await start({ label: { ...text, renamedFrom: 'title' } })
      expect(await read(later, await write(old, { title: 'by old' }))).toMatchObject({ label: 'by old' })
      expect(await read(old, await write(later, { label: 'by later' }))).toMatchObject({ title: 'by later' })
      await old.server.close()
      const { store } = later.server.octavo
      await minuteLater(store)
      await expect.poll(() => columnsOf(store), { timeout: 20_000 }).not.toContain('title')
      expect(await columnsOf(store)).not.toContain('name')
      await write(later, { label: 'alone' })
    })

    it.each([
      ['title', { title: text, name: text }, { title: 'one', name: null }],
      ['name', { title: text, name: text }, { title: null, name: 'one' }],
      ['readers', { readers: linked, fans: linked }, { readers: { data: [{ id: 1 }] }, fans: { data: [] } }],
      ['fans', { readers: linked, fans: linked }, { readers: { data: [] }, fans: { data: [{ id: 1 }] } }],
    ])(
      'do not link two attributes of both names: the values are those of %s',
      async (name, attributes, values) => {
        const old = await takeBack()
        const refused = await start(attributes).catch((error: unknown) => error)
        expect(refused).toBeInstanceOf(SchemaError)
        const [{ reason, sql } = { reason: '', sql: '' }, ...others] = (refused as SchemaError).refusals
        expect(others).toEqual([])
        expect(reason).toContain('so both have the same values')
        const [former = '', fresh = ''] = sql.split('-- or')
        const chosen = Object.keys(v1).includes(name) ? former : `--${fresh}`
        for (const statement of chosen.split(';\n')) await old.server.octavo.store.query(statement)
        await old.server.close()
        const both = await start(attributes)
        expect(await read(both, 1)).toMatchObject(values)
        const written = 'title' in attributes ? { title: 'T', name: 'N' } : { readers: [1], fans: [] }
        const id = await write(both, written)
        expect(await read(both, id)).toMatchObject(
          'title' in attributes ? written : { readers: { data: [{ id: 1 }] }, fans: { data: [] } },
        )
      },
    )
  })

  it('write both of two tables whose names with those of their attributes are one', async () => {
    const text = { type: 'string' } as const
    const version = async (first: Attributes, second: Attributes) => {
      const contentTypes = [
        { collectionName: 'article', attributes: first },
        { collectionName: 'article_tags', attributes: second },
      ].map(
        (definition, i): ContentTypeDefinition => ({
          ...definition,
          kind: 'collectionType',
          info: { singularName: `type-${i}`, pluralName: `types-${i}` },
        }),
      )
      const options = { contentTypes, database: database.url, access: 'open', logger: silentLogger } as const
      const server = await createServer(options)
      servers.push(server)
      return createClient((await server.listen(0, '127.0.0.1')).url)
    }
    await version({ tags_slug: text }, { slug: text })
    const api = await version(
      { tags_name: { ...text, renamedFrom: 'tags_slug' } },
      { name: { ...text, renamedFrom: 'slug' } },
    )
    for (const [path, data] of [
      ['/api/types-0', { tags_name: 'a' }],
      ['/api/types-1', { name: 'b' }],
    ] as const) {
      const { status, body } = await api.post(path, { body: { data } })
      expect([status, body.data?.attributes]).toMatchObject([200, data])
    }
  })

  it('end a rename that the next version declares no more, and a rename of its new name', async () => {
    const text = { type: 'string' } as const
    const old = await start({ title: text })
    await write(old, { title: 'one' })
    const fresh = await start({ name: { ...text, renamedFrom: 'title' } })
    await old.server.close()
    await fresh.server.close()
    // Within the minute in which the old one may return.
    const further = await start({ label: { ...text, renamedFrom: 'name' } })
    await write(further, { label: 'two' })
    expect(await read(further, 1)).toMatchObject({ label: 'one' })
    await further.server.close()
    await expect(start({ title: text })).rejects.toThrow('later definitions renamed it')
    const again = await start({ label: text, title: text })
    expect(await read(again, await write(again, { label: 'L', title: 'T' }))).toMatchObject({
      label: 'L',
      title: 'T',
    })
  })

  it('do not start a version of Octavo that would misread what a later one has written', async () => {
    const { server, api } = await start(before)
    await server.octavo.store.query(`update octavo_schema set value = '2' where key = 'layout'`)
    await expect(start(before)).rejects.toThrow('written by a later version of Octavo')
    expect((await api.get('/api/books')).status).toBe(200)
  })

  describe('with a search', () => {
    const searched = (attribute: string) => ({
      search: { mode: 'fulltext', language: 'simple', attributes: [attribute] },
    })
    const renamed = (name: string) =>
      start({ [name]: { type: 'string', renamedFrom: 'title' } }, searched(name))
    const noteOf = async (store: Store): Promise<string> =>
      String(await store.query(`select value from octavo_schema where key = 'words:books'`))
    const found = async ({ api }: Started, phrase: string): Promise<number> => {
      const { status, body } = await api.get(`/api/books?_q=${phrase}`)
      expect([status, body.error]).toEqual([200, undefined])
      return body.data.length
    }

    it.each(['name', 'words'])('find by the new name what the old one writes: %s', async (name) => {
      const old = await start({ title: { type: 'string' } }, searched('title'))
      const id = await write(old, { title: 'sun' })
      const fresh = await renamed(name)
      const both = async (phrase: string) => [await found(old, phrase), await found(fresh, phrase)]
      expect(await both('sun')).toEqual([1, 1])
      await write(old, { title: 'moon' }, id)
      expect(await both('moon')).toEqual([1, 1])
      await write(fresh, { [name]: 'star' }, id)
      expect(await both('star')).toEqual([1, 1])

      await old.server.close()
      const { store } = fresh.server.octavo
      await expect.poll(() => noteOf(store), { timeout: 20_000 }).toContain(`"${name}"`)
      expect(await store.query('select _search from books')).toEqual([["'star':1"]])
      await write(fresh, { [name]: 'cloud' }, id)
      expect([await found(fresh, 'star'), await found(fresh, 'cloud')]).toEqual([0, 1])
    })
  })
})
