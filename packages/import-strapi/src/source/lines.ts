import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'

/** Approximate characters of a batch, and its maximum number of lines. */
const batchCharacters = 1_000_000
const batchLines = 1_000

/**
 * Bytes of a line. An entry of Strapi holds no file, so a longer line is no record; a small archive can unpack to one of
 * gigabytes.
 */
export const maxLineBytes = 32 * 1024 * 1024

/** A line with its number in the file, from 1. */
export interface Line {
  readonly number: number
  readonly text: string
}

/** A line that no record has: it is longer than {@link maxLineBytes}, or not in UTF-8. */
export class LineError extends Error {
  /** @param line The number of the line, from 1. */
  constructor(line: number, what = `is longer than ${maxLineBytes / 1024 / 1024} MiB`) {
    super(`line ${line} ${what}`)
  }
}

/**
 * The lines of a stream of UTF-8, in batches. Lines end with `\n` alone: other characters that some programs count as
 * texts may contain line ends. Empty lines are left out.
 *
 * @throws LineError when a line is too long, as soon as it is, or not in UTF-8, whose bytes would be read as other characters.
 */
export async function* linesOf(stream: Readable): AsyncGenerator<readonly Line[]> {
  let rest: Buffer[] = []
  let restBytes = 0
  let batch: Line[] = []
  let characters = 0
  let number = 0
  const take = (piece: Buffer): void => {
    number++
    if (restBytes + piece.length > maxLineBytes) throw new LineError(number)
    const line = rest.length > 0 ? Buffer.concat([...rest, piece]) : piece
    if (!isUtf8(line)) throw new LineError(number, 'is not in UTF-8')
    const text = line.toString('utf8')
    rest = []
    restBytes = 0
    if (text.trim() === '') return
    characters += text.length
    batch.push({ number, text })
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      take(chunk.subarray(start, end))
      start = end + 1
      if (batch.length >= batchLines || characters >= batchCharacters) {
        yield batch
        batch = []
        characters = 0
      }
    }
    if (start === chunk.length) continue
    rest.push(chunk.subarray(start))
    restBytes += chunk.length - start
    if (restBytes > maxLineBytes) throw new LineError(number + 1)
  }
  if (rest.length > 0) take(Buffer.alloc(0))
  if (batch.length > 0) yield batch
}
