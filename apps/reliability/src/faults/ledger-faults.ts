/** Faults while clients write with a ledger, on both engines where they apply. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { OctavoProcess } from '../processes/octavo-process.ts'
import { familyOf } from '../processes/process-figures.ts'
import { type Disturbance, onBoth, onPostgres } from './disturbed.ts'
import { type Fault, until } from './fault.ts'

const distOf = (name: string): string =>
  new URL(`../../../../packages/${name}/dist/index.js`, import.meta.url).href

/** Writes run step by step where plugins have hooks; both plugins write rows in the transaction of the entry. */
const withPlugins = `{ content: '.', access: 'open', plugins: [(await import('${distOf('plugin-changes')}')).changes(), (await import('${distOf('plugin-webhooks')}')).webhooks({ webhooks: [{ name: 'none', url: 'http://127.0.0.1:9/', secrets: ['whsec_dGhlIHNlY3JldCBvZiB0aGlzIHRvb2wgb25seQ=='] }] })] }`

const zones = ['Pacific/Kiritimati', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Pago_Pago', 'UTC']

/** Stops a process for some time, as a machine does that swaps or is moved. */
async function standStill(server: OctavoProcess, seconds: number): Promise<void> {
  const family = await familyOf(server.pid)
  for (const pid of family) process.kill(pid, 'SIGSTOP')
  await sleep(seconds * 1_000)
  for (const pid of family) process.kill(pid, 'SIGCONT')
}

const ofBoth: readonly Disturbance[] = [
  {
    name: 'SIGKILL while writing',
    times: 8,
    disturb: ({ restart }) => restart('SIGKILL'),
  },
  {
    name: 'SIGTERM while writing, without a successor',
    times: 8,
    inShort: true,
    disturb: ({ restart }) => restart('SIGTERM'),
  },
  {
    name: 'SIGKILL, and clients repeat creates with their key',
    times: 8,
    inShort: true,
    more: { repeats: true },
    disturb: ({ restart }) => restart('SIGKILL'),
  },
  {
    name: 'SIGKILL with a feed of changes and webhooks',
    times: 6,
    config: withPlugins,
    disturb: ({ restart }) => restart('SIGKILL'),
  },
  {
    name: 'The server stands still (SIGSTOP)',
    times: 6,
    disturb: ({ server }) => standStill(server, 2),
  },
  {
    name: 'The connections of clients are cut',
    times: 40,
    inShort: true,
    disturb: async ({ clients }) => clients.cut(),
  },
  {
    name: 'The connections of clients are cut, and they repeat creates with their key',
    times: 40,
    more: { repeats: true },
    disturb: async ({ clients }) => clients.cut(),
  },
  {
    name: 'The model changes at a restart',
    times: 6,
    disturb: async ({ restart, site, round }) => {
      const changed = { text: { type: 'string' }, [`added${round}`]: { type: 'integer' } }
      await site.write('content-types/line.json', {
        kind: 'collectionType',
        info: { singularName: 'line', pluralName: 'lines' },
        attributes: round % 2 === 0 ? changed : { text: changed.text },
      })
      await restart('SIGTERM')
    },
  },
  {
    name: 'The time zone of the machine changes at a restart',
    times: 5,
    disturb: ({ restart, round }) => restart('SIGKILL', { env: { TZ: zones[round % zones.length] } }),
  },
]

/** Holds a lock that blocks writes to the table of creates. */
async function lockLines(url: string, seconds: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin; lock table lines in access exclusive mode')
  await sleep(seconds * 1_000)
  await client.end()
}

const octavoBackends = `from pg_stat_activity where application_name like 'octavo%'`

const ofPostgres: readonly Disturbance[] = [
  {
    name: 'PostgreSQL restarts',
    times: 8,
    inShort: true,
    disturb: async ({ cluster }) => {
      await cluster.stop('fast')
      await cluster.start()
    },
  },
  {
    name: 'PostgreSQL crashes (immediate stop)',
    times: 8,
    inShort: true,
    disturb: async ({ cluster }) => {
      await cluster.stop('immediate')
      await cluster.start()
    },
  },
  {
    name: 'All backends are killed',
    times: 40,
    inShort: true,
    disturb: async ({ cluster }) => {
      await cluster.sql(`select pg_terminate_backend(pid) ${octavoBackends}`)
    },
  },
  {
    name: 'All backends are killed, and clients repeat creates with their key',
    times: 40,
    more: { repeats: true },
    disturb: async ({ cluster }) => {
      await cluster.sql(`select pg_terminate_backend(pid) ${octavoBackends}`)
    },
  },
  {
    name: 'One backend dies of SIGKILL, and PostgreSQL recovers',
    times: 5,
    disturb: async ({ cluster }) => {
      const [pid] = await cluster.backends()
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      // The postmaster ends all sessions and replays the log.
      await until(async () => {
        await sleep(200)
        return cluster.sql('select 1').then(
          () => true,
          () => false,
        )
      }, 'PostgreSQL does not recover')
    },
  },
  {
    name: 'An operator cancels all statements',
    times: 40,
    disturb: async ({ cluster }) => {
      await cluster.sql(`select pg_cancel_backend(pid) ${octavoBackends}`)
    },
  },
  {
    name: 'The connections to the database are cut',
    times: 40,
    inShort: true,
    disturb: async ({ database }) => database.cut(),
  },
  {
    name: 'The network to the database stands still for 2 s',
    times: 6,
    disturb: async ({ database }) => {
      database.stop()
      await sleep(2_000)
      database.go()
    },
  },
  {
    name: 'The network to the database stands still, then its connections are cut',
    times: 8,
    disturb: async ({ database }) => {
      database.stop()
      await sleep(500)
      database.cut()
      database.go()
    },
  },
  {
    name: 'The table is locked for 2 s',
    times: 6,
    disturb: ({ cluster }) => lockLines(cluster.url('site'), 2),
  },
  {
    name: 'The table is rewritten (VACUUM FULL)',
    times: 8,
    disturb: async ({ cluster }) => {
      await cluster.sql('vacuum full lines', 'site')
      await cluster.sql('vacuum full items', 'site')
    },
  },
  {
    name: 'Workers are killed (SIGKILL), one and all',
    times: 6,
    args: ['--workers', '2'],
    disturb: async ({ server, round }) => {
      const [, ...workers] = await familyOf(server.pid)
      for (const pid of round % 2 === 0 ? workers.slice(0, 1) : workers) process.kill(pid, 'SIGKILL')
      await until(async () => (await familyOf(server.pid)).length === 3, 'A worker does not come back')
    },
  },
]

export const ledgerFaults: readonly Fault[] = [...ofPostgres.map(onPostgres), ...ofBoth.flatMap(onBoth)]
