import type { Connection, Submittable } from 'pg'
import type { RawResult } from './queryable.ts'
import type { Row } from './store.ts'

export interface BatchStatement {
  readonly text: string
  /** The name under which it is prepared, if any. */
  readonly name: string | undefined
  /** In PostgreSQL's text format. */
  readonly values: readonly (string | null)[]
  readonly onRow?: ((row: Row) => void) | undefined
}

/** The parts of pg's connection that its types leave out; pg-cursor and pg-query-stream use them, too. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  /** The texts of the prepared statements, by name. */
  readonly parsedStatements: Record<string, string>
  /** Those that the server has not confirmed yet. */
  readonly submittedNamedStatements: Record<string, string>
  parse(statement: { text: string; name: string; types: readonly number[] }): void
  bind(values: { statement: string; values: readonly (string | null)[] }): void
  describe(portal: { type: 'P' }): void
  execute(portal: object): void
  sync(): void
}

interface RowDescription {
  readonly fields: readonly { readonly name: string }[]
}

interface DataRow {
  readonly fields: Row
}

type Done = (error: unknown, result: BatchResult) => void

/** The rows of the wanted statement, and the tag of the last one: `INSERT 0 1`, `COMMIT`, `ROLLBACK`. */
export interface BatchResult extends RawResult {
  readonly lastTag: string
}

/**
 * Several statements in one round trip: pg sends them together, with one Sync at the end. After an error PostgreSQL skips
 * the remaining ones, `commit` included.
 *
 * pg calls the methods as it does those of its own queries. Each statement is sent with its values (extended protocol), so it is
 * a single one.
 */
export class Batch implements Submittable {
  readonly #statements: readonly BatchStatement[]
  /** The index of the statement whose rows are returned. */
  readonly #wanted: number
  readonly #done: Done
  #completed = 0
  #lastTag = ''
  #columns: readonly string[] = []
  readonly #rows: Row[] = []

  constructor(statements: readonly BatchStatement[], wanted: number, done: Done) {
    this.#statements = statements
    this.#wanted = wanted
    this.#done = done
  }

  /** The running statement's name and text: pg records them when the server has prepared it. */
  get name(): string | undefined {
    return this.#statements[this.#completed]?.name
  }

  get text(): string | undefined {
    return this.#statements[this.#completed]?.text
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire
    wire.stream.cork()
    try {
      for (let i = 0; i < this.#statements.length; i++) {
        const { text, name = '', values } = this.#statements[i] as BatchStatement
        if (name === '' || !isPrepared(wire, name)) {
          wire.parse({ text, name, types: [] })
          if (name !== '') wire.submittedNamedStatements[name] = text
        }
        wire.bind({ statement: name, values })
        if (i === this.#wanted) wire.describe({ type: 'P' })
        wire.execute({})
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#columns = fields.map(({ name }) => name)
  }

  handleDataRow({ fields }: DataRow): void {
    if (this.#completed === this.#wanted) this.#rows.push(fields)
    else this.#statements[this.#completed]?.onRow?.(fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#completed += 1
    this.#lastTag = text
  }

  handleReadyForQuery(): void {
    this.#done(undefined, { columns: this.#columns, rows: this.#rows, lastTag: this.#lastTag })
  }

  handleError(error: unknown, connection: Connection): void {
    // Statements after the failed one were not prepared.
    const { submittedNamedStatements } = connection as unknown as Wire
    for (const { name } of this.#statements.slice(this.#completed))
      if (name !== undefined) delete submittedNamedStatements[name]
    this.#done(error, { columns: [], rows: [], lastTag: '' })
  }
}

const isPrepared = ({ parsedStatements, submittedNamedStatements }: Wire, name: string): boolean =>
  (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined
