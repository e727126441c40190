/** Clients that write to the same entries while the server is killed, with every operation recorded. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, ask, codeOf, dataOf } from '../ask.ts'
import { withKilledServer } from '../processes/killed-server.ts'
import { type Append, anomalies, type BoxesRead, type ListRead, type Put, type Span } from './history.ts'

interface Identified {
  readonly id: number
}

export interface ModelOptions {
  /** An empty database; `memory://`: the embedded one, in a folder of its own. */
  readonly database: string
  readonly kills: number
  /** Rounds of each client between two kills. */
  readonly rounds: number
  readonly clients: number
  /** The text of the configuration. */
  readonly config?: string
}

export interface ModelReport {
  readonly writes: number
  readonly reads: number
  /** Writes whose connection broke. */
  readonly unknown: number
  readonly anomalies: readonly string[]
}

const lists = [1, 2]
const boxes = [1, 2, 3]

/**
 * Every client appends to shared lists, moves shared items between boxes from either side of the relation, creates and
 * deletes items, and reads lists and boxes.
 */
export async function runModel({
  database,
  kills,
  rounds,
  clients,
  config,
}: ModelOptions): Promise<ModelReport> {
  return withKilledServer(database, config, async (server) => {
    const recorder = new Recorder(server.url)
    await recorder.prepare()
    let done = 0
    let isOver = false
    const working = Array.from({ length: clients }, async (_, client) => {
      for (let i = client; !isOver; i++) {
        await recorder.round(i)
        done += 1
      }
    })
    for (let kill = 0; kill <= kills; kill++) {
      const goal = done + rounds * clients
      while (done < goal) await sleep(10)
      if (kill === kills) break
      await server.restart()
    }
    isOver = true
    await Promise.all(working)
    await recorder.readAll()
    return recorder.report()
  })
}

class Recorder {
  readonly #url: string
  readonly #appends: Append[] = []
  readonly #listReads: ListRead[] = []
  readonly #puts: Put[] = []
  readonly #boxReads: BoxesRead[] = []
  /** Items that are not deleted. */
  readonly #items: number[] = []
  #unknownItems = 0
  readonly #faulty: string[] = []

  constructor(url: string) {
    this.#url = url
  }

  async prepare(): Promise<void> {
    for (const _ of lists) await ask(this.#url, 'POST', '/api/logs', { data: {} })
    for (const box of boxes) await ask(this.#url, 'POST', '/api/boxes', { data: { name: `${box}` } })
    for (let i = 0; i < 6; i++) await this.#create(1)
  }

  /** @param i Chooses what is written. */
  async round(i: number): Promise<void> {
    await this.#append(pick(lists, i))
    const item = pick(this.#items, i * 7)
    // Another box each time that the turn comes to an item.
    const box = pick(boxes, i + Math.floor(i / 6))
    if (i % 9 === 0) await this.#create(box)
    else if (i % 9 === 4 && this.#items.length > 6) await this.#remove(this.#items.shift() ?? 0)
    else await this.#move(item, box, i % 2 === 0)
    await this.#readBoxes()
    await this.#readList(pick(lists, i + 1))
  }

  async readAll(): Promise<void> {
    for (const list of lists) await this.#readList(list)
    await this.#readBoxes()
  }

  report(): ModelReport {
    const writes = [...this.#appends, ...this.#puts]
    return {
      writes: writes.length,
      reads: this.#listReads.length + this.#boxReads.length,
      unknown: writes.filter(({ end }) => end === Number.POSITIVE_INFINITY).length + this.#unknownItems,
      anomalies: [
        ...anomalies({
          appends: this.#appends,
          listReads: this.#listReads,
          puts: this.#puts,
          boxReads: this.#boxReads,
          unknownItems: this.#unknownItems,
        }),
        ...this.#faulty,
      ],
    }
  }

  async #append(list: number): Promise<void> {
    const made = await this.#ask('POST', '/api/lines', { data: { text: 'x' } })
    if (made.answer?.status !== 200) return
    const { id: value } = dataOf<Identified>(made.answer)
    const { span } = await this.#ask('PUT', `/api/logs/${list}`, { data: { lines: { connect: [value] } } })
    if (span) this.#appends.push({ list, value, ...span })
  }

  async #create(box: number): Promise<void> {
    const { answer, span } = await this.#ask('POST', '/api/items', { data: { key: 'x', box } })
    if (span?.end === Number.POSITIVE_INFINITY) this.#unknownItems += 1
    if (answer?.status !== 200 || !span) return
    const { id: item } = dataOf<Identified>(answer)
    this.#puts.push({ item, box, ...span })
    this.#items.push(item)
  }

  async #move(item: number, box: number, fromItem: boolean): Promise<void> {
    const { span } = fromItem
      ? await this.#ask('PUT', `/api/items/${item}`, { data: { box } })
      : await this.#ask('PUT', `/api/boxes/${box}`, { data: { items: { connect: [item] } } })
    if (span) this.#puts.push({ item, box, ...span })
  }

  async #remove(item: number): Promise<void> {
    const { span } = await this.#ask('DELETE', `/api/items/${item}`)
    if (span) this.#puts.push({ item, box: undefined, ...span })
  }

  async #readList(list: number): Promise<void> {
    const { answer, span } = await this.#ask('GET', `/api/logs/${list}?populate[lines][fields]=id`)
    if (answer?.status !== 200 || !span) return
    const { lines } = dataOf<{ attributes: { lines: { data: readonly Identified[] } } }>(answer).attributes
    this.#listReads.push({ list, values: lines.data.map(({ id }) => id), ...span })
  }

  async #readBoxes(): Promise<void> {
    const { answer, span } = await this.#ask('GET', '/api/boxes?populate[items][fields]=id')
    if (answer?.status !== 200 || !span) return
    const found =
      dataOf<readonly (Identified & { attributes: { items: { data: readonly Identified[] } } })[]>(answer)
    this.#boxReads.push({
      boxes: new Map(found.map(({ id, attributes }) => [id, attributes.items.data.map((item) => item.id)])),
      ...span,
    })
  }

  /** @returns the time of the operation; `undefined` when it was refused and must have no effect */
  async #ask(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly answer: Answer | undefined; readonly span: Span | undefined }> {
    const start = performance.now()
    const answer = await ask(this.#url, method, path, body)
    const end = performance.now()
    if (answer === undefined || codeOf(answer) === 'database/outcome-unknown') {
      await sleep(20)
      return { answer, span: { start, end: Number.POSITIVE_INFINITY } }
    }
    if (answer.status >= 500 && answer.status !== 503)
      this.#faulty.push(`${method} ${path}: ${answer.status}`)
    return { answer, span: answer.status === 200 ? { start, end } : undefined }
  }
}

const pick = (values: readonly number[], i: number): number => values[i % values.length] ?? 0
