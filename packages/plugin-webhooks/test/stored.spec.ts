/** Webhooks that editors make while the server runs. */
import { importData, unrestricted } from '@octavo/core'
import { describeServer } from '@octavo/plugin-openapi'
import { testEngine } from '@octavo/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type DeskSite, openDesk, serve } from './desk.ts'
import { expectedSignature, type Receiver, startReceiver } from './receiver.ts'

const uid = 'api::article.article'
const files = 'plugin::upload.file'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0).reverse()) await close()
})

async function receiver(statusOf?: (index: number) => number): Promise<Receiver> {
  const started = await startReceiver(statusOf)
  closing.push(started.close)
  return started
}

/** A server whose webhooks may lead to these receivers. */
async function desk(...to: readonly Receiver[]): Promise<DeskSite> {
  const site = await openDesk({ privateHosts: to.map(({ url }) => new URL(url).host) })
  closing.push(site.close)
  return site
}

const toSite = (url: string) => ({ name: 'site', url, events: ['entry.create'], types: [uid] })

describe('A webhook that an editor makes', () => {
  it('is signed with the secret of the answer, which is shown once', async () => {
    const to = await receiver()
    const { ada, create } = await desk(to)
    const made = await ada('POST', 'webhooks', { ...toSite(to.url), headers: { Authorization: 'Bearer x' } })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: 1,
      ...toSite(to.url),
      headers: { authorization: null },
      enabled: true,
      attempts: null,
      secrets: 1,
      secret: expect.stringMatching(/^whsec_/),
      createdAt: expect.any(String),
      changedAt: expect.any(String),
    })
    const id = await create({ title: 'One' })
    const [request] = await to.arrived(1)
    if (!request) throw new Error('no request')
    expect(request.body).toMatchObject({ event: 'entry.create', uid, entry: { id, title: 'One' } })
    expect(request.headers.authorization).toBe('Bearer x')
    expect(request.headers['webhook-signature']).toBe(expectedSignature(request, made.body.secret))
    const { secret: _, ...shown } = made.body
    expect((await ada('GET', 'webhooks/1')).body).toEqual(shown)
    expect((await ada('GET', 'webhooks')).body).toEqual({ webhooks: [shown], configured: [] })
  })

  it('is changed, disabled, and deleted with its deliveries', async () => {
    const [one, two] = [await receiver(), await receiver()]
    const { ada, create } = await desk(one, two)
    await ada('POST', 'webhooks', toSite(one.url))
    await create({ title: 'One' })
    await one.arrived(1)
    const changed = await ada('PUT', 'webhooks/1', { name: 'other', url: two.url, attempts: 3 })
    expect(changed.body).toMatchObject({ name: 'other', url: two.url, types: [uid], attempts: 3 })
    await create({ title: 'Two' })
    await two.arrived(1)
    expect((await ada('PUT', 'webhooks/1', { enabled: false })).body.enabled).toBe(false)
    await create({ title: 'Three' })
    await ada('PUT', 'webhooks/1', { enabled: true })
    await create({ title: 'Four' })
    const titles = (await two.arrived(2)).map(({ body }) => body.entry.title)
    expect(titles).toEqual(['Two', 'Four'])
    expect(one.received).toHaveLength(1)
    await expect
      .poll(async () =>
        (await ada('GET', 'webhooks/1/deliveries')).body.map(({ state }: { state: string }) => state),
      )
      .toEqual(['delivered', 'delivered', 'delivered'])
    expect((await ada('DELETE', 'webhooks/1')).body).toEqual({ ok: true })
    expect((await ada('GET', 'webhooks/1')).status).toBe(404)
    expect((await ada('GET', 'webhooks/1/deliveries')).status).toBe(404)
  })

  it('is changed and deleted in the version that the request names', async () => {
    const { ada } = await desk()
    await ada('POST', 'webhooks', toSite('https://example.org/hook'))
    const versionOf = async () => ({
      'If-Match': (await ada('GET', 'webhooks/1')).headers.get('etag') ?? 'none',
    })
    const read = await versionOf()
    const both = await Promise.all(
      [{ name: 'mine' }, { enabled: false }].map((body) => ada('PUT', 'webhooks/1', body, read)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
    expect(both.find(({ status }) => status === 412)?.body.error.details.code).toBe('precondition/changed')
    const done = both.find(({ status }) => status === 200)?.body
    expect((await ada('DELETE', 'webhooks/1', undefined, read)).status).toBe(412)
    expect((await ada('GET', 'webhooks/1')).body).toEqual(done)
    expect((await ada('PUT', 'webhooks/1', { name: 'other' }, await versionOf())).status).toBe(200)
    expect((await ada('DELETE', 'webhooks/1', undefined, await versionOf())).status).toBe(200)
  })

  it('leaves no delivery that another process wrote before it knew of its deletion', async () => {
    const to = await receiver()
    const { ada, create, server } = await desk(to)
    await ada('POST', 'webhooks', toSite(to.url))
    await create({ title: 'One' })
    await to.arrived(1)
    await ada('DELETE', 'webhooks/1')
    const { store } = server.octavo
    await store.query(
      `insert into octavo_webhook_deliveries (message, webhook, event, body, state, attempts, due, created_at) values ('msg_1', '#1', 'entry.create', '{}', 'pending', 0, now(), now())`,
    )
    // As if a minute had passed.
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000)
    await expect
      .poll(() => store.query('select id from octavo_webhook_deliveries'), { timeout: 30_000 })
      .toEqual([])
  })

  it('is told of no publication that was given up while it was disabled', async () => {
    const to = await receiver()
    const { ada, create, server } = await desk(to)
    await ada('POST', 'webhooks', { ...toSite(to.url), events: ['entry.publish'] })
    const publishedAt = '2999-01-01T00:00:00.000Z'
    const [one, two] = [
      await create({ title: 'One', publishedAt }),
      await create({ title: 'Two', publishedAt }),
    ]
    const deliveries = async () =>
      (await ada('GET', 'webhooks/1/deliveries')).body.map(({ event }: { event: string }) => event)
    expect(await deliveries()).toEqual(['entry.publish', 'entry.publish'])
    await ada('PUT', 'webhooks/1', { enabled: false })
    const articles = server.octavo.entries('article', unrestricted('writes the test'))
    await articles.update(one, { publishedAt: null })
    await articles.delete(two)
    await ada('PUT', 'webhooks/1', { enabled: true })
    expect(await deliveries()).toEqual([])
  })

  it('is told of no publication to come that it no longer receives', async () => {
    const to = await receiver()
    const { ada, create } = await desk(to)
    const publish = { url: to.url, events: ['entry.publish'] }
    for (const [name, types] of Object.entries({ one: [uid], two: null, three: [uid, files] }))
      await ada('POST', 'webhooks', { ...publish, name, types })
    await create({ title: 'One', publishedAt: '2999-01-01T00:00:00.000Z' })
    const deliveries = async () =>
      Promise.all([1, 2, 3].map(async (id) => (await ada('GET', `webhooks/${id}/deliveries`)).body.length))
    for (const id of [1, 2, 3]) await ada('PUT', `webhooks/${id}`, { name: `new ${id}` })
    expect(await deliveries()).toEqual([1, 1, 1])
    await ada('PUT', 'webhooks/2', { events: ['entry.create'] })
    await ada('PUT', 'webhooks/3', { types: [files] })
    expect(await deliveries()).toEqual([1, 0, 0])
  })

  it('is tried as often as it says', async () => {
    const to = await receiver(() => 503)
    const { ada, create } = await desk(to)
    await ada('POST', 'webhooks', { ...toSite(to.url), attempts: 2 })
    await create({ title: 'One' })
    await expect
      .poll(async () => (await ada('GET', 'webhooks/1/deliveries')).body[0])
      .toMatchObject({ state: 'failed', attempts: 2, status: 503, error: 'the response has status 503' })
    expect(to.received).toHaveLength(2)
  })

  it('gets another secret, beside the former one or in its place', async () => {
    const to = await receiver()
    const { ada, create } = await desk(to)
    const { secret: first } = (await ada('POST', 'webhooks', toSite(to.url))).body
    const { secret: second } = (await ada('POST', 'webhooks/1/secret')).body
    await create({ title: 'One' })
    const [both] = await to.arrived(1)
    if (!both) throw new Error('no request')
    expect(both.headers['webhook-signature']).toBe(
      [second, first].map((secret) => expectedSignature(both, secret)).join(' '),
    )
    const { secret: third } = (await ada('POST', 'webhooks/1/secret', { endFormer: true })).body
    await create({ title: 'Two' })
    const request = (await to.arrived(2))[1]
    if (!request) throw new Error('no request')
    expect(request.headers['webhook-signature']).toBe(expectedSignature(request, third))
  })

  it('is tested with one request, whose outcome is the answer', async () => {
    const to = await receiver((index) => [204, 418][index] ?? 204)
    const { ada } = await desk(to)
    const { secret } = (await ada('POST', 'webhooks', toSite(to.url))).body
    expect((await ada('POST', 'webhooks/1/test')).body).toEqual({ status: 204, error: null })
    const [request] = to.received
    expect(request?.body).toEqual({ event: 'trigger-test', createdAt: expect.any(String) })
    expect(request && expectedSignature(request, secret)).toBe(request?.headers['webhook-signature'])
    expect((await ada('POST', 'webhooks/1/test')).body).toEqual({
      status: 418,
      error: 'the response has status 418',
    })
  })

  it('is refused with wrong values', async () => {
    const { ada } = await desk()
    await ada('POST', 'webhooks', { ...toSite('https://example.org/a'), name: 'taken' })
    const wrong: readonly [object, RegExp][] = [
      [{ name: ' ' }, /^name must be a text/],
      [{ name: 'taken' }, /already a webhook/],
      [{ name: undefined }, /^name is a required field/],
      [{ url: 'ftp://example.org' }, /^url must begin with https:\/\/ or http:\/\/,/],
      [{ url: 'https://a:b@example.org' }, /^url must have no password/],
      [{ events: ['entry.created'] }, /^events has no event "entry.created"/],
      [{ events: [] }, /^events must be a list/],
      [{ types: ['api::a.a'] }, /^types has the content-type "api::a.a"/],
      [{ attempts: 1_000 }, /^attempts must be a whole number from 1 to 50/],
      [{ enabled: 'no' }, /^enabled must be true or false/],
      [{ headers: ['x'] }, /^headers must be an object/],
      // It would be sent all events.
      [{ event: ['entry.create'] }, /^event is no field here; did you mean "events"\?$/],
    ]
    for (const [given, message] of wrong) {
      const refused = await ada('POST', 'webhooks', { ...toSite('https://example.org/b'), ...given })
      expect(refused.status).toBe(400)
      expect(refused.body.error.message).toMatch(message)
    }
    // A client may send back the record that it read.
    const { body: read } = await ada('GET', 'webhooks/1')
    expect(await ada('PUT', 'webhooks/1', { ...read, enabled: false })).toMatchObject({ status: 200 })
    const refused = await ada('PUT', 'webhooks/1', { enable: true })
    expect(refused.body.error.message).toBe('enable is no field here; did you mean "enabled"?')
    // The former secret would stay.
    const { status, body } = await ada('POST', 'webhooks/1/secret', { endformer: true })
    expect([status, body.error?.message]).toEqual([
      400,
      'endformer is no field here; did you mean "endFormer"?',
    ])
  })

  it('comes back from a data file, with its secrets', async () => {
    const { server, ada } = await desk()
    await ada('POST', 'webhooks', { ...toSite('https://example.org/a'), headers: { 'X-Key': 'k' } })
    const { store, sections } = server.octavo
    const section = sections.get('webhooks')
    const items = await store.transaction((tx) => section?.export(tx) ?? Promise.resolve([]))
    expect(items).toEqual([
      {
        id: 1,
        ...toSite('https://example.org/a'),
        headers: { 'x-key': 'k' },
        enabled: true,
        attempts: null,
        secrets: [expect.stringMatching(/^whsec_/)],
      },
    ])
    const before = (await ada('GET', 'webhooks/1')).body
    await ada('DELETE', 'webhooks/1')
    await store.transaction((tx) => section?.import(items, tx) ?? Promise.resolve())
    expect((await ada('GET', 'webhooks/1')).body).toEqual({
      ...before,
      createdAt: expect.any(String),
      changedAt: expect.any(String),
    })
    expect(await store.transaction((tx) => section?.export(tx) ?? Promise.resolve([]))).toEqual(items)
    const wrong = [{ id: 2, name: 'x', url: 'https://example.org', secrets: ['whsec_short'] }]
    await expect(store.transaction(async (tx) => section?.import(wrong, tx))).rejects.toThrow(
      /webhooks\[0\]\.secrets/,
    )
  })

  it('is not written over by another one of a data file', async () => {
    const { server, ada } = await desk()
    await ada('POST', 'webhooks', toSite('https://example.org/a'))
    const before = (await ada('GET', 'webhooks')).body
    const item = { id: 1, name: 'other', url: 'https://example.org/b' }
    const { name } = before.webhooks[0]
    const load = (...webhooks: object[]) => importData(server.octavo, { webhooks } as never)
    await expect(load(item)).rejects.toThrow(
      `Nothing was imported: webhooks[0]: the id 1 is that of the webhook "${name}".`,
    )
    await expect(load({ ...item, id: 2, name })).rejects.toThrow('webhooks[0].name is that of the webhook 1.')
    await expect(
      load({ ...item, id: 2 }, { ...item, id: 2, name: 'c', url: 'https://example.org/c' }),
    ).rejects.toThrow('webhooks[1] (id 2): webhooks[0] has the same id.')
    expect((await ada('GET', 'webhooks')).body).toEqual(before)
    await load({ ...item, url: 'https://example.org/a' })
    expect((await ada('GET', 'webhooks/1')).body.name).toBe('other')
  })

  it('is in the description of the API, for the session of an editor', async () => {
    const { server } = await desk()
    const { paths } = describeServer(server) as { readonly paths: Readonly<Record<string, object>> }
    const described = Object.entries(paths).flatMap(([path, item]) =>
      path.startsWith('/desk/api/webhooks')
        ? Object.entries(item)
            .filter(([method]) => method !== 'parameters')
            .map(([method, { security }]) => `${method} ${path} ${JSON.stringify(security)}`)
        : [],
    )
    const session = '[{"deskSession":[]}]'
    expect(described.sort()).toEqual([
      `delete /desk/api/webhooks/{id} ${session}`,
      `get /desk/api/webhooks ${session}`,
      `get /desk/api/webhooks/{id} ${session}`,
      `get /desk/api/webhooks/{id}/deliveries ${session}`,
      `post /desk/api/webhooks ${session}`,
      `post /desk/api/webhooks/{id}/secret ${session}`,
      `post /desk/api/webhooks/{id}/test ${session}`,
      `put /desk/api/webhooks/{id} ${session}`,
    ])
  })
})

describe('S-66: A webhook', () => {
  it('is no way to read what its maker may not read', async () => {
    const { ada, hire } = await desk()
    const own = { createdBy: '$editor.id' }
    const half = await hire('half', [
      { action: 'webhooks' },
      { action: 'read', type: uid, where: own },
      { action: 'read', type: files },
    ])
    expect((await half('GET', 'me')).body.may).toMatchObject({ webhooks: true, tokens: false })
    const wanted = toSite('https://example.org/a')
    const refused = [
      wanted,
      { ...wanted, types: null },
      { ...wanted, types: undefined },
      { ...wanted, events: undefined },
      { ...wanted, types: ['plugin::editors.editor'] },
    ]
    for (const body of refused) expect((await half('POST', 'webhooks', body)).status).toBe(403)
    expect((await half('POST', 'webhooks', { ...wanted, events: ['media.create'] })).status).toBe(201)

    const all = await hire('all', [{ action: 'webhooks' }, { action: 'read', type: uid }])
    expect((await all('POST', 'webhooks', { ...wanted, name: 'b' })).status).toBe(201)
    expect((await all('POST', 'webhooks', { ...wanted, name: 'c', events: ['media.create'] })).status).toBe(
      403,
    )

    // Those of others, with more than one's own.
    await ada('POST', 'webhooks', { ...wanted, name: 'd', types: null })
    for (const body of [{ url: 'https://evil.example' }, { types: [uid] }, { enabled: true }])
      expect((await all('PUT', 'webhooks/3', body)).status).toBe(403)
    expect((await all('POST', 'webhooks/3/secret')).status).toBe(403)
    expect((await half('PUT', 'webhooks/2', { url: 'https://evil.example' })).status).toBe(403)
  })

  it('is nothing for those without the right', async () => {
    const { ada, hire, url } = await desk()
    await ada('POST', 'webhooks', toSite('https://example.org/a'))
    const reader = await hire('reader', [{ action: 'read', type: uid }])
    for (const [method, path] of [
      ['GET', 'webhooks'],
      ['POST', 'webhooks'],
      ['GET', 'webhooks/1'],
      ['PUT', 'webhooks/1'],
      ['DELETE', 'webhooks/1'],
      ['POST', 'webhooks/1/secret'],
      ['POST', 'webhooks/1/test'],
      ['GET', 'webhooks/1/deliveries'],
    ] as const) {
      expect([method, path, (await reader(method, path, method === 'GET' ? undefined : {})).status]).toEqual([
        method,
        path,
        403,
      ])
      expect((await fetch(`${url}/desk/api/${path}`, { method, headers: { origin: url } })).status).toBe(401)
    }
    expect((await fetch(`${url}/api/webhooks`)).status).toBe(404)
  })

  it('keeps its headers from another server', async () => {
    const { ada } = await desk()
    const headers = { Authorization: 'Bearer x' }
    await ada('POST', 'webhooks', { ...toSite('https://example.org/a'), headers })
    for (const body of [
      {},
      { headers: { authorization: null } },
      { headers: { 'x-more': 'y', Authorization: null } },
    ])
      expect(
        (await ada('PUT', 'webhooks/1', { url: 'https://evil.example/a', ...body })).body.error,
      ).toMatchObject({
        message: 'headers must be sent again with the address of another server',
      })
    expect((await ada('PUT', 'webhooks/1', { url: 'https://example.org/b' })).status).toBe(200)
    const moved = await ada('PUT', 'webhooks/1', { url: 'https://other.example/a', headers: {} })
    expect(moved.body).toMatchObject({ url: 'https://other.example/a', headers: {} })
  })
})

describe('S-67: A webhook', () => {
  it('leads to no private address, in a test nor in a delivery', async () => {
    const { server, ada, create } = await desk()
    const refused = 'the address is not a public one'
    const urls = [
      'http://127.0.0.1:1/',
      'http://[::1]:1/',
      'http://[::10.0.0.1]:1/',
      'http://169.254.169.254/latest/meta-data',
      'http://2130706433:1/',
      'http://localhost:1/',
    ]
    for (const [i, url] of urls.entries()) {
      await ada('POST', 'webhooks', { ...toSite(url), name: url, attempts: 1 })
      const { body } = await ada('POST', `webhooks/${i + 1}/test`)
      expect([url, body]).toEqual([url, { status: null, error: refused }])
    }
    await create({ title: 'One' })
    for (const i of urls.keys())
      await expect
        .poll(async () => (await ada('GET', `webhooks/${i + 1}/deliveries`)).body[0])
        .toMatchObject({ state: 'failed', status: null, error: refused })
    // Whoever runs the server reads which address it is, and what would allow it.
    const lines: string[] = []
    const { commands } = server.octavo
    await commands.get('webhooks list')?.run(server.octavo, new Set(), (line) => lines.push(line))
    expect(lines).toHaveLength(urls.length)
    for (const line of lines)
      expect(line).toMatch(
        / failed after 1: the address [\d.:a-f]+ is not allowed, because it is not a public one; privateAddresses of a webhook, or privateHosts, would allow it$/,
      )
  })

  it('leads to a private host only where the configuration names it, with its port', async () => {
    const [named, other] = [await receiver(), await receiver()]
    const { ada } = await desk(named)
    await ada('POST', 'webhooks', { ...toSite(named.url), name: 'a' })
    await ada('POST', 'webhooks', { ...toSite(other.url), name: 'b' })
    expect((await ada('POST', 'webhooks/1/test')).body.status).toBe(204)
    expect((await ada('POST', 'webhooks/2/test')).body.error).toBe('the address is not a public one')
    expect(other.received).toEqual([])
  })

  it('takes no header of the connection, and none that begins another one', async () => {
    const { ada } = await desk()
    const names = [
      'Host',
      'Transfer-Encoding',
      'content-length',
      'Connection',
      'proxy-authorization',
      'x\r\ny',
      '',
    ]
    const wrong = [
      ...names.map((name) => ({ [name]: 'x' })),
      { 'x-a': 'b\r\nhost: c' },
      { 'x-a': 'b', 'X-A': 'c' },
      { 'x-a': ['b'] },
    ]
    for (const headers of wrong) {
      const { status } = await ada('POST', 'webhooks', { ...toSite('https://example.org/a'), headers })
      expect([headers, status]).toEqual([headers, 400])
    }
  })

  it('does not follow a redirect, nor shows the answer', async () => {
    const to = await receiver(() => 302)
    const { ada } = await desk(to)
    await ada('POST', 'webhooks', toSite(to.url))
    expect((await ada('POST', 'webhooks/1/test')).body).toEqual({
      status: 302,
      error: 'the response has status 302',
    })
    expect(to.received).toHaveLength(1)
  })
})

// An embedded database belongs to one process.
describe.runIf(testEngine() === 'postgresql')('Another server of the database', () => {
  it('learns of a new webhook, and of its end', async () => {
    const to = await receiver()
    const { ada, database } = await desk(to)
    const other = await serve(database)
    closing.push(() => other.close())
    const write = () => other.octavo.entries('article').create({ title: 'One' })
    await ada('POST', 'webhooks', toSite(to.url))
    await expect
      .poll(async () => {
        await write()
        return to.received.length > 0
      })
      .toBe(true)
    await ada('DELETE', 'webhooks/1')
    const waiting = async () =>
      Number((await other.octavo.store.query('select count(*) from octavo_webhook_deliveries'))[0]?.[0])
    // It writes no event any more, once it knows.
    await expect
      .poll(async () => {
        const before = await waiting()
        await write()
        return (await waiting()) <= before
      })
      .toBe(true)
  })
})
