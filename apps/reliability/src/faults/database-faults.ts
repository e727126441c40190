/** The database goes away, or refuses. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, codeOf } from '../ask.ts'
import { freePort } from '../processes/free-port.ts'
import { OctavoProcess } from '../processes/octavo-process.ts'
import { PostgresCluster } from '../processes/postgres-cluster.ts'
import { makeSite } from '../site.ts'
import { Writers, type WritersReport } from '../writers.ts'
import { check, checkNone, type Fault, type Scale, type Tally, tallied, until } from './fault.ts'
import { type Served, withCluster, withServer } from './served.ts'

const clients = 6

/** Disturbs a server that is written to, again and again; no acknowledged write may be lost, and the server must stay. */
function whileWriting(
  times: number,
  settings: readonly string[],
  disturb: (served: Served) => Promise<void>,
): ({ isShort }: Scale) => Promise<Tally> {
  return ({ isShort }) =>
    withServer({ settings }, async (served) => {
      const writers = await Writers.start(() => served.server.url, clients)
      const count = isShort ? 2 : times
      for (let i = 0; i < count; i++) {
        await writers.progress(100)
        await disturb(served)
      }
      await writers.progress(100)
      check(served.server.isRunning, 'The server ended')
      return tallied(count, await writers.finish())
    })
}

async function checked(writers: Writers): Promise<WritersReport> {
  const report = await writers.finish()
  checkNone(report.violations)
  return report
}

const shown = ({ acknowledged, unknown }: WritersReport): string =>
  `${acknowledged.toLocaleString('en')} writes acknowledged, ${unknown} cut off, none lost`

/** The code of the refusal of a write. */
async function writeCode(url: string): Promise<string | number> {
  const answer = await ask(url, 'POST', '/api/boxes', { data: { name: 'x' } })
  if (answer?.status === 200) return 200
  return answer ? `${answer.status} ${codeOf(answer)}` : 'no answer'
}

export const databaseFaults: readonly Fault[] = [
  {
    name: 'PostgreSQL restarts',
    holds: 'no acknowledged write is lost, no 500, the server stays',
    inShort: true,
    run: whileWriting(8, [], async ({ cluster }) => {
      await cluster.stop('fast')
      await cluster.start()
    }),
  },
  {
    name: 'PostgreSQL crashes (immediate stop)',
    holds: 'no acknowledged write is lost, no 500, the server stays',
    inShort: true,
    run: whileWriting(8, [], async ({ cluster }) => {
      await cluster.stop('immediate')
      await cluster.start()
    }),
  },
  {
    name: 'All backends are killed',
    holds: 'no acknowledged write is lost, no 500, the server stays',
    inShort: true,
    run: whileWriting(40, [], async ({ cluster }) => {
      await cluster.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'octavo%'`,
      )
    }),
  },
  {
    name: 'Other clients take all connections',
    holds: 'requests go on with the connections that are open, or are 503; all is well afterwards',
    inShort: true,
    run: () =>
      withServer(
        { settings: ['max_connections = 20', 'superuser_reserved_connections = 1'] },
        async (served) => {
          const { cluster, server } = served
          const writers = await Writers.start(() => server.url, clients)
          await writers.progress(100)
          const thieves = await cluster.takeConnections()
          await cluster.sql(
            `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'octavo'`,
          )
          const more = await cluster.takeConnections()
          await sleep(2_000)
          const code = await writeCode(server.url)
          for (const thief of [...thieves, ...more]) await thief.end()
          await writers.progress(100)
          const report = await checked(writers)
          check(
            ['503 database/too-many-connections', '503 database/queue-full', 200].includes(code),
            `The answer was ${code}`,
          )
          return `${code} meanwhile; ${shown(report)}`
        },
      ),
  },
  {
    name: 'PostgreSQL becomes read-only',
    holds: 'writes are 503 `database/read-only`, reads are answered',
    inShort: true,
    run: () =>
      withServer({}, async ({ cluster, server }) => {
        const writers = await Writers.start(() => server.url, clients)
        await writers.progress(100)
        await cluster.sql('alter system set default_transaction_read_only = on')
        await cluster.reload()
        const expected = '503 database/read-only'
        await until(async () => (await writeCode(server.url)) === expected, `Writes were not ${expected}`)
        check((await ask(server.url, 'GET', '/api/items'))?.status === 200, 'Reads failed')
        await cluster.removeSystemSettings()
        await cluster.reload()
        await writers.progress(100)
        return shown(await checked(writers))
      }),
  },
  {
    name: 'Failover to a replica, both hosts in the URL',
    holds: 'the server finds the new primary; no acknowledged write is lost',
    inShort: false,
    run: () =>
      withCluster(
        [`synchronous_standby_names = 'standby'`, `synchronous_commit = 'local'`],
        async (primary) => {
          await primary.createDatabase('site')
          const replica = await PostgresCluster.replicaOf(primary, 'standby')
          await primary.configure(['synchronous_commit = on'])
          await primary.reload()
          const site = await makeSite()
          const hosts = [primary, replica].map(({ port }) => `127.0.0.1:${port}`).join(',')
          const database = `postgres://postgres@${hosts}/site?target_session_attrs=read-write`
          const server = await OctavoProcess.start({ config: site.config, database })
          try {
            const writers = await Writers.start(() => server.url, clients)
            await writers.progress(200)
            await primary.stop('immediate')
            const began = performance.now()
            await replica.configure([`synchronous_standby_names = ''`])
            await replica.promote()
            await writers.progress(10)
            const seconds = (performance.now() - began) / 1_000
            await writers.progress(200)
            return `writes again after ${seconds.toFixed(1)} s; ${shown(await checked(writers))}`
          } finally {
            await server.kill()
            await replica.remove()
            await site.remove()
          }
        },
      ),
  },
  {
    name: 'The disk of the database is full (tmpfs)',
    holds: 'writes are 503 `database/full`, reads are answered; all is well with room again',
    inShort: true,
    run: () =>
      withCluster([], (cluster) =>
        cluster.withSmallDisk('48m', async (disk) => {
          const site = await makeSite()
          const database = await cluster.createDatabase('site', 'tablespace small')
          const server = await OctavoProcess.start({ config: site.config, database })
          try {
            const writers = await Writers.start(() => server.url, clients)
            await writers.progress(100)
            await disk.fill()
            const expected = '503 database/full'
            await until(
              async () => (await writeCode(server.url)) === expected,
              `Writes were ${await writeCode(server.url)}, not ${expected}`,
              120,
            )
            check((await ask(server.url, 'GET', '/api/boxes'))?.status === 200, 'Reads failed')
            await disk.empty()
            await writers.progress(100)
            return shown(await checked(writers))
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
