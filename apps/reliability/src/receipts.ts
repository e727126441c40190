/** Clients that only create, and a count of what they created. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, ask, codeOf, dataOf } from './ask.ts'

export interface ReceiptsOptions {
  readonly clients: number
  /**
   * Whether each client sends an `Idempotency-Key` and repeats a create without an answer until it is acknowledged. Default false: the create
   * is unknown.
   */
  readonly repeats?: boolean
}

interface Line {
  readonly attributes: { readonly text: string }
}

const pageSize = 100

/**
 * Each create has a text of its own, so that one reading of all entries shows how often each was written: an acknowledged one once, an unknown one
 * at most once, a refused one never.
 */
export class Receipts {
  readonly #url: () => string
  readonly #working: readonly Promise<void>[]
  readonly #acknowledged = new Set<string>()
  readonly #unknown = new Set<string>()
  readonly #refused = new Set<string>()
  readonly #repeats: boolean
  /** Answers that are a defect. */
  readonly faulty: string[] = []
  /** Acknowledged creates that do not exist, and creates that exist twice or were refused. */
  readonly violations: string[] = []
  lost = 0
  doubled = 0
  /** Of the unknown ones, those that were written. */
  written = 0
  #isOver = false

  constructor(url: () => string, { clients, repeats = false }: ReceiptsOptions) {
    this.#url = url
    this.#repeats = repeats
    this.#working = Array.from({ length: clients }, (_, i) => this.#work(`line ${i}`))
  }

  get acknowledged(): number {
    return this.#acknowledged.size
  }

  get unknown(): number {
    return this.#unknown.size
  }

  /** Ends the creates, and compares them with all entries. */
  async finish(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#working)
    const found = await this.#found()
    for (const [text, count] of found) if (count > 1) this.#doubled(`${text} was written ${count} times`)
    for (const text of this.#refused)
      if (found.has(text)) this.#doubled(`${text} was written, and answered as not written`)
    for (const text of this.#acknowledged) {
      if (found.has(text)) continue
      this.lost += 1
      this.violations.push(`${text} was acknowledged and does not exist`)
    }
    for (const text of this.#unknown) if (found.has(text)) this.written += 1
  }

  #doubled(violation: string): void {
    this.doubled += 1
    this.violations.push(violation)
  }

  async #work(client: string): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const text = `${client} ${i}`
      for (;;) {
        const answer = await this.#create(text)
        const isUnknown = answer === undefined || codeOf(answer) === 'database/outcome-unknown'
        if (answer?.status === 200) this.#acknowledged.add(text)
        else if (isUnknown && !this.#repeats) this.#unknown.add(text)
        else if (!isUnknown && !this.#repeats) this.#refused.add(text)
        // A server or database that is away refuses at once.
        if (answer?.status !== 200) await sleep(20)
        if (answer?.status === 200 || !this.#repeats) break
      }
    }
  }

  async #create(text: string): Promise<Answer | undefined> {
    const answer = await ask(
      this.#url(),
      'POST',
      '/api/lines',
      { data: { text } },
      this.#repeats ? { 'idempotency-key': text } : {},
    )
    // A fault of the surroundings is a 503, and too much at once is a 429; a 500 is a defect.
    if (answer && answer.status >= 400 && answer.status !== 503 && answer.status !== 429)
      this.faulty.push(`POST /api/lines: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }

  /** How often each text exists. */
  async #found(): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>()
    for (let start = 0; ; start += pageSize) {
      const path = `/api/lines?fields=text&sort=id&pagination[start]=${start}&pagination[limit]=${pageSize}`
      let answer = await ask(this.#url(), 'GET', path)
      while (answer?.status !== 200) {
        await sleep(50)
        answer = await ask(this.#url(), 'GET', path)
      }
      const lines = dataOf<readonly Line[]>(answer)
      for (const { attributes } of lines) found.set(attributes.text, (found.get(attributes.text) ?? 0) + 1)
      if (lines.length < pageSize) return found
    }
  }
}
