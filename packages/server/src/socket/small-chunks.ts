import type { IncomingMessage } from 'node:http'

/** Chunks of a body that may be of any size: a client that writes a list value by value sends some thousands. */
const someChunks = 10_000

/** Bytes that a chunk has to have on average in a body of more chunks. */
const leastBytes = 32

/**
 * Calls `refuse` for a body in a great many tiny chunks, once, and gives its reader no more of it. The reader runs after each chunk, so chunks of one byte take
 * hundreds of times as long as their bytes in one chunk. The process does nothing else before it has read all that arrived on the connection.
 */
export function watchChunks(request: IncomingMessage, refuse: () => void): void {
  if (request.headers['transfer-encoding'] === undefined) return
  const push = request.push.bind(request)
  let chunks = 0
  let bytes = 0
  let isRefused = false
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    // Without the end of the body its reader waits, until the refusal closes the connection.
    if (isRefused) return false
    if (chunk !== null) {
      chunks += 1
      bytes += chunk.length
    }
    isRefused = chunks > someChunks && bytes < chunks * leastBytes
    if (!isRefused) return push(chunk, encoding)
    refuse()
    return false
  }
}
