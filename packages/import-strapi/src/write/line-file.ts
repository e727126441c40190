import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** A file with a JSON value on each line, and no line end after the last one. */
export class LineFile {
  readonly #stream: WriteStream
  #count = 0

  constructor(file: string) {
    this.#stream = createWriteStream(file)
  }

  async add(value: unknown): Promise<void> {
    const text = `${this.#count++ === 0 ? '' : '\n'}${JSON.stringify(value)}`
    if (!this.#stream.write(text)) await once(this.#stream, 'drain')
  }

  /** @returns how many lines it has. */
  async close(): Promise<number> {
    this.#stream.end()
    await finished(this.#stream)
    return this.#count
  }
}
