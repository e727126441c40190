import {
  ConfigurationError,
  defineContentType,
  type Logger,
  type OctavoError,
  silentLogger,
  sql,
} from '@octavo/core'
import { createServer, type Server, type ServerOptions } from '@octavo/server'
import { type Client, createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { Client as PgClient } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PgBouncer, startPgBouncer } from './support/pgbouncer.ts'
import { find, versionOf } from './support/processes.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' }, views: { type: 'integer' } },
})

/** A slow machine takes longer for 400 reads on three connections than the usual waits, that of statements which were slow at first among them. */
const limits = { queueTime: 300_000, connectionTime: 300_000 }

/** All that are here: Debian 12 has 1.18, and `.ci/run` builds a later one, which keeps track of named statements. */
const programs = [...new Set([find('pgbouncer'), '/usr/sbin/pgbouncer'])].filter(
  (file) => file !== undefined && find('pgbouncer') !== undefined,
)
const cases =
  programs.length > 0
    ? programs.map((file) => [versionOf(file ?? ''), file] as const)
    : [['PgBouncer (not installed)', undefined] as const]

const isRequired = process.env.OCTAVO_TEST_SERVERS === 'required'

describe.skipIf(testEngine() === 'pglite' || (programs.length === 0 && !isRequired)).each(cases)(
  '%s in transaction mode',
  (version, program = '') => {
    const tracksNames = Number(/1\.(\d+)/.exec(version)?.[1]) >= 21
    const warnings: string[] = []
    const logger: Logger = {
      ...silentLogger,
      warn: (_, message) => void warnings.push(message),
      child: () => logger,
    }
    const closing: (() => Promise<unknown>)[] = []
    let direct: string
    let bouncer: PgBouncer
    beforeEach(async () => {
      const database = await createTestDatabase()
      closing.push(database.drop)
      direct = database.url
      bouncer = await startPgBouncer(program, direct)
      closing.push(bouncer.close)
    })
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close()
      warnings.length = 0
    })

    /** Runs statements on the server itself. */
    const run = async (text: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
      const client = new PgClient({ connectionString: direct })
      await client.connect()
      try {
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    }
    const create = (options: ServerOptions = {}): Promise<Server> =>
      createServer({
        contentTypes: [article],
        database: bouncer.url,
        directDatabase: direct,
        connections: 8,
        limits,
        access: 'open',
        logger,
        ...options,
      })
    const giveSettings = async (): Promise<void> => {
      const refused = await create().catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(ConfigurationError)
      const statements = String(refused).split('\n').slice(1)
      expect(statements.join('\n')).toContain("set statement_timeout to '15000';")
      await run(statements.join('\n'))
      await bouncer.command('RECONNECT')
    }
    const open = async (
      options?: ServerOptions,
    ): Promise<{ readonly server: Server; readonly api: Client }> => {
      const server = await create(options)
      closing.push(() => server.close())
      return { server, api: createClient((await server.listen(0, '127.0.0.1')).url) }
    }

    it('serves reads and writes of two servers on three connections', async () => {
      await giveSettings()
      const [one, two] = [await open(), await open()]
      const made = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          (i % 2 ? one : two).api.post('/api/articles', { body: { data: { title: `t${i}`, views: i } } }),
        ),
      )
      expect(made.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
      const paths = [
        'sort=views',
        'filters[views][$gt]=20',
        'fields=title',
        'pagination[pageSize]=5&sort=id:desc',
      ]
      const answers = await Promise.all(
        Array.from({ length: 400 }, (_, i) => (i % 2 ? one : two).api.get(`/api/articles?${paths[i % 4]}`)),
      )
      expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(4)
      expect(one.server.octavo.figures().connections?.named).toBeGreaterThanOrEqual(tracksNames ? 4 : 0)
      if (!tracksNames) expect(one.server.octavo.figures().connections?.named).toBe(0)
      const [{ n } = {}] = await run(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name in ('octavo', 'octavo-health')`,
      )
      expect(n).toBeLessThanOrEqual(3)
      expect(warnings.filter((line) => line.includes('pooler'))).toEqual([])
    })

    it('drops the names of statements without errors', async () => {
      await giveSettings()
      const { store } = (await open()).server.octavo
      for (let i = 0; i < 320; i++)
        for (let use = 0; use < 3; use++)
          expect(await store.execute({ text: `select ${i} as many`, values: [] })).toEqual([[`${i}`]])
      const evicted = store.connections()?.evicted
      if (tracksNames) expect(evicted).toBeGreaterThan(0)
      else expect(evicted).toBe(0)
      expect(await store.execute({ text: 'select 0 as many', values: [] })).toEqual([['0']])
    })

    it('keeps the limit of statements, and cancels those whose client has gone', async () => {
      await giveSettings()
      const { store } = (await open()).server.octavo
      const settings = await Promise.all(
        Array.from({ length: 20 }, () =>
          store.run(sql`select current_setting('statement_timeout') as "limit"`),
        ),
      )
      expect(new Set(settings.map(([row]) => row?.limit))).toEqual(new Set(['15s']))
      const leaving = new AbortController()
      const slow = store
        .execute({ text: 'select pg_sleep(14)', values: [] }, { signal: leaving.signal })
        .catch((error: unknown) => error)
      const sleeping = async () =>
        (
          await run(
            `select 1 from pg_stat_activity where query = 'select pg_sleep(14)' and state = 'active' and datname = current_database()`,
          )
        ).length
      await expect.poll(sleeping, { timeout: 60_000 }).toBe(1)
      leaving.abort()
      expect(await slow).toMatchObject({ code: 'database/abandoned' } satisfies Partial<OctavoError>)
      await expect.poll(sleeping, { timeout: 60_000 }).toBe(0)
    })

    it('lets notifications through, on the direct connection', async () => {
      await giveSettings()
      const [one, two] = [await open(), await open()]
      await one.server.addContentType({
        kind: 'collectionType',
        info: { singularName: 'tag', pluralName: 'tags' },
        attributes: { name: { type: 'string' } },
      })
      await expect.poll(async () => (await two.api.get('/api/tags')).status, { timeout: 60_000 }).toBe(200)
    })

    it('is part of the health of a server', async () => {
      await giveSettings()
      const { api } = await open()
      const ready = async () => (await api.get('/_health/ready')).status
      expect(await ready()).toBe(200)
      await bouncer.kill()
      await expect.poll(ready, { timeout: 60_000 }).toBe(503)
      expect((await api.get('/api/articles')).status).toBe(503)
      await bouncer.startAgain()
      await expect.poll(ready, { timeout: 60_000 }).toBe(200)
      expect((await api.get('/api/articles')).status).toBe(200)
    })

    it('may freeze: requests that wait for it are 503 after the limits of time, and it serves the next ones once it goes on', async () => {
      await giveSettings()
      // The tables are there before the limit is short, since a slow machine takes seconds to make them.
      await (await create()).close()
      const { api } = await open({ limits: { ...limits, transactionTime: 10_000 } })
      expect((await api.get('/api/articles')).status).toBe(200)
      bouncer.freeze()
      try {
        expect(await api.get('/api/articles')).toMatchObject({
          status: 503,
          body: { error: { details: { code: 'database/unavailable' } } },
        })
      } finally {
        bouncer.thaw()
      }
      await expect.poll(async () => (await api.get('/api/articles')).status, { timeout: 60_000 }).toBe(200)
    }, 300_000)

    it('is noticed without the option', async () => {
      await giveSettings()
      const server = await createServer({ contentTypes: [article], database: bouncer.url, logger })
      await expect
        .poll(() => warnings, { timeout: 60_000 })
        .toContainEqual(expect.stringContaining('needs the option directDatabase'))
      await server.close()
      const plain = await createServer({
        contentTypes: [article],
        database: direct,
        directDatabase: direct,
        logger,
      })
      closing.push(() => plain.close())
      expect(await plain.octavo.store.run(sql`select current_setting('jit') as "jit"`)).toEqual([
        { jit: 'off' },
      ])
    })
  },
)
