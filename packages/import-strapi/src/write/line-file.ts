import { once } from 'node:events'
import { createWriteStream, openSync, type WriteStream } from 'node:fs'
import { withPath } from '@octavo/core/internal'

/** A file with a JSON value on each line, and no line end after the last one. */
export class LineFile {
  readonly #stream: WriteStream
  readonly #failed: Promise<never>
  #count = 0

  constructor(file: string) {
    // Open at once, so that its name may be removed.
    this.#stream = createWriteStream(file, { fd: openSync(file, 'wx') })
    this.#failed = once(this.#stream, 'error').then(([error]) => Promise.reject(withPath(error, file)))
    // One of the two below waits for it.
    this.#failed.catch(() => {})
  }

  async add(value: unknown): Promise<void> {
    const text = `${this.#count++ === 0 ? '' : '\n'}${JSON.stringify(value)}`
    if (!this.#stream.write(text)) await Promise.race([this.#failed, once(this.#stream, 'drain')])
  }

  /** Bytes that are written. */
  get size(): number {
    return this.#stream.bytesWritten
  }

  /** Ends the writing of a file that nobody needs any more. */
  destroy(): void {
    this.#stream.destroy()
  }

  /** @returns how many lines it has. */
  async close(): Promise<number> {
    this.#stream.end()
    await Promise.race([this.#failed, once(this.#stream, 'finish')])
    return this.#count
  }
}
