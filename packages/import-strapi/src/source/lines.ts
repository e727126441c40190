import type { Readable } from 'node:stream'

/** Approximate characters of a batch, and its maximum number of lines. */
const batchCharacters = 1_000_000
const batchLines = 1_000

/** A line with its number in the file, from 1. */
export interface Line {
  readonly number: number
  readonly text: string
}

/**
 * The lines of a stream of UTF-8, in batches. Lines end with `\n` alone: other characters that some programs count as
 * texts may contain line ends. Empty lines are left out.
 */
export async function* linesOf(stream: Readable): AsyncGenerator<readonly Line[]> {
  let rest: Buffer[] = []
  let batch: Line[] = []
  let characters = 0
  let number = 0
  const take = (bytes: Buffer): void => {
    number++
    const text = bytes.toString('utf8')
    if (text.trim() === '') return
    characters += text.length
    batch.push({ number, text })
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end)
      take(rest.length > 0 ? Buffer.concat([...rest, piece]) : piece)
      rest = []
      start = end + 1
      if (batch.length >= batchLines || characters >= batchCharacters) {
        yield batch
        batch = []
        characters = 0
      }
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
  if (rest.length > 0) take(Buffer.concat(rest))
  if (batch.length > 0) yield batch
}
