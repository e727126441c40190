import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { ConfigurationError } from '@octavo/core'

/** Page cache of SQLite, in KiB. */
const cacheKib = 8_000

const another = 'The environment variable TMPDIR names another place for them.'

/** SQLITE_FULL */
const isFull = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 13

/** A new folder. @throws ConfigurationError */
export function temporaryFolder(): string {
  try {
    return mkdtempSync(path.join(tmpdir(), 'octavo-strapi-'))
  } catch (error) {
    throw new ConfigurationError(
      `Temporary files cannot be written in ${tmpdir()} (${(error as Error).message}). ${another}`,
      { cause: error },
    )
  }
}

/**
 * Removes the name of a temporary file that is open, where the system allows it: the file ends with its last user, so that a process that
 * is killed leaves nothing of the source behind. Windows refuses it.
 */
export function removeName(place: string): void {
  if (process.platform !== 'win32') rmSync(place, { recursive: true, force: true })
}

/** A SQLite database in a temporary file, for lookups of ids and links that do not fit into memory. `close` removes it. */
export class Scratch {
  readonly #folder = temporaryFolder()
  readonly #db = new DatabaseSync(path.join(this.#folder, 'scratch.db'))
  readonly #statements = new Map<string, StatementSync>()
  readonly #numbers = new Map<string, number>()
  readonly #names: string[] = []

  constructor(tables: string) {
    this.#db.exec(
      `pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive; pragma cache_size = -${cacheKib}; pragma temp_store = file`,
    )
    this.#db.exec(tables)
    // Not before: SQLite looks at the name until it has its exclusive lock, which the first write takes.
    removeName(this.#folder)
  }

  /** The number of a name, which tables store in its place. */
  number(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    const number = this.#names.push(name) - 1
    this.#numbers.set(name, number)
    return number
  }

  name(number: unknown): string {
    return this.#names[Number(number)] ?? ''
  }

  /** Runs a statement. @returns the number of changed rows. */
  run(text: string, ...values: readonly SQLInputValue[]): number {
    return this.#named(() => Number(this.#statement(text).run(...values).changes))
  }

  all(text: string, ...values: readonly SQLInputValue[]): readonly Readonly<Record<string, unknown>>[] {
    return this.#named(() => this.#statement(text).all(...values))
  }

  iterate(text: string, ...values: readonly SQLInputValue[]): Iterable<Readonly<Record<string, unknown>>> {
    // Not a cached statement: two places may iterate over the same one at a time.
    return this.#db.prepare(text).iterate(...values)
  }

  /** Runs `work` in a transaction, which makes many inserts fast. */
  batch(work: () => void): void {
    this.#named(() => {
      this.#db.exec('begin')
      work()
      this.#db.exec('commit')
    })
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** SQLite says that a disk is full, and not which one. @throws ConfigurationError */
  #named<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!isFull(error)) throw error
      throw new ConfigurationError(
        `No space is left for the temporary files in ${path.dirname(this.#folder)}. ${another}`,
        { cause: error },
      )
    }
  }

  #statement(text: string): StatementSync {
    const known = this.#statements.get(text)
    if (known) return known
    const made = this.#db.prepare(text)
    this.#statements.set(text, made)
    return made
  }
}
