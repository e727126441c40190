/** Servers and their workers are killed, started twice, and stopped under load. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, dataOf } from '../ask.ts'
import { cutPower } from '../power/power-cuts.ts'
import { freePort } from '../processes/free-port.ts'
import { OctavoProcess } from '../processes/octavo-process.ts'
import { PostgresCluster } from '../processes/postgres-cluster.ts'
import { familyOf } from '../processes/process-figures.ts'
import { makeSite } from '../site.ts'
import { json } from '../timed-request.ts'
import { Writers } from '../writers.ts'
import { Balancer } from './balancer.ts'
import { portions } from './disturbed.ts'
import { check, type Fault, NotRun, tallied } from './fault.ts'
import { Load } from './load.ts'
import { withCluster, withServer } from './served.ts'

const boxes = { method: 'GET', path: '/api/boxes' }

/** Two servers that start at the same time on a new database. */
async function startTwo(database: string): Promise<void> {
  const site = await makeSite()
  const servers = [1, 2].map(() => OctavoProcess.launch({ config: site.config, database }))
  try {
    await Promise.all(servers.map((server) => server.listening()))
    const [one, other] = servers.map(({ url }) => url)
    const made = await ask(one ?? '', 'POST', '/api/boxes', { data: { name: 'one' } })
    const id = made?.status === 200 ? dataOf<{ id: number }>(made).id : undefined
    const found = await ask(other ?? '', 'GET', `/api/boxes/${id}`)
    check(found?.status === 200, `One server wrote (${made?.status}), the other read ${found?.status}`)
  } finally {
    for (const server of servers) await server.kill()
    await site.remove()
  }
}

/** Two servers in process namespaces of their own, as containers have them, on one folder. */
async function twoContainers(): Promise<string> {
  const contained = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
  const [command = '', ...args] = contained
  if (spawnSync(command, [...args, 'true']).status !== 0) throw new NotRun('no process namespaces')
  const site = await makeSite()
  const options = { config: site.config, database: `file:${site.folder}/database`, prefix: contained }
  const first = await OctavoProcess.start(options)
  try {
    const rounds = 3
    for (let i = 0; i < rounds; i++) {
      const second = OctavoProcess.launch(options)
      const { code } = await second.ended
      check(code === 1, `The second server ended with ${code}`)
      check(second.output.includes('is in use by process 1 on'), second.output)
      const made = await ask(first.url, 'POST', '/api/boxes', { data: { name: `box ${i}` } })
      check(made?.status === 200, `The first server answered ${made?.status}`)
    }
    return `${rounds} times`
  } finally {
    await first.kill()
    await site.remove()
  }
}

export const processFaults: readonly Fault[] = [
  {
    name: 'The power is cut while writing, embedded',
    holds: 'no acknowledged write is lost, none is half-done, and the next start repairs the folder',
    inShort: true,
    hasLedger: true,
    run: async (scale) => {
      const { times: cuts, between: writesBetween } = portions(12, scale)
      return tallied(cuts, await cutPower({ cuts, writesBetween, clients: 6, creating: 20, seed: 7 }))
    },
  },
  {
    name: 'A second container opens the folder of a running one, embedded',
    holds: 'it ends with an error, though both processes have the id 1',
    inShort: true,
    run: twoContainers,
  },
  {
    name: 'Two servers start on an empty database, PostgreSQL',
    holds: 'both serve',
    inShort: true,
    run: ({ isShort }) =>
      withCluster([], async (cluster) => {
        const rounds = isShort ? 1 : 8
        for (let i = 0; i < rounds; i++) await startTwo(await cluster.createDatabase(`site${i}`))
        return `${rounds} rounds`
      }),
  },
  {
    name: 'Two servers start on the folder of a killed one, embedded',
    holds: 'one serves, the other ends with an error',
    inShort: true,
    run: async ({ isShort }) => {
      const rounds = isShort ? 2 : 20
      const site = await makeSite()
      const options = { config: site.config, database: `file:${site.folder}/database` }
      try {
        let holder = await OctavoProcess.start(options)
        for (let i = 0; i < rounds; i++) {
          await holder.kill()
          const both = [1, 2].map(() => OctavoProcess.launch(options))
          const outcomes = await Promise.allSettled(both.map((server) => server.listening()))
          const serving = both.filter((_, at) => outcomes[at]?.status === 'fulfilled')
          const [only] = serving
          if (serving.length !== 1 || !only) for (const server of both) await server.kill()
          check(
            serving.length === 1 && only !== undefined,
            `Round ${i}: ${serving.length} servers opened the folder`,
          )
          holder = only
        }
        await holder.kill()
        return `${rounds} rounds`
      } finally {
        await site.remove()
      }
    },
  },
  {
    name: 'SIGKILL of workers, one and all',
    holds: 'only requests in flight are lost, none waits over 10 s, all workers come back',
    inShort: true,
    run: ({ isShort }) =>
      withServer({ args: ['--workers', '2'] }, async ({ server }) => {
        const rounds = isShort ? 2 : 10
        let most = 0
        const load = await Load.during(
          () => server.url,
          [boxes],
          8,
          async (load) => {
            for (let i = 0; i < rounds; i++) {
              const [, ...workers] = await familyOf(server.pid)
              check(workers.length === 2, `There are ${workers.length} workers`)
              const before = load.broken
              const killed = i % 2 === 0 ? workers.slice(0, 1) : workers
              for (const pid of killed) process.kill(pid, 'SIGKILL')
              await load.progress(50)
              const lost = load.broken - before
              most = Math.max(most, lost)
              // A client may repeat its request to the second worker before that one is gone.
              check(lost <= 8 * killed.length, `${lost} requests were lost with 8 in flight`)
              // A worker that ends soon after its start is replaced after a pause.
              for (let waited = 0; (await familyOf(server.pid)).length < 3 && waited < 60_000; waited += 100)
                await sleep(100)
              await sleep(1_000)
            }
          },
        )
        check(load.errors.length === 0, load.errors.join('\n'))
        check(load.slowest < 10_000, `A request took ${Math.round(load.slowest)} ms`)
        return `${rounds} times; ${load.answered.toLocaleString('en')} answered, at most ${most} lost at once with 8 clients, the slowest ${(load.slowest / 1_000).toFixed(1)} s`
      }),
  },
  {
    name: 'A replica crashes and returns',
    holds: 'every read is answered',
    inShort: false,
    run: ({ isShort }) =>
      withCluster([], async (primary) => {
        const database = await primary.createDatabase('site')
        const replica = await PostgresCluster.replicaOf(primary, 'reader')
        const site = await makeSite()
        const server = await OctavoProcess.start({
          config: site.config,
          database,
          args: ['--replica', replica.url('site')],
        })
        try {
          const rounds = isShort ? 1 : 5
          const load = await Load.during(
            () => server.url,
            [boxes],
            8,
            async (load) => {
              for (let i = 0; i < rounds; i++) {
                await load.progress(200)
                await replica.stop('immediate')
                await load.progress(200)
                await replica.start()
              }
            },
          )
          check(load.errors.length + load.broken === 0, load.errors.join('\n') || 'A connection broke')
          return `${rounds} times; ${load.answered.toLocaleString('en')} answered, none failed, the slowest ${Math.round(load.slowest)} ms`
        } finally {
          await server.kill()
          await replica.remove()
          await site.remove()
        }
      }),
  },
  {
    name: 'SIGTERM under load, two servers behind a keep-alive proxy',
    holds: 'no request is lost',
    inShort: true,
    run: ({ isShort }) =>
      withCluster([], async (cluster) => {
        const site = await makeSite()
        const database = await cluster.createDatabase('site')
        const ports = [await freePort(), await freePort()]
        const start = (port: number): Promise<OctavoProcess> =>
          OctavoProcess.start({ config: site.config, database, port, args: ['--drain', '1s'] })
        const servers = await Promise.all(ports.map(start))
        const balancer = await Balancer.start(servers.map(({ url }) => url))
        try {
          const rounds = isShort ? 3 : 20
          const shots = [boxes, json('POST', '/api/boxes', { data: { name: 'x' } })]
          const load = await Load.during(
            () => balancer.url,
            shots,
            16,
            async (load) => {
              for (let i = 0; i < rounds; i++) {
                await load.progress(200)
                const at = i % 2
                const { code } = (await servers[at]?.stop()) ?? {}
                check(code === 0, `A server ended with ${code}`)
                servers[at] = await start(ports[at] ?? 0)
                await balancer.bothReady()
              }
            },
          )
          check(
            load.errors.length + load.broken + load.unreachable === 0,
            `${load.broken} broke, ${load.unreachable} found no server; ${load.errors.slice(0, 5).join('\n')}`,
          )
          return `${rounds} SIGTERMs; ${load.answered.toLocaleString('en')} requests, none lost`
        } finally {
          await balancer.stop()
          for (const server of servers) await server.kill()
          await site.remove()
        }
      }),
  },
  {
    name: 'The clock jumps by a day, forth and back',
    holds: 'no acknowledged write is lost, no 500, requests do not wait',
    inShort: false,
    hasLedger: true,
    run: async (scale) => {
      const { between } = portions(6, scale)
      const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
      if (library === undefined) throw new NotRun('no libfaketime')
      return withCluster([], async (cluster) => {
        const site = await makeSite()
        const clock = join(site.folder, 'clock')
        await writeFile(clock, '+0d\n')
        const server = await OctavoProcess.start({
          config: site.config,
          database: await cluster.createDatabase('site'),
          env: {
            LD_PRELOAD: library,
            FAKETIME_TIMESTAMP_FILE: clock,
            FAKETIME_NO_CACHE: '1',
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
          },
        })
        try {
          const writers = await Writers.start(() => server.url, 6, { creating: 20 })
          for (const offset of ['+1d', '+0d', '-1d', '+0d', '+400d', '+0d']) {
            await writers.progress(between)
            await writeFile(clock, `${offset}\n`)
          }
          await writers.progress(between)
          return tallied(6, await writers.finish())
        } finally {
          await server.kill()
          await site.remove()
        }
      })
    },
  },
]
