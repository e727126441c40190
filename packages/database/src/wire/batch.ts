import type { Connection, Submittable } from 'pg'
import { noteStatement } from '../error/failed-statement.ts'
import type { RawResult } from '../store/queryable.ts'
import type { Row } from '../store/store.ts'
import { Messages } from './messages.ts'

export interface BatchStatement {
  readonly text: string
  /** The name under which it is prepared, if any. */
  readonly name: string | undefined
  /** In PostgreSQL's text format. */
  readonly values: readonly (string | null)[]
  /** Receives its rows, unless the rows of this statement are the result of the batch. */
  readonly onRow?: ((row: Row) => void) | undefined
}

/** The parts of pg's connection that its types leave out; pg-cursor and pg-query-stream use them, too. */
interface Wire {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): void }
  /** The texts of the prepared statements, by name. */
  readonly parsedStatements: Record<string, string>
  /** The texts of statements that are sent and not confirmed by PostgreSQL yet, by name. */
  readonly submittedNamedStatements: Record<string, string>
  sendCopyFail(message: string): void
  sync(): void
}

interface RowDescription {
  readonly fields: readonly { readonly name: string }[]
}

interface DataRow {
  readonly fields: Row
}

/** The rows of one statement, and the tag of the last statement: `INSERT 0 1`, `COMMIT`, `ROLLBACK`. */
export interface BatchResult extends RawResult {
  /** Empty unless they are requested. */
  readonly columns: readonly string[]
  readonly lastTag: string
  /** Statements that were completed: all, or those before the one with the error. */
  readonly completed: number
}

export interface BatchOptions {
  /** The index of the statement whose rows are returned; -1: none. */
  readonly wanted: number
  /** Whether its columns are described. That takes a tenth of the server's time for a small read. */
  readonly isDescribed: boolean
}

type Done = (error: Error | undefined, result: BatchResult) => void

const noResult = { columns: [], rows: [], lastTag: '' }

/**
 * Statements in one round trip, with one Sync at the end: after an error PostgreSQL skips the remaining ones, `commit`
 * included. Rows are arrays of the texts that PostgreSQL sends; pg's own queries would convert them.
 *
 * pg calls the methods as it does those of its own queries. Each text is a single statement (extended protocol).
 */
export class Batch implements Submittable {
  readonly #statements: readonly BatchStatement[]
  readonly #options: BatchOptions
  readonly #done: Done
  #completed = 0
  #lastTag = ''
  #columns: readonly string[] = []
  readonly #rows: Row[] = []

  /** @param done Called once, with an error or the result. */
  constructor(statements: readonly BatchStatement[], options: BatchOptions, done: Done) {
    this.#statements = statements
    this.#options = options
    this.#done = done
  }

  /** The running statement's name and text: pg records them when PostgreSQL has prepared it. */
  get name(): string | undefined {
    return this.#statements[this.#completed]?.name
  }

  get text(): string | undefined {
    return this.#statements[this.#completed]?.text
  }

  /** @returns an error instead of throwing it: pg passes it to {@link handleError}. */
  submit(connection: Connection): Error | undefined {
    const wire = connection as unknown as Wire
    try {
      const messages = this.#messages(wire)
      if (wire.stream.writable) wire.stream.write(messages)
      return undefined
    } catch (error) {
      return error as Error // of Buffer or Messages
    }
  }

  #messages(wire: Wire): Buffer {
    const { wanted, isDescribed } = this.#options
    let size = 0
    for (const { name = '', text, values } of this.#statements) size += Messages.sizeOf(name, text, values)
    const messages = new Messages(size)
    for (let i = 0; i < this.#statements.length; i++) {
      const { name = '', text, values } = this.#statements[i] as BatchStatement
      if (name === '' || !isPrepared(wire, name)) {
        messages.parse(name, text)
        if (name !== '') wire.submittedNamedStatements[name] = text
      }
      messages.bind(name, values)
      if (isDescribed && i === wanted) messages.describe()
      messages.execute()
    }
    return messages.end()
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#columns = fields.map(({ name }) => name)
  }

  handleDataRow({ fields }: DataRow): void {
    if (this.#completed === this.#options.wanted) this.#rows.push(fields)
    else this.#statements[this.#completed]?.onRow?.(fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#completed += 1
    this.#lastTag = text
  }

  /** In place of the tag, for a text without a statement. */
  handleEmptyQuery(): void {
    this.#completed += 1
  }

  /** `copy … from stdin`: there is nothing to send. PostgreSQL answers with an error. */
  handleCopyInResponse(connection: Connection): void {
    const wire = connection as unknown as Wire
    wire.sendCopyFail('No data is sent with a statement')
    // PostgreSQL ignores a Sync while it waits for data.
    wire.sync()
  }

  /** `copy … to stdout`: its rows have no columns, and are not returned. */
  handleCopyData(): void {}

  /** Execute has no limit on rows. */
  handlePortalSuspended(): void {}

  handleReadyForQuery(): void {
    this.#done(undefined, {
      columns: this.#columns,
      rows: this.#rows,
      lastTag: this.#lastTag,
      completed: this.#completed,
    })
  }

  handleError(error: Error, connection: Connection): void {
    // Statements after the failed one were not prepared.
    const { submittedNamedStatements } = connection as unknown as Wire
    noteStatement(error, this.text)
    for (const { name } of this.#statements.slice(this.#completed))
      if (name !== undefined) delete submittedNamedStatements[name]
    this.#done(error, { ...noResult, completed: this.#completed })
  }
}

const isPrepared = ({ parsedStatements, submittedNamedStatements }: Wire, name: string): boolean =>
  (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined
