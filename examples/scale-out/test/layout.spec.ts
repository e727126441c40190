import { type Client, createClient, testEngine } from '@octavo/testing'
import { Client as PgClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Layout, missing, startLayout } from './support/layout.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

// The layout needs a PostgreSQL of its own, so the engine of the run does not matter: it runs once.
const isRequired = process.env.OCTAVO_TEST_SERVERS === 'required'
const isSkipped = (missing.length > 0 && !isRequired) || testEngine() === 'pglite'
const title = `The layout of compose.yaml${missing.length > 0 ? ` (not installed: ${missing.join(', ')})` : ''}`

describe.skipIf(isSkipped)(title, () => {
  let layout: Layout
  let api: Client
  let login: Readonly<Record<string, string>>
  let id: number
  beforeAll(async () => {
    layout = await startLayout()
    api = createClient(layout.url)
    const account = { username: 'ada', email: 'ada@example.org', password: 'difference engine' }
    const { status, body } = await api.post('/api/auth/local/register', { body: account })
    expect(status, JSON.stringify(body)).toBe(200)
    login = { authorization: `Bearer ${body.jwt}` }
    const made = await api.post('/api/articles', {
      headers: login,
      body: { data: { title: 'First', publishedAt: new Date().toISOString() } },
    })
    expect(made.status, made.text).toBe(200)
    id = made.body.data.id
  })
  afterAll(async () => {
    await layout?.close()
  })

  const onReplica = async (text: string): Promise<void> => {
    const client = new PgClient({ connectionString: layout.replica })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  const read = async (headers: Readonly<Record<string, string>> = {}) => {
    const answer = await api.get(`/api/articles/${id}`, { headers })
    expect(answer.status, answer.text).toBe(200)
    return { title: answer.body.data.attributes.title as string, cache: answer.headers.get('x-cache') }
  }
  const write = async (title: string) => {
    const answer = await api.put(`/api/articles/${id}`, { headers: login, body: { data: { title } } })
    expect(answer.status, answer.text).toBe(200)
    return answer.headers.get('x-octavo-position') ?? ''
  }
  const patience = { timeout: 120_000, interval: 20 }
  /** Waits until a read is answered from the cache. The tags of a write are purged twice, so that it may be removed once more. */
  const untilCached = (title: string) => expect.poll(() => read(), patience).toEqual({ title, cache: 'hit' })

  it('answers strangers from the cache, and a write removes what it changed', async () => {
    await untilCached('First')
    await api.get('/api/articles?fields=publishedAt')
    await write('Second')
    await untilCached('Second')
  })

  it('shows a session its own write, and strangers too, while the replica lags', async () => {
    await onReplica('select pg_wal_replay_pause()')
    try {
      const position = await write('Third')
      expect(await read({ ...login, 'x-octavo-position': position })).toMatchObject({ title: 'Third' })
      expect(await read({ ...login, cookie: `octavo_position=${position}` })).toMatchObject({
        title: 'Third',
      })
      await expect.poll(async () => (await read()).title, patience).toBe('Third')
      // Without a position, an uncached read comes from the replica.
      expect(await read(login)).toMatchObject({ title: 'Second' })
    } finally {
      await onReplica('select pg_wal_replay_resume()')
    }
    await expect.poll(async () => (await read(login)).title, patience).toBe('Third')
  })

  it('counts attempts of logins over all servers', async () => {
    const attempt = async () =>
      (await api.post('/api/auth/local', { body: { identifier: 'ada@example.org', password: 'wrong' } }))
        .status
    const answers: number[] = []
    for (let i = 0; i < 12; i++) answers.push(await attempt())
    expect(answers).toEqual([
      ...Array.from({ length: 5 }, () => 400),
      ...Array.from({ length: 7 }, () => 429),
    ])
  })

  it('answers every read and repeats no write when a server is killed', async () => {
    let isOver = false
    const statuses: number[] = []
    const reading = Array.from({ length: 6 }, async (_, i) => {
      while (!isOver) {
        // The login passes the cache, so each read reaches a server.
        const { status } = await api.get(`/api/articles?pagination[pageSize]=${i + 1}`, { headers: login })
        statuses.push(status)
      }
    })
    const before = statuses.length
    const [killed] = layout.servers.values()
    await expect.poll(() => statuses.length, patience).toBeGreaterThan(before + 60)
    await killed?.stop('SIGKILL')
    const from = statuses.length
    // Writes after the end of the server: none of them was in flight on it.
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        api.post('/api/articles', { headers: login, body: { data: { title: `Made ${i}` } } }),
      ),
    )
    await expect.poll(() => statuses.length, patience).toBeGreaterThan(from + 60)
    isOver = true
    await Promise.all(reading)
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(statuses)).toEqual(new Set([200]))
    const count = await api.get('/api/articles?publicationState=preview&filters[title][$startsWith]=Made', {
      headers: { ...login, 'x-octavo-position': 'primary' },
    })
    expect(count.body.meta.pagination.total).toBe(12)
  })
})
