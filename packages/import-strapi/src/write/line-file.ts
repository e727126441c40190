import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { withPath } from '@octavo/core/internal'

/** A file with a JSON value on each line, and no line end after the last one. */
export class LineFile {
  readonly #stream: WriteStream
  readonly #failed: Promise<never>
  #count = 0

  constructor(file: string) {
    this.#stream = createWriteStream(file)
    this.#failed = once(this.#stream, 'error').then(([error]) => Promise.reject(withPath(error, file)))
    // One of the two below waits for it.
    this.#failed.catch(() => {})
  }

  async add(value: unknown): Promise<void> {
    const text = `${this.#count++ === 0 ? '' : '\n'}${JSON.stringify(value)}`
    if (!this.#stream.write(text)) await Promise.race([this.#failed, once(this.#stream, 'drain')])
  }

  /** @returns how many lines it has. */
  async close(): Promise<number> {
    this.#stream.end()
    await Promise.race([this.#failed, once(this.#stream, 'finish')])
    return this.#count
  }
}
