import { type DestinationStream, symbols } from 'pino'

/** The level of warnings in pino; errors are above it. */
const warning = 40

/** Characters that are written together. A pipe that several processes share takes 4,096 bytes as a whole. */
const most = 4_000

/**
 * Writes the lines of one turn of the event loop together at its end: writing takes half of the time of a line. Warnings and errors are
 * written at once, and so is what waits when the process exits, an uncaught error included. A process that is killed in the middle of a turn
 * loses the lines of this turn.
 */
export class LinesOfTurn implements DestinationStream {
  /** pino sets {@link lastLevel} for such a stream. */
  readonly [symbols.needsMetadataGsym] = true
  lastLevel = 0
  readonly #stream: DestinationStream
  #lines = ''

  constructor(stream: DestinationStream) {
    this.#stream = stream
    process.once('exit', () => this.#write())
  }

  write(line: string): void {
    if (this.#lines.length + line.length > most) this.#write()
    const isFirst = this.#lines === ''
    this.#lines += line
    if (this.lastLevel >= warning) this.#write()
    else if (isFirst) setImmediate(() => this.#write())
  }

  #write(): void {
    const lines = this.#lines
    this.#lines = ''
    if (lines !== '') this.#stream.write(lines)
  }
}
