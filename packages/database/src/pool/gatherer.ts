import { LRUCache } from 'lru-cache'
import type { Elapsed } from './stopwatch.ts'

/** The most pieces of work that are sent together. */
const most = 16

/** A message that takes so many times as long as expected is taken to have become slow. */
const patience = 25

/**
 * The factor by which an estimate grows at each execution that takes longer: it doubles in 700. Most of these waited for a processor, which
 * says nothing of the work, so an estimate is the shortest time of late.
 */
const growth = 1.001

/** Texts with an estimate, and their characters. */
const knownTexts = 1_000
const knownCharacters = 4_000_000

/** Texts that are gathered in one turn. They are looked through at each piece of work. */
const mostTexts = 32

interface Message<T> {
  readonly text: string
  /** A name for the locks that its work waits for besides those of the text. */
  readonly among: string
  readonly work: T[]
}

/**
 * Gathers the work that arrives in one turn of the event loop and differs in its values only. Most of the time of a small
 * statement is in sending and receiving, on both sides, so several in one message take hardly longer than one.
 *
 * Only quick work is gathered, since PostgreSQL runs the statements of a message one after the other. Statements with one text wait for the same
 * locks on tables, and work that waits for rows names them, so work never waits for a lock that it does not need itself.
 */
export class Gatherer<T> {
  readonly #send: (work: readonly T[]) => void
  readonly #longest: number
  readonly #joins: (known: T, work: T) => boolean
  /** The messages of the current turn of the event loop. An array: the old tables of a Map stay in memory until a full collection. */
  #turn: Message<T>[] = []
  /** Milliseconds that work of this text takes at least, by recent executions: the mean of a message. */
  readonly #times = new LRUCache<string, number>({
    max: knownTexts,
    maxSize: knownCharacters,
    sizeCalculation: (_, text) => text.length + 1,
  })

  /**
   * @param longest Milliseconds that the work of one message is expected to take together: how much longer the answer to the
   * first may take than if it had been sent alone.
   * @param joins Whether work of the same text is done with work that is not sent yet. Default: none is.
   */
  constructor(
    send: (work: readonly T[]) => void,
    longest: number,
    joins: (known: T, work: T) => boolean = () => false,
  ) {
    this.#send = send
    this.#longest = longest
    this.#joins = joins
  }

  /**
   * Sends the work with what follows of the same text in this turn; alone while its duration is unknown.
   * @param among The rows that it may wait for, and shares a message with the same ones only. Default: none.
   */
  add(work: T, text: string, among = ''): void {
    const limit = this.#limitOf(text)
    if (limit === 1) this.#send([work])
    else this.#gather(work, text, among, limit)
  }

  /**
   * Learns from an execution without an error of so many pieces of work in one message. A message that the event loop has not waited for is not taken to have become slow: its
   * answer waited for the loop. Otherwise an overloaded process would send each piece of work alone, and be the more overloaded.
   */
  took({ milliseconds, rested }: Elapsed, text: string, size: number): void {
    const time = milliseconds / size
    const known = this.#times.get(text)
    const isSlow = known === undefined || rested > this.#longest * patience
    this.#times.set(text, isSlow ? time : Math.min(time, known * growth))
  }

  #gather(work: T, text: string, among: string, limit: number): void {
    const messages = this.#turn.filter((message) => message.text === text && message.among === among)
    if (messages.some((message) => message.work.some((known) => this.#joins(known, work)))) return
    const known = messages.find((message) => message.work.length < limit)
    if (known) known.work.push(work)
    else {
      if (this.#turn.length === mostTexts) this.#sendAll()
      if (this.#turn.length === 0) setImmediate(() => this.#sendAll())
      this.#turn.push({ text, among, work: [work] })
    }
  }

  #limitOf(text: string): number {
    const time = this.#times.get(text)
    return time === undefined ? 1 : Math.max(1, Math.min(most, Math.floor(this.#longest / time)))
  }

  #sendAll(): void {
    const turn = this.#turn
    this.#turn = []
    for (const { work } of turn) this.#send(work)
  }
}
