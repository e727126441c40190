import { toParameter } from '../sql/parameter.ts'
import type { Bindable } from '../sql/sql.ts'
import type { Row } from '../store/store.ts'
import type { BatchStatement } from './batch.ts'

/**
 * A statement of a transaction. It has its name when it is sent, which the connection of another transaction may do, and passes
 * its rows on when the message has succeeded: after an error it may be sent again.
 */
export class UnsentStatement implements BatchStatement {
  readonly text: string
  readonly values: BatchStatement['values']
  #name: string | undefined
  #rows: Row[] = []
  readonly #receive: ((row: Row) => void) | undefined

  /** @param receive Receives the rows. Default: none; see {@link rows}. */
  constructor(text: string, values: readonly Bindable[], receive?: (row: Row) => void) {
    this.text = text
    this.values = values.map(toParameter)
    this.#receive = receive
  }

  get name(): string | undefined {
    return this.#name
  }

  /** The rows of the last attempt. */
  get rows(): readonly Row[] {
    return this.#rows
  }

  onRow(row: Row): void {
    this.#rows.push(row)
  }

  /** Begins an attempt to send it. @param name That on the connection, if it has one. */
  begin(name: string | undefined): void {
    this.#name = name
    this.#rows = []
  }

  /** Passes its rows on. */
  end(): void {
    if (this.#receive) this.#rows.forEach(this.#receive)
  }
}
