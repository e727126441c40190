import { isUnavailable, mayBeCommitted } from '../error/database-error.ts'
import { Place } from '../sql/sql.ts'
import type { BatchResult } from '../wire/batch.ts'
import { UnsentStatement } from '../wire/unsent-statement.ts'
import { Gatherer } from './gatherer.ts'
import { stopwatch } from './stopwatch.ts'

/**
 * Milliseconds that the writes of one message are expected to take together. Most of the time of a write is its commit, which
 * those of a message share, so it is longer than that of reads.
 */
const longestRound = 10

/** The most characters of the values in one message. Larger writes are sent alone: their time is not in sending and receiving. */
const mostCharacters = 20_000

/** Characters of the texts that are known. Clients decide on the forms of statements, so the texts are forgotten at once when they are many. */
const mostKnown = 1_000_000

/**
 * Limits the wait for a lock in a message whose transactions lock existing rows: somebody else may hold one of them for long, and the
 * others have nothing to do with it.
 */
const limitWaits = `select set_config('lock_timeout', '50ms', true)`

/** The result of a message, or its error. */
export interface Outcome {
  readonly error: Error | undefined
  readonly result: BatchResult
}

/** A transaction that is one message. */
export interface WholeTransaction {
  /** The rows that it may wait for: it shares a message with the same ones only. */
  readonly among: string
  /** The id of the existing row that it locks; those of a message lock theirs in ascending order. */
  readonly locked: number | undefined
  readonly statements: readonly UnsentStatement[]
  /** Runs statements in one message on its own connection: in one transaction, which is committed. */
  readonly run: (statements: readonly UnsentStatement[]) => Promise<Outcome>
}

interface Waiting extends WholeTransaction {
  readonly text: string
  readonly resolve: (isDone: boolean) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends transactions of one turn of the event loop that are one message each, and differ in their values only, together: as one
 * transaction, on the connection of the first. PostgreSQL takes the message, commits and writes its log once for all of them.
 *
 * After an error none of them has happened, so each then runs alone and has an error of its own.
 */
export class GatheredWrites {
  readonly #gatherer: Gatherer<Waiting>
  #texts = new Place()
  #known = 0

  /** @param longest Milliseconds that the writes of one message are expected to take at most. Default 10. */
  constructor(longest: number = longestRound) {
    this.#gatherer = new Gatherer((transactions) => {
      this.#run(transactions).catch((error: unknown) => {
        for (const { reject } of transactions) reject(error)
      })
    }, longest)
  }

  /**
   * @returns whether the transaction is committed; if not, nothing of it has happened, and its caller runs it alone.
   * @throws the driver's error when the connection breaks; whether it is committed is not known then.
   */
  run(transaction: WholeTransaction): Promise<boolean> {
    const { statements, among } = transaction
    if (charactersOf(statements) > mostCharacters) return Promise.resolve(false)
    const text = this.#textOf(statements)
    return new Promise((resolve, reject) =>
      this.#gatherer.add({ ...transaction, text, resolve, reject }, text, among),
    )
  }

  /** The text of the statements: one string for the same statements, since a new one of thousands of characters would be hashed each time. */
  #textOf(statements: readonly UnsentStatement[]): string {
    let place = this.#texts
    for (const { text } of statements) place = place.behind(text)
    if (place.text === undefined) {
      place.text = statements.map(({ text }) => text).join(';')
      this.#known += place.text.length
      if (this.#known > mostKnown) [this.#texts, this.#known] = [new Place(), 0]
    }
    return place.text
  }

  async #run(transactions: readonly Waiting[]): Promise<void> {
    const [first] = transactions
    if (!first) return
    const statements = statementsOf(transactions)
    const elapsed = stopwatch()
    const { error, result } = await first.run(statements)
    if (!error) {
      this.#gatherer.took(elapsed(), first.text, transactions.length)
      for (const { resolve } of transactions) resolve(true)
      return
    }
    const isUndone = !mayBeCommitted(error, result.completed === statements.length)
    // Without the connection the first could not run alone.
    if (transactions.length > 1 && isUndone && !isUnavailable(error))
      for (const { resolve } of transactions) resolve(false)
    else for (const { reject } of transactions) reject(error)
  }
}

function statementsOf(transactions: readonly WholeTransaction[]): readonly UnsentStatement[] {
  if (transactions.length === 1 || transactions.every(({ locked }) => locked === undefined))
    return transactions.flatMap(({ statements }) => statements)
  // Two messages that lock the same rows in another order would wait for each other.
  const inOrder = transactions.toSorted((one, other) => (one.locked ?? 0) - (other.locked ?? 0))
  return [new UnsentStatement(limitWaits, []), ...inOrder.flatMap(({ statements }) => statements)]
}

function charactersOf(statements: readonly UnsentStatement[]): number {
  let sum = 0
  for (const { values } of statements) for (const value of values) sum += value?.length ?? 0
  return sum
}
