import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@octavo/testing'
import { fault } from './check.ts'
import { fillDemo, startDemo } from './demo-server.ts'
import type { OctavoProcess } from './processes/octavo-process.ts'
import type { FuzzRequest } from './requests.ts'
import { send } from './send.ts'

export interface Fault {
  /** The rule that the answer breaks. */
  readonly reason: string
  readonly request: FuzzRequest
}

export interface FuzzReport {
  readonly engine: string
  readonly faults: readonly Fault[]
  /** Answers by their status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Whether the server still answers. */
  readonly isAlive: boolean
  /** Resident bytes after the first half of the requests and at the end; `undefined` where they cannot be read. */
  readonly memory: readonly [half: number | undefined, end: number | undefined]
}

/** Requests on their way at once. */
const together = 4

/** Faults after which a run ends. */
const enough = 20

/**
 * Sends requests to the demo, on a database of its own where everybody may do everything.
 * @param slowest Milliseconds that an answer may take.
 */
export async function fuzz(requests: readonly FuzzRequest[], slowest: number): Promise<FuzzReport> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'octavo-fuzz-'))
  // A database in memory would end between filling and starting.
  const url = database.engine === 'pglite' ? `file:${folder}/database` : database.url
  await fillDemo(url)
  const server = await startDemo(url)
  const faults: Fault[] = []
  const statuses = new Map<number, number>()
  try {
    const half = Math.ceil(requests.length / 2)
    await sendAll(server, requests.slice(0, half), slowest, faults, statuses)
    const middle = await server.memory()
    await sendAll(server, requests.slice(half), slowest, faults, statuses)
    const end = await server.memory()
    const health = await send(server.url, { method: 'GET', path: '/_health', headers: {}, body: undefined })
    const isAlive = health.kind === 'answer' && health.status === 204
    return { engine: database.engine, faults, statuses, isAlive, memory: [middle, end] }
  } finally {
    await server.stop()
    await database.drop()
    await rm(folder, { recursive: true })
  }
}

async function sendAll(
  server: OctavoProcess,
  requests: readonly FuzzRequest[],
  slowest: number,
  faults: Fault[],
  statuses: Map<number, number>,
): Promise<void> {
  let next = 0
  const sender = async (): Promise<void> => {
    for (;;) {
      const request = requests[next++]
      if (!request || faults.length >= enough) return
      const answer = await send(server.url, request)
      const status = answer.kind === 'answer' ? answer.status : 0
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const reason = fault(request, answer, slowest)
      if (reason !== undefined) faults.push({ reason, request })
    }
  }
  await Promise.all(Array.from({ length: together }, sender))
}
