/** The figures of a server under twice the load that it answers, and of the processes that measure it. */
import { readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OctavoProcess } from '../processes/octavo-process.ts'
import { timed } from '../timed-request.ts'
import { generate, type LoadFigures } from './load-process.ts'

/** Clients at once while the capacity is measured: enough that the server always has work. */
const together = 24

/**
 * Requests a second of the process that measures times. It has almost nothing to do, so that an answer does not wait in it,
 * as it does in the process that makes the load.
 */
const probes = 50

/** Seconds of each measurement. */
export interface Durations {
  readonly capacity: number
  readonly overload: number
}

/** Processor time in seconds. */
interface Used {
  readonly server: number
  readonly generator: number
  readonly seconds: number
}

export interface Measured {
  /** As many requests as 24 clients send that wait for their answers, before and after the overload. */
  readonly before: LoadFigures
  readonly after: LoadFigures
  /** Twice as many, whatever the answers. */
  readonly load: LoadFigures
  /** A few of the same requests beside them, from another process. */
  readonly probe: LoadFigures
  /** Milliseconds of `/_health` on new connections. */
  readonly health: readonly number[]
  readonly failedHealth: number
  /** Bytes of the server: at most, and when they were below `enough` or a minute after the load. */
  readonly memory: { readonly most: number; readonly left: number; readonly seconds: number }
  readonly quiet: Used
  readonly loaded: Used
}

/** Seconds after the load within which memory has to be below its bound. */
const rest = 60

/** @param enough Bytes of memory below which the server has given back what the load took. */
export async function measure(
  server: OctavoProcess,
  requests: readonly string[],
  durations: Durations,
  enough: number,
): Promise<Measured> {
  const { url } = server
  const { capacity: short, overload: long } = durations
  const capacity = () =>
    using(server, short, () => generate({ url, requests, clients: together, seconds: short }))
  await capacity()
  const [before, quiet] = await capacity()
  const rate = before.perSecond * 2 - probes
  // The order of the one that measures is another one, so that they are not in step.
  const reversed = requests.toReversed()
  const both = () =>
    Promise.all([
      generate({ url, requests, rate, seconds: long }),
      generate({ url, requests: reversed, rate: probes, seconds: long }),
    ])
  const { result, health, failedHealth, most } = await watched(
    server,
    using(server, long, async () => {
      const [load, probe] = await both()
      return { ...load, probe }
    }),
  )
  const [{ probe, ...load }, loaded] = result
  const memory = { most, ...(await memoryAfter(server, enough)) }
  const [after] = await capacity()
  return { before, after, load, probe, health, failedHealth, memory, quiet, loaded }
}

/** Processor time of the server and of the generator while `work` runs. */
async function using<T extends LoadFigures>(
  server: OctavoProcess,
  seconds: number,
  work: () => Promise<T>,
): Promise<readonly [T, Used]> {
  const before = await server.processorTime()
  const figures = await work()
  const used = (await server.processorTime()) - before
  return [figures, { server: used, generator: figures.processor, seconds }]
}

/** Requests `/_health` on new connections, as a load balancer does, and watches memory, while `work` runs. */
async function watched<T>(server: OctavoProcess, work: Promise<T>) {
  const agent = new Agent({ keepAlive: false })
  const health: number[] = []
  let failedHealth = 0
  let most = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { status, milliseconds } = await timed(agent, server.url, { method: 'GET', path: '/_health' })
      if (status === 204) health.push(milliseconds)
      else failedHealth += 1
      most = Math.max(most, (await server.memoryApart()).own ?? 0)
      await sleep(50)
    }
  })()
  try {
    const result = await work
    return { result, health, failedHealth, most }
  } finally {
    isOver = true
    await watching
  }
}

async function memoryAfter(server: OctavoProcess, enough: number) {
  const began = performance.now()
  for (;;) {
    const left = (await server.memoryApart()).own ?? 0
    const seconds = (performance.now() - began) / 1_000
    if (left < enough || seconds > rest) return { left, seconds }
    await sleep(500)
  }
}

/** The part of the processors that is in use, over a second: by other programs, when this one is idle. */
export async function busyPart(): Promise<number> {
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
