/** Twice as many requests as a server answers, from a process of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask } from '../ask.ts'
import { demoConfig, fillDemo, startDemo } from '../demo-server.ts'
import { busyPart, type Measured, measure } from '../overload/measure.ts'
import { type OctavoProcess, octavo } from '../processes/octavo-process.ts'
import { lists } from '../soak/mix.ts'
import { percentile } from '../timed-request.ts'
import { check, type Fault, type Scale } from './fault.ts'
import { withCluster } from './served.ts'

const megabyte = 1_000_000

/** Users that send requests besides the address without a login. */
const users = 20

const bounds = {
  /** Milliseconds of accepted requests (p99), refused ones (p95) and `/_health` (p99). */
  accepted: 2_000,
  refused: 50,
  health: 100,
  /** The answers of an overloaded server in proportion to what it answers without overload. */
  goodput: 0.85,
  memory: 250 * megabyte,
}

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

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const mb = (bytes: number): string => `${(bytes / megabyte).toFixed(0)} MB`
const percent = (part: number): string => `${(part * 100).toFixed(0)} %`

/** Each bound with its figures. */
function judged({ before, after, load, probe, health, memory }: Measured): readonly [boolean, string][] {
  // The machine may have become slower or faster meanwhile.
  const usual = (before.perSecond + after.perSecond) / 2
  const goodput = load.perSecond / usual
  const { accepted } = load
  const { refused } = probe
  return [
    [
      goodput >= bounds.goodput,
      `goodput ${percent(goodput)} of ${before.perSecond.toFixed(0)}/s before and ${after.perSecond.toFixed(0)}/s after`,
    ],
    [
      accepted.p99 <= bounds.accepted,
      `${accepted.count.toLocaleString('en')} accepted, p50 ${ms(accepted.p50)}, p99 ${ms(accepted.p99)}`,
    ],
    [
      refused.p95 <= bounds.refused,
      `${load.refused.count.toLocaleString('en')} refused, p50 ${ms(refused.p50)}, p95 ${ms(refused.p95)} of ${refused.count} from a process of their own`,
    ],
    [
      percentile(health, 0.99) <= bounds.health,
      `\`/_health\` p50 ${ms(percentile(health, 0.5))}, p99 ${ms(percentile(health, 0.99))} of ${health.length}`,
    ],
    [
      memory.left <= bounds.memory,
      `memory at most ${mb(memory.most)}, ${mb(memory.left)} ${memory.seconds.toFixed(0)} s after`,
    ],
  ]
}

/** Where the processors were: the costs of an answer and of a refusal follow from two loads with other shares of them. */
function processors({ before, load, probe, quiet, loaded }: Measured): string {
  const answers = load.accepted.count + probe.accepted.count
  const refusals = load.refused.count + probe.refused.count
  const ofAnswer = quiet.server / Math.max(1, before.accepted.count)
  const ofRefusal = Math.max(0, loaded.server - answers * ofAnswer) / Math.max(1, refusals)
  const of = (used: number, seconds: number): string => percent(used / seconds)
  return `the server used ${of(quiet.server, quiet.seconds)} of a processor at its capacity and ${of(loaded.server, loaded.seconds)} overloaded (${ms(ofAnswer * 1_000)} for an answer, ${ms(ofRefusal * 1_000)} for a refusal), the generator of the load ${of(quiet.generator, quiet.seconds)} and ${of(loaded.generator, loaded.seconds)}`
}

async function overload(server: OctavoProcess, variant: Variant, { isShort }: Scale): Promise<string> {
  const { url } = server
  const busy = await busyPart()
  const requests = requestsOf(variant, new URL(url), await tokensOf(url))
  const durations = isShort ? { capacity: 1, overload: 3 } : { capacity: 6, overload: 20 }
  const measured = await measure(server, requests, durations, bounds.memory)
  const { before, load, probe, failedHealth } = measured
  check(
    before.refused.count + before.unanswered === 0,
    `Without overload: ${JSON.stringify(before.statuses)}`,
  )
  const all = judged(measured)
  const others = `other programs used ${percent(busy)} of the processors before`
  const shown = [...all.map(([, text]) => text), processors(measured), others].join('; ')
  const statuses = Object.keys(load.statuses).filter((status) => !['200', '503', '429'].includes(status))
  check(
    statuses.length + load.unanswered + probe.unanswered + failedHealth === 0,
    `${JSON.stringify(load.statuses)}, ${load.unanswered} unanswered, ${failedHealth} checks of health failed; ${shown}`,
  )
  // Times, and shares of the processors, are judged by the long form only.
  const missed = isShort ? [] : all.filter(([holds]) => !holds).map(([, text]) => text)
  check(missed.length === 0, `Missed: ${missed.join('; ')}. All: ${shown}`)
  return shown
}

/** Serves the demo with a database that it fills. */
async function served(database: string, variant: Variant, scale: Scale): Promise<string> {
  await fillDemo(database)
  await octavo(['permissions', 'grant', 'authenticated', '*', '--config', demoConfig, '--database', database])
  const server = await startDemo(database, '--no-rate-limit')
  try {
    return await overload(server, variant, scale)
  } finally {
    await server.kill()
  }
}

const holds =
  'accepted p99 under 2 s, at least 85 % of the capacity, refused p95 under 50 ms, `/_health` p99 under 100 ms, under 250 MB within a minute'

const fault = (name: string, run: Fault['run']): Fault => ({ name, holds, inShort: false, run })

const onCluster = (name: string, variant: Variant): Fault =>
  fault(name, (scale) =>
    withCluster([], async (cluster) => served(await cluster.createDatabase('demo'), variant, scale)),
  )

/** The database is in the process of the server, so that each is as busy as the other. */
const embedded = (name: string, variant: Variant): Fault =>
  fault(name, async (scale) => {
    const folder = await mkdtemp(join(tmpdir(), 'octavo-overload-'))
    try {
      return await served(`file:${folder}/database`, variant, scale)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

/** Requests of which most time is the database's, and those of which most is the server's own. */
const variants: readonly [Variant, Variant] = [
  { reads: lists, writes: 2 },
  { reads: ['/api/books/1', '/api/books/2', '/api/books/3?populate=cover'], writes: 0 },
]

export const overloadFaults: readonly Fault[] = [
  onCluster('Overload: twice the requests that the database answers', variants[0]),
  onCluster('Overload: twice the requests that the process answers', variants[1]),
  embedded('Overload: twice the requests that the embedded database answers', variants[0]),
]
