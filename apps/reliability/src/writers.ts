/** Clients that write items over the REST API, and compare what they read with what was acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, ask, codeOf, dataOf } from './ask.ts'
import { type Item, Ledger, type Outcome, type Value } from './ledger.ts'
import { Receipts } from './receipts.ts'

export interface WritersReport {
  readonly acknowledged: number
  /** Writes without an answer, or whose answer is that nobody knows. */
  readonly unknown: number
  /** The unknown ones that were found to be written. */
  readonly written: number
  readonly lost: number
  readonly doubled: number
  readonly violations: readonly string[]
}

/** Clients beside those that change what they wrote. */
export interface MoreClients {
  /** Number of clients that only create. Default 0. */
  readonly creating?: number
  /** Whether they repeat creates, with an `Idempotency-Key`. Default false. */
  readonly repeats?: boolean
}

/** Boxes, which items are moved between. */
const boxes = [1, 2, 3, 4]

export class Writers {
  readonly #url: () => string
  readonly #ledgers: readonly Ledger[]
  readonly #working: readonly Promise<void>[]
  readonly #receipts: Receipts
  readonly #faulty: string[] = []
  #isOver = false

  private constructor(url: () => string, clients: number, more: MoreClients) {
    this.#url = url
    this.#receipts = new Receipts(url, { clients: more.creating ?? 0, repeats: more.repeats ?? false })
    this.#ledgers = Array.from({ length: clients }, () => new Ledger())
    this.#working = this.#ledgers.map((ledger, i) => this.#work(ledger, `client ${i}`))
  }

  /**
   * Creates the boxes and begins to write, each client one request after another.
   * @param url The address of the server, which may change.
   */
  static async start(url: () => string, clients: number, more: MoreClients = {}): Promise<Writers> {
    for (const name of boxes) await ask(url(), 'POST', '/api/boxes', { data: { name: String(name) } })
    return new Writers(url, clients, more)
  }

  get acknowledged(): number {
    return this.#ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, this.#receipts.acknowledged)
  }

  /** Waits until further writes are acknowledged. @throws Error when nothing is acknowledged for a minute */
  async progress(writes: number): Promise<void> {
    const goal = this.acknowledged + writes
    let last = this.acknowledged
    let since = performance.now()
    while (this.acknowledged < goal) {
      await sleep(10)
      if (this.acknowledged !== last) {
        last = this.acknowledged
        since = performance.now()
      } else if (performance.now() - since > 60_000) throw new Error('No write was acknowledged for a minute')
    }
  }

  /** Ends the writing and reads every item. */
  async finish(): Promise<WritersReport> {
    this.#isOver = true
    await Promise.all(this.#working)
    await this.#receipts.finish()
    for (const ledger of this.#ledgers) for (const key of ledger.keys) await this.#compare(ledger, key)
    const total = (name: 'unknown' | 'written' | 'lost' | 'doubled'): number =>
      this.#ledgers.reduce((sum, ledger) => sum + ledger[name], this.#receipts[name])
    return {
      acknowledged: this.acknowledged,
      unknown: total('unknown'),
      written: total('written'),
      lost: total('lost'),
      doubled: total('doubled'),
      violations: [
        ...this.#ledgers.flatMap(({ violations }) => violations),
        ...this.#receipts.violations.slice(0, 20),
        ...[...this.#faulty, ...this.#receipts.faulty].slice(0, 20),
      ],
    }
  }

  async #ask(method: string, path: string, body?: object): Promise<Answer | undefined> {
    const answer = await ask(this.#url(), method, path, body)
    // A fault of the surroundings is a 503; a 500 is a defect.
    if (answer && answer.status >= 500 && answer.status !== 503)
      this.#faulty.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }

  /** Creates, changes, moves, deletes and reads items of its own. */
  async #work(ledger: Ledger, client: string): Promise<void> {
    const ids = new Map<string, number>()
    let step = 0
    while (!this.#isOver) {
      step += 1
      const key = `${client}, item ${step % 7}`
      // Whether the item exists must be known before it is written.
      if (ledger.possible(key).length > 1) {
        await this.#compare(ledger, key, ids)
        continue
      }
      const id = ids.get(key)
      if (id !== undefined && step % 11 === 0) {
        ledger.wrote(key, undefined, outcomeOf(await this.#ask('DELETE', `/api/items/${id}`)))
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
        ? this.#ask('POST', '/api/items', { data })
        : this.#ask('PUT', `/api/items/${id}`, { data }))
      ledger.wrote(key, value, outcomeOf(answer))
      if (id === undefined && answer?.status === 200) ids.set(key, dataOf<{ id: number }>(answer).id)
      // A server or database that is away refuses at once.
      if (answer?.status !== 200) await sleep(20)
      if (step % 13 === 0) await this.#compare(ledger, key, ids)
    }
  }

  /** Reads an item by its key until the server answers. */
  async #compare(ledger: Ledger, key: string, ids?: Map<string, number>): Promise<void> {
    for (;;) {
      const path = `/api/items?filters[key]=${encodeURIComponent(key)}&populate=*`
      const answer = await this.#ask('GET', path)
      if (answer?.status !== 200) {
        await sleep(20)
        continue
      }
      const entries = dataOf<readonly FoundItem[]>(answer)
      ledger.read(key, entries.map(itemOf))
      const [entry] = entries
      if (entry) ids?.set(key, entry.id)
      else ids?.delete(key)
      return
    }
  }
}

/** After any other error than this one nothing has been written. */
const outcomeOf = (answer: Answer | undefined): Outcome => {
  if (answer?.status === 200) return 'done'
  return answer === undefined || codeOf(answer) === 'database/outcome-unknown' ? 'unknown' : 'refused'
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
