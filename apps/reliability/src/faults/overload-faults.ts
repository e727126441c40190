/** Twice as many requests as a server answers, from a process of its own. */
import { readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../ask.ts'
import { demoConfig, fillDemo, startDemo } from '../demo-server.ts'
import { generate, type LoadFigures } from '../overload/load-process.ts'
import { type OctavoProcess, octavo } from '../processes/octavo-process.ts'
import { lists } from '../soak/mix.ts'
import { percentile, timed } from '../timed-request.ts'
import { check, type Fault, type Scale } from './fault.ts'
import { withCluster } from './served.ts'

const megabyte = 1_000_000

/** Users that send requests besides the address without a login. */
const users = 20

/** Clients at once while the capacity is measured: enough that the server always has work. */
const together = 24

const bounds = {
  /** Milliseconds of accepted requests (p99), refused ones (p95) and `/_health` (p99). */
  accepted: 2_000,
  refused: 50,
  health: 100,
  /** The answers of an overloaded server in proportion to what it answers without overload. */
  goodput: 0.85,
  memory: 250 * megabyte,
}

/** Seconds after the load within which memory has to be below its bound. */
const rest = 60

interface Variant {
  /** Paths that are read. */
  readonly reads: readonly string[]
  /** How many of ten requests change an entry. */
  readonly writes: number
}

/** The requests of the address and of all users, in turn. */
function requestsOf({ reads, writes }: Variant, { host }: URL, tokens: readonly string[]): readonly string[] {
  const callers = ['', ...tokens.map((token) => `Authorization: Bearer ${token}\r\n`)]
  // So many that every caller sends each of them.
  return Array.from({ length: callers.length * 10 * reads.length }, (_, n) => {
    const caller = callers[n % callers.length] ?? ''
    const isWrite = n % 10 < writes
    const body = isWrite ? JSON.stringify({ data: { latitude: n % 90 } }) : ''
    const head = isWrite
      ? `PUT /api/places/${1 + (n % 100)} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
      : `GET ${reads[n % reads.length]} HTTP/1.1\r\n`
    return `${head}Host: ${host}\r\n${caller}\r\n${body}`
  })
}

async function tokensOf(url: string): Promise<readonly string[]> {
  const tokens: string[] = []
  for (let i = 0; i < users; i++) {
    const account = { username: `user${i}`, email: `user${i}@example.org`, password: 'correct horse battery' }
    const answer = await ask(url, 'POST', '/api/auth/local/register', account)
    check(answer?.status === 200, `A user was not registered: ${answer?.status}`)
    const { jwt } = answer.body as { readonly jwt: string } // the contract of the registration
    tokens.push(jwt)
  }
  return tokens
}

/** The part of the processors that is in use, over a second: by other programs, when this one is idle. */
async function busyPart(): Promise<number> {
  const read = async (): Promise<readonly [idle: number, all: number]> => {
    const [line = ''] = (await readFile('/proc/stat', 'utf8').catch(() => '')).split('\n')
    const times = line.split(/\s+/).slice(1, 9).map(Number)
    return [(times[3] ?? 0) + (times[4] ?? 0), times.reduce((sum, time) => sum + time, 0)]
  }
  const [idle, all] = await read()
  await sleep(1_000)
  const [idleAfter, allAfter] = await read()
  return allAfter === all ? Number.NaN : 1 - (idleAfter - idle) / (allAfter - all)
}

/** Requests `/_health` on new connections, as a load balancer does, and watches memory, while `work` runs. */
async function watched<T>(server: OctavoProcess, work: Promise<T>) {
  const agent = new Agent({ keepAlive: false })
  const times: number[] = []
  let failed = 0
  let most = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { status, milliseconds } = await timed(agent, server.url, { method: 'GET', path: '/_health' })
      if (status === 204) times.push(milliseconds)
      else failed += 1
      most = Math.max(most, (await server.memoryApart()).own ?? 0)
      await sleep(50)
    }
  })()
  try {
    return { result: await work, health: times, failed, memory: () => most }
  } finally {
    isOver = true
    await watching
  }
}

/** @returns the memory of the server when it is below its bound, or after {@link rest} seconds */
async function memoryAfter(
  server: OctavoProcess,
): Promise<{ readonly bytes: number; readonly seconds: number }> {
  const began = performance.now()
  for (;;) {
    const bytes = (await server.memoryApart()).own ?? 0
    const seconds = (performance.now() - began) / 1_000
    if (bytes < bounds.memory || seconds > rest) return { bytes, seconds }
    await sleep(500)
  }
}

export async function overload(server: OctavoProcess, variant: Variant, { isShort }: Scale): Promise<string> {
  const { url } = server
  const busy = await busyPart()
  const requests = requestsOf(variant, new URL(url), await tokensOf(url))
  const [short, long] = isShort ? [1, 3] : [6, 20]
  const capacity = (): Promise<LoadFigures> => generate({ url, requests, clients: together, seconds: short })
  await capacity()
  const before = await capacity()
  check(
    before.refused.count + before.unanswered === 0,
    `Without overload: ${JSON.stringify(before.statuses)}`,
  )
  const rate = before.perSecond * 2
  const {
    result: load,
    health,
    failed,
    memory,
  } = await watched(server, generate({ url, requests, rate, seconds: long }))
  const left = await memoryAfter(server)
  const after = await capacity()
  // The machine may have become slower or faster meanwhile.
  const usual = (before.perSecond + after.perSecond) / 2
  const goodput = load.perSecond / usual
  const { accepted, refused } = load
  const ms = (value: number): string => `${value.toFixed(0)} ms`
  const mb = (bytes: number): string => `${(bytes / megabyte).toFixed(0)} MB`
  const judged = [
    [
      goodput >= bounds.goodput,
      `goodput ${(goodput * 100).toFixed(0)} % of ${before.perSecond.toFixed(0)}/s before and ${after.perSecond.toFixed(0)}/s after`,
    ],
    [
      accepted.p99 <= bounds.accepted,
      `${accepted.count.toLocaleString('en')} accepted, p50 ${ms(accepted.p50)}, p99 ${ms(accepted.p99)}`,
    ],
    [
      refused.p95 <= bounds.refused,
      `${refused.count.toLocaleString('en')} refused, p50 ${ms(refused.p50)}, p95 ${ms(refused.p95)}`,
    ],
    [
      percentile(health, 0.99) <= bounds.health,
      `\`/_health\` p50 ${ms(percentile(health, 0.5))}, p99 ${ms(percentile(health, 0.99))} of ${health.length}`,
    ],
    [
      left.bytes <= bounds.memory,
      `memory at most ${mb(memory())}, ${mb(left.bytes)} ${left.seconds.toFixed(0)} s after`,
    ],
  ] as const
  const others = `other programs used ${(busy * 100).toFixed(0)} % of the processors before`
  const shown = [...judged.map(([, text]) => text), others].join('; ')
  const statuses = Object.keys(load.statuses).filter((status) => !['200', '503', '429'].includes(status))
  check(
    statuses.length + load.unanswered + failed === 0,
    `${JSON.stringify(load.statuses)}, ${load.unanswered} unanswered, ${failed} checks of health failed; ${shown}`,
  )
  // Times, and shares of the processors, are judged by the long form only.
  const missed = isShort ? [] : judged.filter(([holds]) => !holds).map(([, text]) => text)
  check(missed.length === 0, `Missed: ${missed.join('; ')}. All: ${shown}`)
  return shown
}

const fault = (name: string, variant: Variant, inShort: boolean): Fault => ({
  name,
  holds:
    'accepted p99 under 2 s, at least 85 % of the capacity, refused p95 under 50 ms, `/_health` p99 under 100 ms, under 250 MB within a minute',
  inShort,
  run: (scale) =>
    withCluster([], async (cluster) => {
      const database = await cluster.createDatabase('demo')
      await fillDemo(database)
      await octavo([
        'permissions',
        'grant',
        'authenticated',
        '*',
        '--config',
        demoConfig,
        '--database',
        database,
      ])
      const server = await startDemo(database, '--no-rate-limit')
      try {
        return await overload(server, variant, scale)
      } finally {
        await server.kill()
      }
    }),
})

/** Requests of which most time is the database's, and those of which most is the server's own. */
export const variants: readonly [Variant, Variant] = [
  { reads: lists, writes: 2 },
  { reads: ['/api/books/1', '/api/books/2', '/api/books/3?populate=cover'], writes: 0 },
]

export const overloadFaults: readonly Fault[] = [
  fault('Overload: twice the requests that the database answers', variants[0], false),
  fault('Overload: twice the requests that the process answers', variants[1], false),
]
