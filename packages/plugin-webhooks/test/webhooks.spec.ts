import { once } from 'node:events'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { defineContentType, type Octavo, unrestricted } from '@octavo/core'
import { definePlugin, problem } from '@octavo/core/plugin'
import { type DraftPublishOptions, draftPublish } from '@octavo/plugin-draft-publish'
import { upload } from '@octavo/plugin-upload'
import { type Webhook, webhooks } from '@octavo/plugin-webhooks'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { expectedSignature, type Receiver, secretOf, startReceiver } from './receiver.ts'
import { article, hookTo } from './site.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function receiver(statusOf?: (index: number) => number): Promise<Receiver> {
  const started = await startReceiver(statusOf)
  closing.push(started.close)
  return started
}

/** A type without drafts, whose own attribute has the name of that of drafts. */
const book = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  attributes: { publishedAt: { type: 'string' } },
})

type Options = Partial<Parameters<typeof webhooks>[0]>

/** A server whose only webhook has the given properties. */
async function site(webhook: Webhook, options: Options = {}, drafts: DraftPublishOptions = {}) {
  const database = await createTestDatabase()
  const refusing = definePlugin({
    name: 'refusing',
    after: ['webhooks'],
    setup: (host) =>
      host.hook('entry:afterCreate', ({ input }) => {
        if (input.title === 'Refused') throw problem('entry/forbidden')
      }),
  })
  const server = await createServer({
    contentTypes: [article, book],
    plugins: [
      draftPublish(drafts),
      upload(),
      webhooks({ webhooks: [webhook], poll: 20, delay: 1, ...options }),
      refusing,
    ],
    database: database.url,
    access: 'open',
  })
  closing.push(async () => {
    await server.close()
    await database.drop()
  })
  const api = createClient((await server.listen(0, '127.0.0.1')).url)
  const create = async (data: object): Promise<number> =>
    (await api.post('/api/articles', { body: { data } })).body.data.id
  return { api, octavo: server.octavo, create }
}

/** Runs a command of the plugin. */
async function command(octavo: Octavo, words: string, given: readonly string[], ...flags: string[]) {
  const lines: string[] = []
  const ok = await octavo.commands
    .get(words)
    ?.run(octavo, new Set(flags), (line) => void lines.push(line), given)
  return { ok, lines }
}

/** Waits until the log has a line for each pattern. */
async function logged(octavo: Octavo, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = (await command(octavo, 'webhooks list', [])).lines.find((line) => pattern.test(line))
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('The queue of a webhook', () => {
  it('has a limit: of more deliveries the oldest are given up, but no publications to come', async () => {
    const to = await receiver()
    const database = await createTestDatabase()
    const server = await createServer({
      contentTypes: [article],
      plugins: [
        draftPublish(),
        webhooks({ webhooks: [{ ...hookTo(to.url), events: ['entry.create', 'entry.publish'] }], queue: 2 }),
      ],
      database: database.url,
      access: 'open',
    })
    closing.push(async () => {
      await server.close()
      await database.drop()
    })
    const { octavo } = server
    const articles = octavo.entries('article')
    await articles.create({ title: 'Later', publishedAt: '2999-01-01T00:00:00.000Z' })
    for (const title of ['One', 'Two', 'Three', 'Four']) await articles.create({ title })
    await server.listen(0, '127.0.0.1')
    const titles = (await to.arrived(2)).map(({ body }) => body.entry.title)
    expect(titles.sort()).toEqual(['Four', 'Three'])
    const { lines } = await command(octavo, 'webhooks list', ['--failed'], '--failed')
    expect(lines.filter((line) => /more than 2 deliveries were pending/.test(line))).toHaveLength(3)
    const pending = await octavo.store.query(
      `select count(*)::text from octavo_webhook_deliveries where state = 'pending' and due > '2998-01-01'`,
    )
    expect(pending).toEqual([['1']])
  })
})

describe('The events of entries', () => {
  it('have the form of the reference server, without private attributes', async () => {
    const to = await receiver()
    const { api, create } = await site(hookTo(to.url))
    const id = await create({ title: 'One', notes: 'hidden', pin: '1234' })
    const [request] = await to.arrived(1)
    const { headers, body } = request ?? { headers: {} as Record<string, string>, body: undefined }
    expect(headers['x-strapi-event']).toBe('entry.create')
    expect(headers['content-type']).toBe('application/json')
    const { data } = (await api.get(`/api/articles/${id}`)).body
    expect(body).toEqual({
      event: 'entry.create',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      model: 'article',
      uid: 'api::article.article',
      entry: { id, ...data.attributes },
    })
  })

  it('are update, publish, unpublish and delete; the last has the entry as it was', async () => {
    const to = await receiver()
    const { api, create } = await site(hookTo(to.url))
    const id = await create({ title: 'One', publishedAt: null })
    await to.arrived(1)
    const put = (data: object) => api.put(`/api/articles/${id}`, { body: { data } })
    const steps: [() => Promise<unknown>, readonly string[]][] = [
      [() => put({ title: 'Two' }), ['entry.update']],
      [() => put({ publishedAt: '2024-01-01T00:00:00.000Z' }), ['entry.publish', 'entry.update']],
      [() => put({ publishedAt: null }), ['entry.unpublish', 'entry.update']],
      [() => api.delete(`/api/articles/${id}`), ['entry.delete']],
    ]
    let count = 1
    for (const [step, events] of steps) {
      await step()
      const all = await to.arrived(count + events.length)
      expect(all.slice(count).map(({ body }) => body.event)).toEqual(expect.arrayContaining([...events]))
      count += events.length
    }
    expect(to.received.at(-1)?.body.entry).toMatchObject({ id, title: 'Two', publishedAt: null })
  })

  describe('of a publication at a later time', () => {
    const later = '2999-01-01T00:00:00.000Z'
    const after = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
    const events = ['entry.publish', 'entry.unpublish'] as const
    const open = async (drafts: DraftPublishOptions = {}) => {
      const to = await receiver()
      const { api, octavo, create } = await site({ ...hookTo(to.url), events }, {}, drafts)
      const id = await create({ title: 'Draft', publishedAt: null })
      const put = async (data: object) =>
        expect((await api.put(`/api/articles/${id}`, { body: { data } })).status).toBe(200)
      /** A delivery is pending until its answer is noted, which is after the receiver has it. */
      const pending = async () =>
        (await command(octavo, 'webhooks list', [], 'pending')).lines.filter((line) =>
          /entry\.publish/.test(line),
        )
      const all = async () => (await command(octavo, 'webhooks list', [])).lines
      return { to, api, octavo, id, put, pending, all }
    }

    it('are sent at that time, with the entry as it is then', async () => {
      const { to, put, api, id } = await open()
      await put({ publishedAt: later })
      await put({ title: 'Last' })
      const publishedAt = after(300)
      await put({ publishedAt })
      const [first] = await to.arrived(1)
      expect(first?.body).toMatchObject({ event: 'entry.publish', entry: { id, title: 'Last', publishedAt } })
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(publishedAt))
      expect((await api.get(`/api/articles/${id}`)).status).toBe(200)
      // A later update changes nothing of what was sent.
      await put({ title: 'Later still' })
      await put({ publishedAt: null })
      expect((await to.arrived(2)).map(({ body }) => body.event)).toEqual([
        'entry.publish',
        'entry.unpublish',
      ])
    })

    it('are sent at once when that time is brought forward', async () => {
      const { to, put, pending } = await open()
      await put({ publishedAt: later })
      await expect.poll(pending).toHaveLength(1)
      await put({ publishedAt: '2024-01-01T00:00:00.000Z' })
      expect((await to.arrived(1))[0]?.body).toMatchObject({
        event: 'entry.publish',
        entry: { publishedAt: '2024-01-01T00:00:00.000Z' },
      })
    })

    it('are sent at that time for an entry that is made with it', async () => {
      const { to, api, pending } = await open()
      const create = (publishedAt: string) =>
        api.post('/api/articles', { body: { data: { title: 'New', publishedAt } } })
      await create('2999-01-01')
      await expect.poll(pending).toHaveLength(1)
      const publishedAt = after(300)
      await create(publishedAt)
      expect((await to.arrived(1))[0]?.body.entry).toMatchObject({ title: 'New', publishedAt })
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(publishedAt))
      await create('2024-01-01')
      await expect.poll(pending).toHaveLength(1)
    })

    it('are not sent when the entry is a draft again, or deleted', async () => {
      const { to, api, id, put, pending, all } = await open()
      await put({ publishedAt: later })
      await put({ publishedAt: null })
      // The entry was never public, so no webhook may receive entry.unpublish.
      expect(await all()).toEqual(['There are no deliveries.'])
      await put({ publishedAt: later })
      await expect.poll(pending).toHaveLength(1)
      expect((await api.delete(`/api/articles/${id}`)).status).toBe(200)
      expect(await pending()).toEqual([])
      expect(to.received.filter(({ body }) => body.event === 'entry.publish')).toEqual([])
    })

    it('are unpublish for a published entry that is put off, and publish at its time', async () => {
      const { to, put, pending } = await open()
      await put({ publishedAt: '2024-01-01T00:00:00.000Z' })
      await to.arrived(1)
      await put({ publishedAt: later })
      expect((await to.arrived(2)).map(({ body }) => body.event)).toEqual([
        'entry.publish',
        'entry.unpublish',
      ])
      await expect.poll(pending).toHaveLength(1)
    })

    it('are sent at once for an entry whose time was set without events, as by an import', async () => {
      const { to, octavo, put } = await open()
      await octavo.store.query(`update articles set published_at = '${later}'`)
      await put({ publishedAt: '2024-01-01T00:00:00.000Z' })
      expect((await to.arrived(1))[0]?.body.event).toBe('entry.publish')
    })

    it('are one, however often the time is put off while nobody sends', async () => {
      const { octavo, pending } = await open()
      const articles = octavo.entries('article', unrestricted('writes the test'))
      const { id } = await articles.create({ title: 'Often', publishedAt: later })
      // As if its time had come, and no process had taken the delivery yet.
      await octavo.store.query(`update articles set published_at = '2024-01-01' where id = ${id}`)
      for (const year of [2998, 2997]) await articles.update(id, { publishedAt: `${year}-01-01` })
      expect(await pending()).toHaveLength(1)
    })

    it('are not sent where a later time publishes at once, for creates as little as for other times', async () => {
      const { to, api, put, all } = await open({ scheduled: false })
      await api.post('/api/articles', { body: { data: { title: 'New', publishedAt: later } } })
      expect(await all()).toEqual(['There are no deliveries.'])
      await put({ publishedAt: later })
      expect((await to.arrived(1))[0]?.body).toMatchObject({
        event: 'entry.publish',
        entry: { title: 'Draft' },
      })
    })

    it('are as they were sent when they are replayed, whatever became of the entry', async () => {
      const to = await receiver((index) => (index < 2 ? 500 : 204))
      // Only a commit makes the server look for deliveries.
      const { api, octavo, create } = await site(
        { ...hookTo(to.url), events },
        { attempts: 1, poll: 600_000 },
      )
      const ids = [
        await create({ title: 'One', publishedAt: null }),
        await create({ title: 'Two', publishedAt: null }),
      ]
      for (const id of ids) await api.put(`/api/articles/${id}`, { body: { data: { publishedAt: later } } })
      await octavo.store.query('update octavo_webhook_deliveries set due = now()')
      await create({ title: 'Wakes the server', publishedAt: null })
      const first = (await to.arrived(2)).map(({ text }) => text).toSorted()
      const failed = async () => (await command(octavo, 'webhooks list', [], 'failed')).lines
      await expect.poll(failed).toHaveLength(2)
      await command(octavo, 'webhooks replay', [], 'failed')
      const [changed = 0, deleted = 0] = ids
      await octavo.transaction(async (tx) => {
        await tx.entries('article').update(changed, { title: 'Changed', publishedAt: null })
        await tx.entries('article').delete(deleted)
      }, unrestricted('writes the test'))
      const published = async () =>
        to.received.slice(2).flatMap(({ text, body }) => (body.event === 'entry.publish' ? [text] : []))
      await expect.poll(published).toHaveLength(2)
      expect((await published()).toSorted()).toEqual(first)
    })

    it('are those of drafts only, and not of an attribute of this name in another type', async () => {
      const { api, all } = await open()
      for (const publishedAt of ['soon', later])
        expect((await api.post('/api/books', { body: { data: { publishedAt } } })).status).toBe(200)
      expect(await all()).toEqual(['There are no deliveries.'])
    })
  })

  it('are written with the entry: an entry that is rolled back has none', async () => {
    const to = await receiver()
    const { api, octavo, create } = await site(hookTo(to.url))
    const refused = await api.post('/api/articles', { body: { data: { title: 'Refused' } } })
    expect(refused.status).toBe(403)
    await create({ title: 'Accepted' })
    await to.arrived(1)
    await logged(octavo, /delivered/)
    expect((await command(octavo, 'webhooks list', [])).lines).toHaveLength(1)
    expect(to.received.map(({ body }) => body.entry.title)).toEqual(['Accepted'])
  })

  it('are limited to the events and content-types of the webhook', async () => {
    const to = await receiver()
    const { api, create } = await site({ ...hookTo(to.url), events: ['entry.delete'] })
    const id = await create({ title: 'One' })
    await api.delete(`/api/articles/${id}`)
    expect((await to.arrived(1)).map(({ body }) => body.event)).toEqual(['entry.delete'])
  })
})

describe('The events of files', () => {
  it('are media.create, media.update and media.delete', async () => {
    const to = await receiver()
    const { api } = await site(hookTo(to.url))
    const form = new FormData()
    form.set('files', new File(['plain text'], 'note.txt', { type: 'text/plain' }))
    const [file] = (await api.post('/api/upload', { body: form })).body
    const [created] = await to.arrived(1)
    expect(created?.body).toMatchObject({ event: 'media.create', media: { id: file.id, name: 'note.txt' } })
    expect(Object.keys(created?.body)).toEqual(['event', 'createdAt', 'media'])
    const change = new FormData()
    change.set('fileInfo', JSON.stringify({ name: 'renamed.txt' }))
    expect((await api.post(`/api/upload?id=${file.id}`, { body: change })).status).toBe(200)
    expect((await to.arrived(2))[1]?.body).toMatchObject({
      event: 'media.update',
      media: { name: 'renamed.txt' },
    })
    await api.delete(`/api/upload/files/${file.id}`)
    expect((await to.arrived(3))[2]?.body).toMatchObject({ event: 'media.delete', media: { id: file.id } })
  })
})

describe('A delivery', () => {
  it('is signed with each secret by Standard Webhooks, and has the headers of the webhook', async () => {
    const to = await receiver()
    const secrets = [secretOf(1), secretOf(2)]
    const { create } = await site({ ...hookTo(to.url), secrets, headers: { authorization: 'Bearer x' } })
    await create({ title: 'Ünïcode' })
    const [request] = await to.arrived(1)
    if (!request) throw new Error('no request')
    const { headers } = request
    expect(headers['webhook-id']).toMatch(/^msg_\w+$/)
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(3_600)
    expect(headers['webhook-signature']).toBe(
      secrets.map((secret) => expectedSignature(request, secret)).join(' '),
    )
    expect(headers.authorization).toBe('Bearer x')
  })

  it('is repeated with the same id and body until the receiver accepts it', async () => {
    const to = await receiver((index) => [500, 302, 204][index] ?? 204)
    const { octavo, create } = await site(hookTo(to.url))
    await create({ title: 'One' })
    await to.arrived(3)
    await logged(octavo, /entry\.create {2}delivered after 3/)
    expect(new Set(to.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(to.received.map(({ text }) => text)).size).toBe(1)
  })

  it('fails after the last attempt, is logged with the reason, and can be replayed', async () => {
    const to = await receiver((index) => (index < 2 ? 503 : 204))
    const { octavo, create } = await site(hookTo(to.url), { attempts: 2 })
    await create({ title: 'One' })
    const line = await logged(octavo, /failed after 2: the response has status 503/)
    const [id = ''] = line.split(' ')
    expect(await command(octavo, 'webhooks replay', ['999'])).toEqual({
      ok: false,
      lines: ['No deliveries.', 'Not found: 999.'],
    })
    expect(await command(octavo, 'webhooks replay', [])).toMatchObject({ ok: false })
    expect(await command(octavo, 'webhooks replay', [id])).toEqual({ ok: true, lines: [`Due again: ${id}.`] })
    await to.arrived(3)
    await logged(octavo, /delivered after 1/)
    expect(to.received[2]?.headers['webhook-id']).toBe(to.received[0]?.headers['webhook-id'])
  })

  it('is replayed with all others that have failed, also if there are more than a call has arguments', async () => {
    const to = await receiver(() => 204)
    // The upkeep of the start leaves them.
    const { octavo } = await site(hookTo(to.url), { poll: 3_600_000, log: 200_000 })
    await octavo.store.query(
      `insert into octavo_webhook_deliveries (message, webhook, event, body, state, attempts, created_at)
        select 'msg_' || n, 'gone', 'entry.create', '{}', 'failed', 1, now() from generate_series(1, 130000) n`,
    )
    const { ok, lines } = await command(octavo, 'webhooks replay', [], 'failed')
    expect([ok, lines.join().split(', ').length]).toEqual([true, 130_000])
  })

  it('is due again after maxDelay at the latest', async () => {
    const to = await receiver(() => 503)
    const hour = 3_600_000
    const { octavo, create } = await site(hookTo(to.url), { delay: hour, maxDelay: hour })
    for (let i = 0; i < 20; i++) await create({ title: `Entry ${i}` })
    const count = async (condition: string): Promise<number> =>
      Number(
        (
          await octavo.store.query(`select count(*) from octavo_webhook_deliveries where ${condition}`)
        )[0]?.[0],
      )
    await expect.poll(() => count('error is not null')).toBe(20)
    expect(await count("due > now() + interval '1 hour'")).toBe(0)
    expect(await count("due > now() + interval '30 minutes'")).toBe(20)
  })

  it('without a response ends at the timeout', async () => {
    const to = await receiver(() => 0)
    const { octavo, create } = await site(hookTo(to.url), { attempts: 1, timeout: 50 })
    await create({ title: 'One' })
    await logged(octavo, /failed after 1: no response within 50 ms/)
  })

  it('ends when the receiver begins another protocol, and holds up neither the next one nor the end of the server', async () => {
    const to = createTcpServer((socket) => {
      socket
        .on('error', () => {})
        .once('data', () =>
          socket.write(
            'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
          ),
        )
    })
    await once(to.listen(0, '127.0.0.1'), 'listening')
    closing.push(async () => void to.close())
    const { port } = to.address() as AddressInfo // it listens on a port
    const { octavo, create } = await site(hookTo(`http://127.0.0.1:${port}/`), {
      attempts: 1,
      timeout: 3_600_000,
    })
    for (let i = 0; i < 6; i++) await create({ title: `${i}` })
    await logged(octavo, /^6 .* failed after 1: the response has status 101/)
  })

  it('waits for deliveries to the same webhook only: one without responses holds up no other', async () => {
    const fast = await receiver()
    const silent = await startReceiver(() => 0)
    try {
      const hooks = [{ ...hookTo(silent.url), name: 'silent' }, hookTo(fast.url)]
      const { create } = await site(hookTo(fast.url), { webhooks: hooks, timeout: 3_600_000 })
      for (let i = 0; i < 12; i++) await create({ title: `${i}` })
      await fast.arrived(12)
      expect((await silent.arrived(5)).length).toBeLessThan(12)
    } finally {
      await silent.close()
    }
  })

  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://[::127.0.0.1]:1/',
    'http://[::10.0.0.1]:1/',
    'http://2130706433:1/',
    'http://localhost:1/',
  ])('is refused for the private address of %s', async (url) => {
    const { octavo, create } = await site({ name: 'site', url, secrets: [secretOf(1)] }, { attempts: 1 })
    await create({ title: 'One' })
    await logged(
      octavo,
      /failed after 1: the address (127\.0\.0\.1|::\S+) is not allowed, because it is not a public one/,
    )
  })

  it('is stored up to the size of the log once it is finished', async () => {
    const to = await receiver()
    const { octavo, create } = await site(hookTo(to.url), { log: 2 })
    for (let i = 1; i <= 5; i++) {
      await create({ title: `${i}` })
      await to.arrived(i)
      await logged(octavo, new RegExp(`^${i} .* delivered`))
    }
    for (;;) {
      const { lines } = await command(octavo, 'webhooks list', [])
      if (lines.length === 2) break
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })
})

describe('The options', () => {
  async function from(webhook: object, more: object): Promise<void> {
    const database = await createTestDatabase()
    closing.push(database.drop)
    await createServer({
      contentTypes: [article],
      plugins: [webhooks({ webhooks: [{ ...hookTo('https://example.com'), ...webhook }], ...more })],
      database: database.url,
    })
  }
  it.each<[string, object, object, RegExp]>([
    ['a URL that is none', { url: 'example.com' }, {}, /"site".*https:\/\/, not "example.com"/],
    ['no secret', { secrets: [] }, {}, /"site".*at least one secret/],
    ['a secret that is not set', { secrets: [undefined] }, {}, /"site".*secrets\[0\]/],
    ['a short secret', { secrets: ['whsec_c2hvcnQ='] }, {}, /"site".*secrets\[0\] is not whsec_/],
    ['an unknown event', { events: ['entry.created'] }, {}, /no event "entry.created".*"entry.create"/],
    ['an unknown content-type', { types: ['api::articel.article'] }, {}, /no content-type "api::articel/],
    [
      'a header that is not set',
      { headers: { authorization: undefined } },
      {},
      /"site".*authorization is not set/,
    ],
    [
      'a header that is no text',
      { headers: { 'x-n': 5 } },
      {},
      /"site".*headers.x-n is a number, not a text/,
    ],
    ['a header with a line break', { headers: { 'x-n': 'a\nb' } }, {}, /"site".*no header may have: "x-n"/],
    [
      'a header of each request',
      { headers: { 'Transfer-Encoding': 'chunked' } },
      {},
      /"site".*each request sets/,
    ],
    ['a header twice', { headers: { 'X-N': 'a', 'x-n': 'b' } }, {}, /"site".*headers has a name twice/],
    ['headers as a text', { headers: 'x-n: a' }, {}, /"site".*headers is an object, not a string/],
    ['no name', { name: undefined }, {}, /the name of a webhook is a text, not nothing/],
    ['events as a text', { events: 'entry.create' }, {}, /"site".*events is a list, not a string/],
    ['types as a text', { types: 'api::article.article' }, {}, /"site".*types is a list, not a string/],
    ['a name as in the database', { name: '#1' }, {}, /"#1".*begins with #/],
    ['a host that is none', {}, { privateHosts: ['http://localhost'] }, /privateHosts/],
    ['an unknown option', {}, { retries: 3 }, /retries/],
    ['a number out of bounds', {}, { attempts: 0 }, /attempts.*from 1 to/],
  ])('refuse %s', async (_, webhook, more, message) => {
    await expect(from(webhook, more)).rejects.toThrow(message)
  })
})
