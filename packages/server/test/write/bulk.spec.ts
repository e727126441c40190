import { ForbiddenError } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { testEngine } from '@octavo/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

const sites: Site[] = []
const open = async (options: Parameters<typeof openSite>[0]): Promise<Site> => {
  const site = await openSite(options)
  sites.push(site)
  return site
}
afterAll(() => Promise.all(sites.map((site) => site.close())))

const path = '/api/authors/actions/bulk'
const total = async ({ api }: Site): Promise<number> =>
  (await api.get('/api/authors')).body.meta.pagination.total

describe('POST /api/:plural/actions/bulk', () => {
  it('takes 1,000 entries in all, and refuses more with a 413 that names the limit', async () => {
    // The default time is for machines that are not busy with tests.
    const site = await open({ api: { rest: { bulk: { time: 600_000 } } } })
    const create = Array.from({ length: 1_000 }, (_, i) => ({ name: `name ${i}` }))
    const refused = await site.api.post(path, { body: { create, delete: [1] } })
    expect([refused.status, refused.body.error]).toEqual([
      413,
      {
        status: 413,
        name: 'PayloadTooLargeError',
        message: 'A bulk request may write at most 1000 entries; this one has 1001.',
        details: { code: 'body/bulk-too-many' },
      },
    ])
    expect(await total(site)).toBe(1)
    expect((await site.api.post(path, { body: { create } })).status).toBe(200)
    expect(await total(site)).toBe(1_001)
  })

  it('is undone when it takes longer than its time', async () => {
    const slow = definePlugin({
      name: 'slow',
      setup: (host) =>
        host.hook('entry:beforeDelete', () => new Promise((resolve) => setTimeout(resolve, 20))),
    })
    const site = await open({ api: { rest: { bulk: { items: 2, time: 10 } } }, plugins: [slow] })
    const { status, body } = await site.api.post(path, { body: { delete: [1] } })
    expect([status, body.error.details.code, body.error.message]).toEqual([
      413,
      'entry/bulk-time',
      'The writes took longer than 10 ms, and nothing was written. Send fewer entries at once.',
    ])
    expect(await total(site)).toBe(1)
  })

  it('checks rights before the body is read', async () => {
    const site = await open({ api: { rest: { bulk: true } }, access: 'read' })
    const { status, body } = await site.api.post(path, {
      body: '{',
      headers: { 'Content-Type': 'application/json' },
    })
    expect([status, body.error.details.code]).toEqual([403, 'access/read-only'])
  })

  it('requires the right for each kind of write in the body', async () => {
    const updatesOnly = definePlugin({
      name: 'updates-only',
      setup: (host) =>
        host.hook('server:authorize', ({ name }) => {
          if (/author\.(create|delete)$/.test(name)) throw new ForbiddenError('test/no', 'Not that')
        }),
    })
    const site = await open({ api: { rest: { bulk: true } }, plugins: [updatesOnly] })
    const statuses = async (body: object) => (await site.api.post(path, { body })).status
    expect(await statuses({ update: [{ id: 1, name: 'Ada L' }] })).toBe(200)
    expect(await statuses({ update: [{ id: 1, name: 'Ada' }], delete: [1] })).toBe(403)
    expect(await statuses({ create: [{ name: 'B' }] })).toBe(403)
  })
})

describe('POST /api/:singular/actions/bulk of a single type', () => {
  it('creates no entry beside the one that the type has', async () => {
    const { api, server } = await open({ api: { rest: { bulk: true } } })
    const { body } = await api.put('/api/homepage', { body: { data: { title: 'first' } } })
    const send = (lists: object) => api.post('/api/homepage/actions/bulk', { body: lists })
    const refused = await send({ create: [{ title: 'second' }], update: [{ id: body.data.id, title: 'b' }] })
    expect([refused.status, refused.body.error?.details.errors?.[0]?.path]).toEqual([400, ['create']])
    expect((await send({ update: [{ id: body.data.id, title: 'changed' }] })).status).toBe(200)
    const { table } = server.octavo.registry.contentType('api::homepage.homepage')
    expect(await server.octavo.store.query(`select "title" from "${table}"`)).toEqual([['changed']])
  })
})

describe('S-38: Bulk writes of the same entries in opposite orders', () => {
  it('are each written once, and answered in the order of their bodies', async () => {
    let isFirst = true
    let writes = 0
    const paused = definePlugin({
      name: 'paused',
      setup: (host) => {
        const running = host.start((octavo) => octavo)
        const isWaiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        host.hook('entry:beforeUpdate', async () => {
          writes += 1
          if (!isFirst || testEngine() === 'pglite') return
          isFirst = false
          // Until the other one waits for an entry, or has entries of its own.
          while (writes === 1 && (await running().store.query(isWaiting)).length === 0);
        })
      },
    })
    const site = await open({ api: { rest: { bulk: true } }, plugins: [paused] })
    const { created } = (await site.api.post(path, { body: { create: [{ name: 'B' }, { name: 'C' }] } })).body
      .data
    const update = (ids: readonly number[]) =>
      site.api.post(path, { body: { update: ids.map((id) => ({ id, name: `name ${id}` })) } })
    const answers = await Promise.all([update(created), update(created.toReversed())])
    expect(answers.map(({ status, body }) => [status, body.data?.updated])).toEqual([
      [200, created],
      [200, created.toReversed()],
    ])
    // A deadlock would have undone one of them, whose hooks would have run again.
    expect(writes).toBe(4)
  })
})
