import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createOctavo, defineContentType, unrestricted } from '@octavo/core'
import { planSchema } from '@octavo/core/internal'
import { definePlugin, isSet, type Plugin } from '@octavo/core/plugin'
import { type DraftPublishOptions, draftPublish } from '@octavo/plugin-draft-publish'
import { createServer, octavoOptions } from '@octavo/server'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const post = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'post', pluralName: 'posts' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string', required: true, minLength: 2 },
    next: { type: 'relation', relation: 'manyToOne', target: 'api::post.post', inversedBy: 'previous' },
    previous: { type: 'relation', relation: 'oneToMany', target: 'api::post.post', mappedBy: 'next' },
  },
})

const notice = defineContentType({
  kind: 'singleType',
  info: { singularName: 'notice', pluralName: 'notices' },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string', required: true } },
})

async function open(options: DraftPublishOptions = {}, others: readonly Plugin[] = []) {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes: [post, notice],
    plugins: [...others, draftPublish(options)],
    database: database.url,
    access: 'open',
  })
  const { url } = await server.listen(0, '127.0.0.1')
  return { server, api: createClient(url), close: () => server.close().then(() => database.drop()) }
}

type Site = Awaited<ReturnType<typeof open>>
let site: Site
const write = async (data: object, on: Site = site) =>
  (await on.api.post('/api/posts', { body: { data } })).body.data
beforeAll(async () => {
  site = await open()
})
afterAll(() => site.close())

describe('A single type', () => {
  it('has its draft changed and deleted without publicationState', async () => {
    const send = async (method: 'get' | 'put' | 'delete', title?: string) => {
      const body = title === undefined ? {} : { body: { data: { title, publishedAt: null } } }
      const answer = await site.api[method]('/api/notice', body)
      return [answer.status, answer.body.data?.attributes.title]
    }
    expect(await send('put', 'First')).toEqual([200, 'First'])
    expect(await send('get')).toEqual([404, undefined])
    expect(await send('put', 'Second')).toEqual([200, 'Second'])
    expect(await send('delete')).toEqual([200, 'Second'])
    expect(await send('delete')).toEqual([404, undefined])
  })
})

describe('A create', () => {
  it('publishes now, unless publishedAt is null', async () => {
    expect((await write({ title: 'Now' })).attributes.publishedAt).toMatch(/^20\d\d-.*Z$/)
    const draft = await write({ title: 'Draft', publishedAt: null })
    expect(draft.attributes.publishedAt).toBeNull()
    expect((await site.api.get(`/api/posts/${draft.id}`)).status).toBe(404)
    expect((await site.api.get(`/api/posts/${draft.id}?publicationState=preview`)).body.data.id).toBe(
      draft.id,
    )
  })

  it('of a draft may lack required attributes, and publishing it requires them', async () => {
    const { id } = await write({ publishedAt: null })
    const publish = (data: object) => site.api.put(`/api/posts/${id}`, { body: { data } })
    const refused = await publish({ publishedAt: '2024-06-01T00:00:00.000Z' })
    expect([refused.status, refused.body.error.details.errors[0].path]).toEqual([400, ['title']])
    expect((await publish({ title: '' })).status).toBe(200)
    expect((await publish({ publishedAt: '2024-06-01T00:00:00.000Z', title: 'Done' })).status).toBe(200)
    expect((await site.api.get(`/api/posts/${id}`)).status).toBe(200)
    await publish({ publishedAt: null })
    expect((await site.api.get(`/api/posts/${id}`)).status).toBe(404)
  })

  it('with an invalid time is refused', async () => {
    const { status } = await site.api.post('/api/posts', {
      body: { data: { title: 'Bad', publishedAt: 'nope' } },
    })
    expect(status).toBe(400)
  })
})

describe('publicationState', () => {
  it('filters and sorts use the related entries that populate would return', async () => {
    const draft = await write({ title: 'zz draft', publishedAt: null })
    const live = await write({ title: 'zz live' })
    const ids = [
      await write({ title: 'p1', next: draft.id }),
      await write({ title: 'p2', next: live.id }),
    ].map(({ id }) => id)
    const list = async (query: string) =>
      (
        await site.api.get(`/api/posts?filters[id][$in][0]=${ids[0]}&filters[id][$in][1]=${ids[1]}&${query}`)
      ).body.data.map(({ id }: { id: number }) => ids.indexOf(id) + 1)
    for (const [filter, shown, all] of [
      ['filters[next][title][$startsWith]=zz', [2], [1, 2]],
      [`filters[next]=${draft.id}`, [], [1]],
      ['filters[next][id][$null]=true', [1], []],
      ['filters[next][previous][title]=p1', [], [1]],
      ['sort=next.title', [2, 1], [1, 2]],
    ] as const) {
      expect([filter, await list(filter)]).toEqual([filter, shown])
      expect([filter, await list(`${filter}&publicationState=preview`)]).toEqual([filter, all])
    }
  })

  it('holds at every depth, and may be given at each', async () => {
    const draft = await write({ title: 'A hidden one', publishedAt: null })
    const shown = await write({ title: 'Shows', next: draft.id })
    const populated = async (query: string) =>
      (await site.api.get(`/api/posts/${shown.id}?${query}`)).body.data.attributes.next.data?.id
    expect(await populated('populate=next')).toBeUndefined()
    expect(await populated('populate=next&publicationState=preview')).toBe(draft.id)
    expect(await populated('populate[next][publicationState]=preview')).toBe(draft.id)
    expect(await populated('populate[next][publicationState]=live&publicationState=preview')).toBeUndefined()
  })

  it.each(['', 'draft', 'LIVE'])('refuses "%s"', async (value) => {
    expect((await site.api.get(`/api/posts?publicationState=${value}`)).status).toBe(400)
  })

  it('finds only drafts with a filter', async () => {
    const { body } = await site.api.get(
      '/api/posts?publicationState=preview&filters[publishedAt][$null]=true',
    )
    expect(body.data.length).toBeGreaterThan(0)
    expect(
      body.data.every(
        (entry: { attributes: { publishedAt: unknown } }) => entry.attributes.publishedAt === null,
      ),
    ).toBe(true)
  })
})

describe('Options', () => {
  it('scheduled: a future publishedAt is not published yet; without the option it is', async () => {
    const later = '2999-01-01T00:00:00.000Z'
    const { id } = await write({ title: 'Later', publishedAt: later })
    expect((await site.api.get(`/api/posts/${id}`)).status).toBe(404)
    const other = await open({ scheduled: false })
    const entry = await write({ title: 'Later', publishedAt: later }, other)
    expect((await other.api.get(`/api/posts/${entry.id}`)).status).toBe(200)
    await other.close()
  })

  it('draftsById and actions add drafts by id and the routes of publishing', async () => {
    const other = await open({ draftsById: 'show', actions: true })
    const { id } = await write({ title: 'Draft', publishedAt: null }, other)
    expect((await other.api.get(`/api/posts/${id}`)).status).toBe(200)
    expect((await other.api.get('/api/posts')).body.data).toEqual([])
    expect(
      (await other.api.post(`/api/posts/${id}/actions/publish`)).body.data.attributes.publishedAt,
    ).toMatch(/Z$/)
    expect((await other.api.get('/api/posts')).body.data).toHaveLength(1)
    expect(
      (await other.api.post(`/api/posts/${id}/actions/unpublish`)).body.data.attributes.publishedAt,
    ).toBeNull()
    expect((await other.api.post('/api/posts/999/actions/publish')).status).toBe(404)
    await other.close()
  })
})

describe('The hooks entry:published and entry:unpublished', () => {
  const later = '2999-01-01T00:00:00.000Z'
  const past = '2024-01-01T00:00:00.000Z'
  const ran: string[] = []
  const listener = definePlugin({
    name: 'listener',
    setup(host) {
      for (const hook of ['entry:published', 'entry:unpublished'] as const)
        host.hook(hook, ({ id }) => void ran.push(`${hook} ${id}`))
      // A name of another plugin takes the place of those of this one, and not of its hooks.
      host.hook('entry:change', ({ type }) => {
        const title = type.attributes.get('title')
        return title?.kind === 'scalar' ? { name: 'titled', if: isSet(title) } : undefined
      })
      host.hook('entry:statements', () => [])
    },
  })
  const hooksOf = async (on: Site, ...inputs: readonly object[]) => {
    const { id } = await write({ title: 'Draft', publishedAt: null }, on)
    const runs: string[] = []
    for (const data of inputs) {
      ran.length = 0
      expect((await on.api.put(`/api/posts/${id}`, { body: { data } })).status).toBe(200)
      expect(ran.every((one) => one.endsWith(` ${id}`))).toBe(true)
      runs.push(ran.map((one) => one.slice('entry:'.length, -` ${id}`.length)).join())
    }
    return runs
  }
  let on: Site
  beforeAll(async () => {
    on = await open({}, [listener])
  })
  afterAll(() => on.close())

  it.each<[string, ...(readonly [string | null, string])[]]>([
    ['a draft is published, and is a draft again', [past, 'published'], [null, 'unpublished']],
    ['a published entry has another time', [past, 'published'], ['2024-02-01', '']],
    ['a draft stays one', [null, '']],
    // The entry is never public, so neither hook runs.
    ['a time to come is set, moved and cleared', [later, ''], ['2998-01-01', ''], [null, '']],
    ['a time to come is brought forward', [later, ''], [past, 'published']],
    ['a published entry is hidden until later', [past, 'published'], [later, 'unpublished'], [null, '']],
  ])('tell when %s', async (_, ...steps) => {
    const inputs = steps.map(([publishedAt]) => ({ publishedAt }))
    expect(await hooksOf(on, ...inputs)).toEqual(steps.map(([, hook]) => hook))
  })

  it('tell of a scheduled entry that it is no longer public, once its time has come', async () => {
    const publishedAt = new Date(Date.now() + 200).toISOString()
    const { id } = await write({ title: 'Soon', publishedAt }, on)
    await expect.poll(async () => (await on.api.get(`/api/posts/${id}`)).status).toBe(200)
    ran.length = 0
    await on.api.put(`/api/posts/${id}`, { body: { data: { publishedAt: null } } })
    expect(ran).toEqual([`entry:unpublished ${id}`])
  })

  it('tell of a publication at once where a time in the future does not hide the entry', async () => {
    const other = await open({ scheduled: false }, [listener])
    expect(
      await hooksOf(other, { publishedAt: later }, { publishedAt: past }, { publishedAt: null }),
    ).toEqual(['published', '', 'unpublished'])
    await other.close()
  })
})

describe('POST /:plural/:id/actions/publish', () => {
  let other: Site
  beforeAll(async () => {
    other = await open({ draftsById: 'show', actions: true })
    await write({ title: 'Draft', publishedAt: null }, other)
  })
  afterAll(() => other.close())

  it.each(['1e0', '1.0', '01e0', '+1', '-1', '%201', '0x1', '2147483648', 'abc'])(
    'answers 404 for the id %s and publishes nothing',
    async (id) => {
      const { status, body } = await other.api.post(`/api/posts/${id}/actions/publish`)
      expect([status, body.error?.details.code]).toEqual([404, 'entry/not-found'])
      const draft = await other.api.get('/api/posts/1')
      expect(draft.body.data.attributes.publishedAt).toBeNull()
    },
  )
})

describe('The plugin', () => {
  it('publishes existing entries, and leaves all data when it is removed', async () => {
    const database = await createTestDatabase()
    // A database in memory ends with its server.
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-'))
    const url = database.engine === 'pglite' ? `file:${folder}` : database.url
    const serve = (plugins: ReturnType<typeof draftPublish>[], withoutPlugin: readonly string[] = []) =>
      createServer({ contentTypes: [post], plugins, withoutPlugin, database: url })
    const before = await serve([])
    await before.octavo.entries('post').create({ title: 'Old' })
    expect((await before.octavo.entries('post').find()).data[0]?.attributes).not.toHaveProperty('publishedAt')
    await before.close()

    const during = await serve([draftPublish()])
    const posts = during.octavo.entries('post')
    expect(
      (await posts.find()).data.map(({ attributes }) => attributes.publishedAt === attributes.createdAt),
    ).toEqual([true])
    await posts.create({ title: 'A draft', publishedAt: null })
    await during.close()

    const again = await serve([draftPublish()])
    expect((await again.octavo.entries('post').find()).data).toHaveLength(1)
    await again.close()
    await expect(serve([])).rejects.toThrow(
      'without "draft-publish" drafts and entries that are to be published later become visible',
    )
    const after = await serve([], ['draft-publish'])
    expect((await after.octavo.entries('post').find()).data).toHaveLength(2)
    await after.close()
    await database.drop()
    await rm(folder, { recursive: true })
  })
})

// Each test opens a database six times, which takes seconds where that is a folder of the embedded engine.
describe('A type whose draftAndPublish is switched off', { timeout: 120_000 }, () => {
  const withDrafts = (draftAndPublish: boolean) => ({ ...post, options: { draftAndPublish } })
  const start = (url: string, draftAndPublish: boolean) =>
    createServer({
      contentTypes: [withDrafts(draftAndPublish)],
      plugins: [draftPublish()],
      database: url,
      access: 'open',
    })
  const run = async (url: string, draftAndPublish: boolean, words: string, ...uids: string[]) => {
    const options = octavoOptions({
      contentTypes: [withDrafts(draftAndPublish)],
      plugins: [draftPublish()],
      database: url,
    })
    const octavo = await createOctavo({ ...options, command: words })
    const lines: string[] = []
    try {
      const done = await octavo.commands.get(words)?.run(octavo, new Set(), (line) => lines.push(line), uids)
      return [done, ...lines]
    } finally {
      await octavo.close()
    }
  }
  /** A database that is there after it was closed, unlike those in memory. */
  const lastingDatabase = async () => {
    if (testEngine() !== 'pglite') return createTestDatabase()
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-drafts-'))
    return { url: `file:${folder}`, drop: () => rm(folder, { recursive: true }) }
  }
  /** A database with a published post and two drafts. */
  const filled = async () => {
    const database = await lastingDatabase()
    const server = await start(database.url, true)
    const posts = server.octavo.entries('post', unrestricted('fills the test'))
    await posts.create({ title: 'Live' })
    await posts.create({ title: 'Draft', publishedAt: null })
    await posts.create({ title: 'Draft too', publishedAt: null })
    await server.close()
    return database
  }
  const titles = async (url: string, draftAndPublish: boolean) => {
    const server = await start(url, draftAndPublish)
    const found = await server.octavo.entries('post', unrestricted('reads the test')).find({ sort: 'id' })
    await server.close()
    return found.data.map(({ attributes }) => attributes.title)
  }

  it('stops the start while it has drafts, with their count and the commands', async () => {
    const { url, drop } = await filled()
    for (let i = 0; i < 2; i++)
      await expect(start(url, false)).rejects.toThrow(
        /api::post\.post has 2\..*octavo drafts publish api::post\.post, or octavo drafts delete api::post\.post/,
      )
    // Programs without a server, and other commands, would show them as well.
    await expect(run(url, false, 'export')).rejects.toThrow(/api::post\.post has 2\./)
    await expect(run(url, false, 'drafts delete', 'api::post.nope')).rejects.toThrow(
      'There is no content-type api::post.nope.',
    )
    expect(await run(url, false, 'drafts delete', 'posts')).toEqual([true, 'api::post.post: 2 drafts'])
    expect(await titles(url, false)).toEqual(['Live'])
    await drop()
  })

  it('is refused by octavo check --schema as well, which starts nothing', async () => {
    const { url, drop } = await filled()
    const check = (draftAndPublish: boolean, plugins = [draftPublish()]) =>
      planSchema(octavoOptions({ contentTypes: [withDrafts(draftAndPublish)], plugins, database: url }))
    await expect(check(false)).rejects.toThrow(
      /Without draftAndPublish, drafts would become visible: api::post\.post has 2\. .*octavo drafts publish api::post\.post/,
    )
    // As a start without the plugin is.
    await expect(check(false, [])).rejects.toThrow(/used with the plugin "draft-publish": without/)
    expect((await check(true)).warnings).toEqual([])
    await run(url, false, 'drafts publish', 'posts')
    expect((await check(false)).statements).toEqual([])
    await drop()
    const empty = await createTestDatabase()
    const options = { contentTypes: [withDrafts(false)], plugins: [draftPublish()], database: empty.url }
    expect((await planSchema(octavoOptions(options))).warnings).toEqual([])
    await empty.drop()
  })

  it('publishes what was created meanwhile without a limit of time', async () => {
    const { url, drop } = await filled()
    await run(url, false, 'drafts publish', 'posts')
    const server = await start(url, false)
    await server.octavo.entries('post', unrestricted('writes the test')).create({ title: 'Later' })
    await server.octavo.store.query(
      `create function refuse_limited() returns trigger language plpgsql as $$ begin
        if current_setting('statement_timeout') <> '0' then raise exception 'a large table would take longer'; end if;
        return new; end $$`,
    )
    await server.octavo.store.query(
      'create trigger limited before update on posts for each row execute function refuse_limited()',
    )
    await server.close()
    await (await start(url, true)).close()
    await drop()
  })

  it('is deleted by two commands at once, neither of which stops at what the other deleted', async () => {
    const { url, drop } = await filled()
    const options = { contentTypes: [withDrafts(true)], plugins: [draftPublish()], database: url }
    const octavo = await createOctavo({ ...octavoOptions(options), command: 'drafts delete' })
    await octavo.store.query(
      `insert into posts (title, created_at, updated_at) select 'n' || n, now(), now() from generate_series(1, 400) n`,
    )
    const all = () => octavo.commands.get('drafts delete')?.run(octavo, new Set(), () => {}, ['posts'])
    expect(await Promise.all([all(), all()])).toEqual([true, true])
    expect(await octavo.store.query('select title from posts')).toEqual([['Live']])
    await octavo.close()
    await drop()
  })

  // The embedded database has one connection, so no statement is between the two of a command.
  it.runIf(testEngine() === 'postgresql').each<[string, boolean]>([
    ['delete', true],
    ['delete', false],
    ['publish', true],
    ['publish', false],
  ])(
    'leaves a draft alone that is published while octavo drafts %s runs, with draftAndPublish %s',
    async (action, draftAndPublish) => {
      const { url, drop } = await filled()
      const options = {
        contentTypes: [withDrafts(draftAndPublish)],
        plugins: [draftPublish()],
        database: url,
      }
      const octavo = await createOctavo({ ...octavoOptions(options), command: `drafts ${action}` })
      const lines: string[] = []
      let running: Promise<boolean> | undefined
      await octavo.store.transaction(async (tx) => {
        await tx.query(`update posts set published_at = '2030-01-01Z' where title = 'Draft'`)
        running = octavo.commands
          .get(`drafts ${action}`)
          ?.run(octavo, new Set(), (line) => lines.push(line), ['posts'])
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        await expect.poll(async () => (await octavo.store.query(waiting)).length, { timeout: 10_000 }).toBe(1)
      })
      expect([await running, ...lines]).toEqual([true, 'api::post.post: 1 draft'])
      const [[date] = []] = await octavo.store.query(
        `select published_at::date::text from posts where title = 'Draft'`,
      )
      expect(date).toBe('2030-01-01')
      const rest = await octavo.store.query('select 1 from posts')
      expect(rest).toHaveLength(action === 'delete' ? 2 : 3)
      await octavo.close()
      await drop()
    },
  )

  it('is published once when a plugin publishes it with another one', async () => {
    const { url, drop } = await filled()
    const together = definePlugin({
      name: 'together',
      setup: (host) =>
        host.hook('entry:published', async ({ type, id, by, entries }) => {
          if (by === 'caller' && id === 2) await entries.update(type.uid, 3, { publishedAt: '2030-01-01' })
        }),
    })
    const plugins = [draftPublish(), together]
    const options = octavoOptions({ contentTypes: [withDrafts(true)], plugins, database: url })
    const octavo = await createOctavo({ ...options, command: 'drafts publish' })
    const lines: string[] = []
    const publish = octavo.commands.get('drafts publish')
    expect(await publish?.run(octavo, new Set(), (line) => lines.push(line), ['posts'])).toBe(true)
    expect(lines).toEqual(['api::post.post: 1 draft'])
    const dates = await octavo.store.query('select published_at::date::text from posts where id = 3')
    expect(dates).toEqual([['2030-01-01']])
    await octavo.close()
    await drop()
  })

  it('is published in batches, with progress, and a draft that cannot be published is named', async () => {
    const { url, drop } = await filled()
    const options = { contentTypes: [withDrafts(true)], plugins: [draftPublish()], database: url }
    const octavo = await createOctavo({ ...octavoOptions(options), command: 'drafts publish' })
    const publish = async () => {
      const shown: unknown[] = []
      await octavo.commands.get('drafts publish')?.run(
        octavo,
        new Set(),
        (line) => shown.push(line),
        ['posts'],
        (...step) => shown.push(step),
      )
      return shown
    }
    await octavo.store.query(
      `insert into posts (title, created_at, updated_at) select 'n' || n, now(), now() from generate_series(1, 400) n`,
    )
    expect(await publish()).toEqual([
      [0, 402, 'api::post.post'],
      [200, 402, 'api::post.post'],
      [400, 402, 'api::post.post'],
      'api::post.post: 402 drafts',
    ])
    await octavo.store.query(
      `insert into posts (title, created_at, updated_at) select case when n = 250 then null else 'n' end, now(), now() from generate_series(1, 300) n`,
    )
    expect((await publish()).slice(-2)).toEqual([
      'api::post.post 653: title must be defined.',
      'api::post.post: 200 of 300 drafts',
    ])
    await octavo.close()
    await drop()
  })

  // The embedded database has the clock of the process.
  it.runIf(testEngine() === 'postgresql')('is published by the clock of the database', async () => {
    const { url, drop } = await filled()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2999-01-01') })
    try {
      await run(url, true, 'drafts publish', 'posts')
    } finally {
      vi.useRealTimers()
    }
    expect(await titles(url, true)).toEqual(['Live', 'Draft', 'Draft too'])
    await drop()
  })

  it('shows drafts that the command published, and publishes what is created meanwhile when it is on again', async () => {
    const { url, drop } = await filled()
    expect(await run(url, false, 'drafts publish', 'api::post.post')).toEqual([
      true,
      'api::post.post: 2 drafts',
    ])
    expect(await titles(url, false)).toEqual(['Live', 'Draft', 'Draft too'])
    const server = await start(url, false)
    await server.octavo.entries('post', unrestricted('writes the test')).create({ title: 'Later' })
    await server.close()
    expect(await titles(url, false)).toHaveLength(4)
    expect(await titles(url, true)).toEqual(['Live', 'Draft', 'Draft too', 'Later'])
    await drop()
  })
})
