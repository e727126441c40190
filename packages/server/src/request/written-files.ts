import { createWriteStream, type WriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'

/**
 * The files of a body while they are written. formidable ignores the errors in the callbacks of a stream, counts bytes that were not written,
 * and ends before the event of the error. On a full disk the last part of a file would be missing without an error.
 */
export class WrittenFiles {
  readonly #streams: { readonly stream: WriteStream; readonly ended: Promise<unknown> }[] = []

  open(path: string): Writable {
    const stream = createWriteStream(path)
    // Its error is the result: nothing waits for it before the end of the body.
    const ended = finished(stream).catch((error: unknown) => error)
    this.#streams.push({ stream, ended })
    return stream
  }

  /** Waits until every file is complete on the disk. @throws the error of the system for one that is not */
  async complete(): Promise<void> {
    for (const { ended } of this.#streams) {
      const error = await ended
      if (error !== undefined) throw error
    }
  }

  /** Ends files that are not complete. Nothing is written afterwards, so that their folder can be removed. */
  async abandon(): Promise<void> {
    for (const { stream } of this.#streams) stream.destroy()
    await Promise.all(this.#streams.map(({ ended }) => ended))
  }
}
