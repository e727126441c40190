/** A table that is locked, and more requests than the database can answer. */
import { createOctavo, type FilterOperator, type Octavo, sql } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { testEngine } from '@octavo/testing'
import { describe, expect, it, vi } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

/** Runs `work` while another connection locks the table of articles. */
async function whileLocked(site: Site, work: () => Promise<void>): Promise<void> {
  const other = await createOctavo({ database: site.database })
  try {
    await other.store.transaction(async (tx) => {
      await tx.query('lock table articles in access exclusive mode')
      await work()
    })
  } finally {
    await other.close()
  }
}

async function untilWaiting({ server: { octavo } }: Site, count: number): Promise<void> {
  while (waitingIn(octavo) < count) await new Promise((resolve) => setTimeout(resolve, 10))
}
const waitingIn = (octavo: Octavo): number => octavo.figures().connections?.waiting ?? 0

describe.runIf(testEngine() === 'postgresql')('While the table of one content-type is locked', () => {
  it('requests of the others are answered, and the server is ready, but busy', async () => {
    const site = await openSite({ connections: 10, limits: { queueTime: 1_000_000_000 } })
    const locked: Promise<{ status: number }>[] = []
    await whileLocked(site, async () => {
      for (let i = 0; i < 30; i++) locked.push(site.api.get('/api/articles'))
      await untilWaiting(site, 20)
      for (let i = 0; i < 10; i++) expect((await site.api.get('/api/homepage')).status).toBe(404)
      expect((await site.api.get('/_health')).status).toBe(204)
      expect(await site.api.get('/_health/ready')).toMatchObject({
        status: 200,
        body: { status: 'busy', database: 'up' },
      })
    })
    for (const { status } of await Promise.all(locked)) expect(status).toBe(200)
    await site.close()
  })

  it('requests beyond the queue are refused at once, and the others are answered', async () => {
    const site = await openSite({ connections: 1, limits: { queueTime: 1_000_000_000 } })
    const locked: Promise<{ status: number }>[] = []
    await whileLocked(site, async () => {
      for (let i = 0; i < 101; i++) locked.push(site.api.get(`/api/articles?pagination[start]=${i}`))
      await untilWaiting(site, 100)
      const { status, headers, body } = await site.api.get('/api/articles')
      expect(status).toBe(503)
      expect(headers.get('retry-after')).toBe('1')
      expect(body.error).toMatchObject({
        name: 'ServiceUnavailableError',
        message: 'The server is busy: too many requests wait for the database. Try again.',
        details: { code: 'database/queue-full' },
      })
      // In one line a second: a busy server refuses hundreds.
      await vi.waitFor(
        () =>
          expect(site.log.findLast(({ level }) => level === 'warn')?.fields).toEqual({
            refusals: { 'database/queue-full': 1 },
          }),
        20_000,
      )
      expect(site.log.filter(({ level }) => level === 'error')).toEqual([])
      // Health has a connection of its own.
      expect((await site.api.get('/_health')).status).toBe(204)
    })
    for (const { status } of await Promise.all(locked)) expect(status).toBe(200)
    await site.close()
  })

  it('requests like a refused one are refused before any work, while their queue is full', async () => {
    const site = await openSite({ connections: 1, limits: { queueTime: 1_000_000_000 } })
    const get = (path: string, headers = {}) => site.api.get(path, { headers })
    const locked: Promise<{ status: number }>[] = []
    await whileLocked(site, async () => {
      for (let i = 0; i < 101; i++) locked.push(get(`/api/articles?pagination[start]=${i}`))
      await untilWaiting(site, 100)
      // A machine that is busy may take longer for a request than the refusal of the one before is remembered.
      await vi.waitFor(async () => {
        const first = await get('/api/articles/1')
        const next = await get('/api/articles/2')
        expect(first.status).toBe(503)
        expect([next.status, next.headers.get('retry-after'), next.body]).toEqual([503, '1', first.body])
        // The server that answers sets it for each request.
        expect(next.headers.has('x-request-id')).toBe(false)
      }, 20_000)
      for (const [path, headers] of [
        ['/api/authors/1', {}],
        ['/api/articles', {}],
        ['/api/articles/1', { cookie: 'who=another' }],
      ] as const) {
        const { status, headers: answered } = await get(path, headers)
        expect([status, answered.has('x-request-id')]).toEqual([503, true])
      }
      expect((await get('/_health')).status).toBe(204)
    })
    for (const { status } of await Promise.all(locked)) expect(status).toBe(200)
    expect((await get('/api/articles/1')).status).toBe(200)
    await site.close()
  })
})

/** An operator that takes as many milliseconds as its operand for each row. */
const slowly: FilterOperator<number, '$slow'> = {
  on: ['string'],
  meaning: 'is compared slowly',
  example: '1',
  read: Number,
  sql: (value, milliseconds) =>
    sql`${value} is not null and pg_sleep(${milliseconds}::float8 / 1000) is not null`,
}
const slow = definePlugin({ name: 'slow', setup: (host) => host.operator('$slow', slowly as never) })

/** The number of a lock. */
const held = 38

/** Routes that name no caller: the statement of one takes half a second, that of the other waits for a lock. */
const slowRoutes = definePlugin({
  name: 'slow-routes',
  setup: (host) => {
    const octavo = host.start((octavo) => octavo)
    const statements = {
      '/slow': sql`select pg_sleep(0.5)`,
      '/waits': sql`select pg_advisory_xact_lock_shared(${held}::int8)`,
    }
    host.hook('server:routes', (routes) => {
      for (const [path, statement] of Object.entries(statements))
        routes.add({
          method: 'GET',
          path,
          handler: async (context) => {
            await octavo().store.run(statement)
            context.status = 204
          },
        })
    })
  },
})

/** Runs `work` while another connection holds the lock. */
async function whileHeld(site: Site, work: () => Promise<void>): Promise<void> {
  const other = await createOctavo({ database: site.database })
  try {
    await other.store.session(async (run) => {
      await run(`select pg_advisory_lock(${held})`)
      await work()
      await run(`select pg_advisory_unlock(${held})`)
    })
  } finally {
    await other.close()
  }
}

describe.runIf(testEngine() === 'postgresql')('S-38: While 25 addresses send slow requests', () => {
  it.each([
    ['reads', 'articles?filters[id]=1&filters[title][$slow]=500'],
    ['routes of a plugin with statements of its own', 'slow'],
  ])('the request of another one is answered before those that wait: %s', async (_, path) => {
    const site = await openSite({
      connections: 10,
      limits: { queueTime: 1_000_000_000 },
      plugins: [slow, slowRoutes],
      proxies: 1,
    })
    const from = (address: string, path: string) =>
      site.api.get(`/api/${path}`, { headers: { 'X-Forwarded-For': address } })
    const attack = Array.from({ length: 25 }, (_, i) => from(`192.0.2.${i}`, path))
    await untilWaiting(site, 15)
    const list = await from('198.51.100.1', 'articles?sort=title')
    const waiting = waitingIn(site.server.octavo)
    expect([list.status, list.body.data.length]).toEqual([200, 3])
    expect(waiting).toBeGreaterThan(5)
    for (const { status } of await Promise.all(attack)) expect(status).toBeLessThan(300)
    await site.close()
  })

  it('addresses of one /64 network are one caller', async () => {
    const site = await openSite({
      connections: 10,
      limits: { queueTime: 1_000_000_000 },
      plugins: [slowRoutes],
      proxies: 1,
    })
    const from = (address: string, path: string) =>
      site.api.get(`/api/${path}`, { headers: { 'X-Forwarded-For': address } })
    const attack: Promise<{ status: number }>[] = []
    await whileHeld(site, async () => {
      for (let i = 0; i < 20; i++) attack.push(from(`2001:db8::${i.toString(16)}`, 'waits'))
      // Of the connections for statements that never ran, seven, one remains for others.
      await untilWaiting(site, 14)
      const list = await from('2001:db8:0:1::1', 'articles?sort=title')
      expect([list.status, waitingIn(site.server.octavo)]).toEqual([200, 14])
    })
    for (const { status } of await Promise.all(attack)) expect(status).toBe(204)
    await site.close()
  })
})

/** Each write of an article takes 300 ms, as on a disk that others keep busy. */
const slowDisk = `
  create function slow_disk() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$;
  create trigger slow_disk before insert on articles for each row execute function slow_disk()`

describe.runIf(testEngine() === 'postgresql')('While the database is slow', () => {
  it('as many requests as a small site has are slow, and none is refused', async () => {
    const site = await openSite({ connections: 5 })
    await site.server.octavo.store.session((run) => run(slowDisk))
    const client = async (): Promise<number[]> => {
      const statuses: number[] = []
      for (let i = 0; i < 4; i++)
        statuses.push((await site.api.post('/api/articles', { body: { data: { title: 'Slow' } } })).status)
      return statuses
    }
    const statuses = (await Promise.all(Array.from({ length: 16 }, client))).flat()
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    await site.close()
  })
})
