/** The database goes away, or refuses. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, codeOf } from '../ask.ts'
import { freePort } from '../processes/free-port.ts'
import { OctavoProcess } from '../processes/octavo-process.ts'
import { hasPgBouncer, PgBouncer } from '../processes/pg-bouncer.ts'
import { PostgresCluster } from '../processes/postgres-cluster.ts'
import { makeSite } from '../site.ts'
import { Writers } from '../writers.ts'
import { portions } from './disturbed.ts'
import { check, type Fault, NotRun, type Scale, type Tally, tallied, until } from './fault.ts'
import { withCluster, withServer } from './served.ts'

/** Clients that change what they wrote, and others that only create. */
const start = (server: OctavoProcess): Promise<Writers> =>
  Writers.start(() => server.url, 6, { creating: 20 })

/** The code of the refusal of a write. */
async function writeCode(url: string): Promise<string | number> {
  const answer = await ask(url, 'POST', '/api/boxes', { data: { name: 'x' } })
  if (answer?.status === 200) return 200
  return answer ? `${answer.status} ${codeOf(answer)}` : 'no answer'
}

/** A primary with a synchronous standby crashes while clients write, and the standby is promoted. */
function failOver(scale: Scale, by?: 'PgBouncer'): Promise<Tally> {
  if (by && !hasPgBouncer) throw new NotRun('no PgBouncer')
  const { between } = portions(1, scale)
  const settings = [`synchronous_standby_names = 'standby'`, `synchronous_commit = 'local'`]
  return withCluster(settings, async (primary) => {
    await primary.createDatabase('site')
    const replica = await PostgresCluster.replicaOf(primary, 'standby')
    await primary.configure(['synchronous_commit = on'])
    await primary.reload()
    if (by) await prepareRole(primary)
    const bouncer = by && (await PgBouncer.start(primary))
    const hosts = [primary, replica].map(({ port }) => `127.0.0.1:${port}`).join(',')
    const both = `postgres://postgres@${hosts}/site?target_session_attrs=read-write`
    const site = await makeSite(bouncer && pooled(bouncer, both))
    const server = await OctavoProcess.start({
      config: site.config,
      ...(!bouncer && { database: both }),
    })
    try {
      const writers = await start(server)
      await writers.progress(between)
      await primary.stop('immediate')
      const began = performance.now()
      await replica.configure([`synchronous_standby_names = ''`])
      await replica.promote()
      await bouncer?.moveTo(replica)
      await writers.progress(10)
      const seconds = (performance.now() - began) / 1_000
      await writers.progress(between)
      return { ...tallied(1, await writers.finish()), note: `writes again after ${seconds.toFixed(1)} s` }
    } finally {
      await server.kill()
      await bouncer?.remove()
      await replica.remove()
      await site.remove()
    }
  })
}

/** The settings that sessions behind a pooler must have by their role, as the refusal of a start lists them. */
async function prepareRole(cluster: PostgresCluster): Promise<void> {
  const settings = { jit: 'off', random_page_cost: '1.1', statement_timeout: '15000', TimeZone: 'UTC' }
  for (const [name, value] of Object.entries(settings))
    await cluster.sql(`alter role postgres in database site set ${name} to '${value}'`)
}

/** The text of a configuration with a pooler. */
const pooled = (bouncer: PgBouncer, direct: string): string =>
  `{ content: '.', plugins: [], access: 'open', database: '${bouncer.url('site')}', directDatabase: '${direct}' }`

interface Bounced {
  readonly cluster: PostgresCluster
  readonly bouncer: PgBouncer
}

/** A server that reaches its database through PgBouncer in transaction mode. */
function behindBouncer(
  scale: Scale,
  most: number,
  disturb: (bounced: Bounced) => Promise<void>,
): Promise<Tally> {
  if (!hasPgBouncer) throw new NotRun('no PgBouncer')
  const { times, between } = portions(most, scale)
  return withCluster([], async (cluster) => {
    const direct = await cluster.createDatabase('site')
    await prepareRole(cluster)
    const bouncer = await PgBouncer.start(cluster)
    const site = await makeSite(pooled(bouncer, direct))
    const server = await OctavoProcess.start({ config: site.config })
    try {
      const writers = await start(server)
      for (let i = 0; i < times; i++) {
        await writers.progress(between)
        await disturb({ cluster, bouncer })
      }
      await writers.progress(between)
      check(server.isRunning, 'The server ended')
      return tallied(times, await writers.finish())
    } finally {
      await server.kill()
      await bouncer.remove()
      await site.remove()
    }
  })
}

export const databaseFaults: readonly Fault[] = [
  {
    name: 'Other clients take all connections',
    holds: 'requests go on with the connections that are open, or are 503; all is well afterwards',
    inShort: true,
    hasLedger: true,
    run: (scale) =>
      withServer(
        { settings: ['max_connections = 20', 'superuser_reserved_connections = 1'] },
        async (served) => {
          const { cluster, server } = served
          const { between } = portions(1, scale)
          const writers = await start(server)
          await writers.progress(between)
          const thieves = await cluster.takeConnections()
          await cluster.sql(
            `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'octavo'`,
          )
          const more = await cluster.takeConnections()
          await sleep(2_000)
          const code = await writeCode(server.url)
          for (const thief of [...thieves, ...more]) await thief.end()
          await writers.progress(between)
          const tally = tallied(1, await writers.finish())
          check(
            ['503 database/too-many-connections', '503 database/queue-full', 200].includes(code),
            `The answer was ${code}`,
          )
          return { ...tally, note: `${code} meanwhile` }
        },
      ),
  },
  {
    name: 'PostgreSQL becomes read-only',
    holds: 'writes are 503 `database/read-only`, reads are answered',
    inShort: true,
    hasLedger: true,
    run: (scale) =>
      withServer({}, async ({ cluster, server }) => {
        const { between } = portions(1, scale)
        const writers = await start(server)
        await writers.progress(between)
        await cluster.sql('alter system set default_transaction_read_only = on')
        await cluster.reload()
        const expected = '503 database/read-only'
        await until(async () => (await writeCode(server.url)) === expected, `Writes were not ${expected}`)
        check((await ask(server.url, 'GET', '/api/items'))?.status === 200, 'Reads failed')
        await cluster.removeSystemSettings()
        await cluster.reload()
        await writers.progress(between)
        return tallied(1, await writers.finish())
      }),
  },
  {
    name: 'Failover to a replica, both hosts in the URL',
    holds: 'the server finds the new primary; no acknowledged write is lost',
    inShort: false,
    hasLedger: true,
    run: (scale) => failOver(scale),
  },
  {
    name: 'Failover to a replica behind PgBouncer',
    holds: 'the server goes on when PgBouncer has the new primary; no acknowledged write is lost',
    inShort: false,
    hasLedger: true,
    run: (scale) => failOver(scale, 'PgBouncer'),
  },
  {
    name: 'PgBouncer is killed (SIGKILL) and starts again',
    holds: 'no acknowledged write is lost, no 500, the server stays',
    inShort: false,
    hasLedger: true,
    run: (scale) => behindBouncer(scale, 8, ({ bouncer }) => bouncer.restart()),
  },
  {
    name: 'PostgreSQL restarts behind PgBouncer',
    holds: 'no acknowledged write is lost, no 500, the server stays',
    inShort: false,
    hasLedger: true,
    run: (scale) =>
      behindBouncer(scale, 6, async ({ cluster }) => {
        await cluster.stop('fast')
        await cluster.start()
      }),
  },
  {
    name: 'The disk of the database is full (tmpfs)',
    holds: 'writes are 503 `database/full`, reads are answered; all is well with room again',
    inShort: true,
    hasLedger: true,
    run: (scale) =>
      withCluster([], (cluster) =>
        cluster.withSmallDisk('48m', async (disk) => {
          const { between } = portions(1, scale)
          const site = await makeSite()
          const database = await cluster.createDatabase('site', 'tablespace small')
          const server = await OctavoProcess.start({ config: site.config, database })
          try {
            const writers = await start(server)
            await writers.progress(between)
            await disk.fill()
            const expected = '503 database/full'
            await until(
              async () => (await writeCode(server.url)) === expected,
              `Writes were ${await writeCode(server.url)}, not ${expected}`,
              120,
            )
            check((await ask(server.url, 'GET', '/api/boxes'))?.status === 200, 'Reads failed')
            await disk.empty()
            await writers.progress(between)
            return tallied(1, await writers.finish())
          } finally {
            await server.kill()
            await site.remove()
          }
        }),
      ),
  },
  {
    name: 'A sort exceeds `temp_file_limit`',
    holds: '503 `database/out-of-resources`',
    inShort: true,
    run: () =>
      withServer(
        { settings: [`temp_file_limit = '64kB'`, `work_mem = '64kB'`] },
        async ({ cluster, server }) => {
          await cluster.sql(
            `set temp_file_limit to -1; insert into pages (text, created_at, updated_at) select repeat(md5(i::text), 20), now(), now() from generate_series(1, 20000) i`,
            'site',
          )
          const answer = await ask(
            server.url,
            'GET',
            '/api/pages?sort=text&pagination[pageSize]=100&pagination[page]=150',
          )
          const code = answer ? `${answer.status} ${codeOf(answer)}` : 'no answer'
          check(code === '503 database/out-of-resources', `The answer was ${code}`)
          return code
        },
      ),
  },
  {
    name: 'The database is absent at start, with `--wait 60s`',
    holds: 'the server waits, says so, and serves when the database is there',
    inShort: true,
    run: () =>
      withCluster([], async (cluster) => {
        const database = await cluster.createDatabase('site')
        await cluster.stop()
        const site = await makeSite()
        const server = OctavoProcess.launch({
          config: site.config,
          database,
          port: await freePort(),
          args: ['--wait', '60s'],
        })
        try {
          await until(() => server.output.includes('retryAfter'), 'The log has no line about the wait')
          check(server.output.includes(String(cluster.port)), 'The line does not name the port')
          await cluster.start()
          await server.listening()
          return 'served when the database was there'
        } finally {
          await server.kill()
          await site.remove()
        }
      }),
  },
]
