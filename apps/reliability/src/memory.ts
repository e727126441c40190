/**
 * `pnpm memory`: who keeps the memory of `octavo start`, at rest and under loads, with the classes of its heap. Linux only.
 *
 *     pnpm memory --seconds 10
 *     pnpm memory --flags "--max-semi-space-size=4" --only reads
 *     pnpm memory --write        # the table of docs/scaling.md as well
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fillDemo } from './demo-server.ts'
import type { Kept } from './memory/heap-figures.ts'
import { MeasuredServer } from './memory/measured-server.ts'
import { writeTables } from './memory/tables.ts'
import { generate } from './overload/load-process.ts'
import { PostgresCluster } from './processes/postgres-cluster.ts'
import { lists, register, visits } from './soak/mix.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    /** Further options of Node.js for the server. */
    flags: { type: 'string', default: '' },
    /** A part of the names of the loads. */
    only: { type: 'string', default: '' },
    /** Default: a cluster of its own. */
    database: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const clients = 24

/** A load, whose figures are the least favourable ones of its time. */
interface Load {
  readonly name: string
  readonly run: (server: MeasuredServer) => Promise<{ readonly served: number; readonly cpu: number }>
}

const requests = (url: string): readonly string[] =>
  lists.map((path) => `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`)

const used = async (server: MeasuredServer, work: () => Promise<number>) => {
  const before = await server.process.processorTime()
  const served = await work()
  return { served, cpu: (await server.process.processorTime()) - before }
}

async function resting(milliseconds: number) {
  await sleep(milliseconds)
  return { served: 0, cpu: 0 }
}

let capacity = 0
const loads: readonly Load[] = [
  { name: 'at rest after the start', run: () => resting(6_000) },
  {
    name: 'reads: lists, 24 clients',
    run: (server) =>
      used(server, async () => {
        const { url } = server.process
        const { perSecond } = await generate({ url, requests: requests(url), clients, seconds })
        capacity = perSecond
        return perSecond * seconds
      }),
  },
  {
    name: 'the mix of the soak, 16 clients',
    run: (server) => used(server, () => mixed(server.process.url)),
  },
  {
    name: 'overload: twice as many lists as it answers',
    run: (server) =>
      used(server, async () => {
        const { url } = server.process
        const load = { url, requests: requests(url), rate: Math.max(100, capacity * 2), seconds }
        return (await generate(load)).perSecond * seconds
      }),
  },
  { name: 'at rest, 30 s after it', run: () => resting(30_000) },
]

async function mixed(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  await register(agent, url)
  const next = visits(agent, url)
  const end = performance.now() + seconds * 1_000
  let done = 0
  const visitor = async (): Promise<void> => {
    while (performance.now() < end) {
      await next()(() => {
        done += 1
      })
    }
  }
  await Promise.all(Array.from({ length: 16 }, visitor))
  agent.destroy()
  return done
}

/** The figures with the most memory while work runs; of a rest, which a look disturbs, those of its end. */
async function highest(server: MeasuredServer, work: ReturnType<Load['run']>, isRest: boolean) {
  let isRunning = true
  const ended = work.finally(() => {
    isRunning = false
  })
  let most: Kept | undefined
  while (isRunning && !isRest) {
    const now = await server.kept()
    if (!most || now.resident > most.resident) most = now
    await sleep(500)
  }
  const { served, cpu } = await ended
  return { kept: most ?? (await server.kept()), served, cpu }
}

const mib = (bytes: number): string => Math.round(bytes / 2 ** 20).toString()
const columns = ['resident', 'program', 'young', 'used', 'unused', 'code', 'arrayBuffers', 'rest'] as const
const head = [
  '| | resident | program of Node.js (shared) | young objects | V8, in use | V8, unused | of these: code | buffers | the rest |',
  `|---|${columns.map(() => '--:').join('|')}|`,
]
const row = (name: string, kept: Kept): string =>
  `| ${name} | ${columns.map((column) => mib(kept[column])).join(' | ')} |`

const folder = await mkdtemp(join(tmpdir(), 'octavo-memory-'))
const cluster = values.database === undefined ? await PostgresCluster.create() : undefined
const database = values.database ?? (await cluster?.createDatabase('memory')) ?? ''
try {
  if (cluster) await fillDemo(database)
  const server = await MeasuredServer.start(database, folder, values.flags)
  try {
    const rows: string[] = []
    for (const { name, run } of loads.filter((load) => load.name.includes(values.only))) {
      const { kept, served, cpu } = await highest(server, run(server), name.includes('at rest'))
      rows.push(row(served > 0 ? `${name}, ${Math.round(served).toLocaleString('en')} answers` : name, kept))
      const cost = served > 0 ? `; ${((cpu / served) * 1_000).toFixed(2)} ms of processor each` : ''
      console.log(`${rows.at(-1)}${cost}`)
    }
    const classes = (await server.classes()).slice(0, 15)
    const ofClasses = [
      '| class | objects | KiB |',
      '|---|--:|--:|',
      ...classes.map(
        ({ name, count, bytes }) =>
          `| ${name} | ${count.toLocaleString('en')} | ${Math.round(bytes / 1024).toLocaleString('en')} |`,
      ),
    ]
    console.log(ofClasses.join('\n'))
    if (values.write) await writeTables({ memory: [...head, ...rows], classes: ofClasses })
  } finally {
    await server.process.kill()
  }
} finally {
  await cluster?.remove()
  await rm(folder, { recursive: true, force: true })
}
