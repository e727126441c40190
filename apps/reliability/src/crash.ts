/** Writes over the REST API while the server is killed and started again, and compares the stored entries with the acknowledged writes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@octavo/testing'
import { type Item, Ledger, type Outcome, type Value } from './ledger.ts'

export interface CrashReport {
  readonly engine: string
  readonly kills: number
  readonly acknowledged: number
  /** Writes whose connection broke. */
  readonly unknown: number
  readonly violations: readonly string[]
}

export interface CrashOptions {
  /** How often the server is killed. */
  readonly kills: number
  /** Writes that must be acknowledged between two kills. */
  readonly writesBetween: number
  readonly clients: number
}

/** Boxes, which items are moved between. */
const boxes = [1, 2, 3, 4]

const folderFiles = {
  'content-types/box.json': {
    kind: 'collectionType',
    info: { singularName: 'box', pluralName: 'boxes' },
    attributes: {
      name: { type: 'string' },
      items: { type: 'relation', relation: 'oneToMany', target: 'api::item.item', mappedBy: 'box' },
    },
  },
  'content-types/item.json': {
    kind: 'collectionType',
    info: { singularName: 'item', pluralName: 'items' },
    attributes: {
      key: { type: 'string', required: true },
      n: { type: 'integer' },
      parts: { type: 'component', component: 'list.part', repeatable: true },
      box: { type: 'relation', relation: 'manyToOne', target: 'api::box.box', inversedBy: 'items' },
    },
  },
  'components/list/part.json': { attributes: { value: { type: 'integer' } } },
}

/** @throws Error with the server's output when it ends by itself. */
export async function crash({ kills, writesBetween, clients }: CrashOptions): Promise<CrashReport> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'octavo-crash-'))
  for (const [file, content] of Object.entries(folderFiles)) {
    await mkdir(join(folder, file, '..'), { recursive: true })
    await writeFile(join(folder, file), JSON.stringify(content))
  }
  await writeFile(
    join(folder, 'octavo.config.mjs'),
    `export default { content: '.', plugins: [], access: 'open' }\n`,
  )
  const url = database.engine === 'pglite' ? `file:${folder}/database` : database.url
  const server = new KilledServer(folder, url, await freePort())
  try {
    await server.start()
    for (const name of boxes) await server.request('POST', '/api/boxes', { data: { name: String(name) } })
    const ledgers = Array.from({ length: clients }, () => new Ledger())
    const acknowledged = (): number => ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0)
    let isOver = false
    const working = ledgers.map((ledger, i) => work(server, ledger, `client ${i}`, () => isOver))
    for (let kill = 0; kill < kills; kill++) {
      const before = acknowledged()
      while (acknowledged() < before + writesBetween) await sleep(10)
      await server.kill()
      await server.start()
    }
    isOver = true
    await Promise.all(working)
    for (const ledger of ledgers) for (const key of ledger.keys) await compare(server, ledger, key)
    return {
      engine: database.engine,
      kills,
      acknowledged: acknowledged(),
      unknown: ledgers.reduce((sum, ledger) => sum + ledger.unknown, 0),
      violations: ledgers.flatMap(({ violations }) => violations),
    }
  } finally {
    await server.kill()
    await database.drop()
    await rm(folder, { recursive: true, maxRetries: 5 })
  }
}

/** Creates, changes, moves, deletes and reads items of its own, one request after another. */
async function work(
  server: KilledServer,
  ledger: Ledger,
  client: string,
  isOver: () => boolean,
): Promise<void> {
  const ids = new Map<string, number>()
  let step = 0
  while (!isOver()) {
    step += 1
    const key = `${client}, item ${step % 7}`
    // Whether the item exists must be known before it is written.
    if (ledger.possible(key).length > 1) {
      await compare(server, ledger, key, ids)
      continue
    }
    const id = ids.get(key)
    if (id !== undefined && step % 11 === 0) {
      ledger.wrote(key, undefined, outcomeOf(await server.request('DELETE', `/api/items/${id}`)))
      if (ledger.possible(key).length === 1 && ledger.possible(key)[0] === undefined) ids.delete(key)
      continue
    }
    const n = step % 5
    const value: Item = {
      n,
      parts: Array.from({ length: n }, (_, i) => step * 10 + i),
      box: boxes[step % boxes.length] ?? 1,
    }
    const data = { key, n, parts: value.parts.map((part) => ({ value: part })), box: value.box }
    const answer = await (id === undefined
      ? server.request('POST', '/api/items', { data })
      : server.request('PUT', `/api/items/${id}`, { data }))
    ledger.wrote(key, value, outcomeOf(answer))
    if (id === undefined && answer?.status === 200) ids.set(key, answer.body.data.id)
    if (step % 13 === 0) await compare(server, ledger, key, ids)
  }
}

const outcomeOf = (answer: Answer | undefined): Outcome => {
  if (answer === undefined) return 'unknown'
  return answer.status === 200 ? 'done' : 'refused'
}

/** Reads an item by its key until the server answers. */
async function compare(
  server: KilledServer,
  ledger: Ledger,
  key: string,
  ids?: Map<string, number>,
): Promise<void> {
  for (;;) {
    const answer = await server.request(
      'GET',
      `/api/items?filters[key]=${encodeURIComponent(key)}&populate=*`,
    )
    if (answer?.status !== 200) {
      await sleep(20)
      continue
    }
    const entries: readonly FoundItem[] = answer.body.data
    ledger.read(key, entries.map(itemOf))
    const [entry] = entries
    if (entry) ids?.set(key, entry.id)
    else ids?.delete(key)
    return
  }
}

interface FoundItem {
  readonly id: number
  readonly attributes: {
    readonly n: number
    readonly parts: readonly { readonly value: number }[]
    readonly box: { readonly data: { readonly id: number } | null }
  }
}

const itemOf = ({ attributes: { n, parts, box } }: FoundItem): Exclude<Value, undefined> => ({
  n,
  parts: parts.map(({ value }) => value),
  box: box.data?.id ?? 0,
})

interface Answer {
  readonly status: number
  // The forms of the answers are those of the contract.
  // biome-ignore lint/suspicious/noExplicitAny: JSON of requests that this file makes
  readonly body: any
}

/** `octavo start` in a process of its own, on the same port after each kill. */
class KilledServer {
  readonly #folder: string
  readonly #database: string
  readonly #port: number
  #process: ChildProcess | undefined

  constructor(folder: string, database: string, port: number) {
    this.#folder = folder
    this.#database = database
    this.#port = port
  }

  async start(): Promise<void> {
    const bin = fileURLToPath(new URL('../../../packages/cli/dist/bin.js', import.meta.url))
    const child = spawn(
      process.execPath,
      [
        ...[bin, 'start', '--config', join(this.#folder, 'octavo.config.mjs'), '--database', this.#database],
        ...['--port', String(this.#port), '--host', '127.0.0.1', '--log', 'json'],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let output = ''
    const collect = (chunk: Buffer): void => {
      output = `${output}${chunk}`.slice(-5_000)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    this.#process = child
    while ((await this.request('GET', '/_health'))?.status !== 204) {
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output}`)
      await sleep(20)
    }
  }

  async kill(): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** `undefined` when the connection broke, or nothing listens. */
  async request(method: string, path: string, body?: object): Promise<Answer | undefined> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    } catch {
      return undefined
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
