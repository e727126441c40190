/** The ends of a body that does not arrive: its client has gone, or sends nothing. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { problem } from '../error/problems.ts'
import { noteFiles } from '../socket/receiving-files.ts'

/**
 * formidable waits for ever for a body whose client had gone when it began, also when all of it had arrived.
 * @throws OctavoError (400) for such a body
 */
export async function orGone(reading: Promise<void>, request: IncomingMessage): Promise<void> {
  const { promise: gone, reject } = Promise.withResolvers<never>()
  const leave = (): void => {
    if (!request.readableEnded) reject(problem('request/refused', { message: 'The body cannot be read.' }))
  }
  request.once('close', leave)
  if (request.destroyed) leave()
  try {
    await Promise.race([reading, gone])
  } finally {
    request.off('close', leave)
    // The abandoned read may still reject; that rejection is ignored.
    reading.catch(() => {})
  }
}

/** Bytes of which a body with files has at least so many in each time without which it is idle. */
const leastBytes = 1_024

/** @throws OctavoError (408) when fewer than {@link leastBytes} arrive in `idle` milliseconds, before the body is complete. */
export async function orIdle(reading: Promise<void>, context: Context, idle: number): Promise<void> {
  const { req, res } = context
  noteFiles(req)
  let timer: NodeJS.Timeout | undefined
  const given = new Promise<never>((_, reject) => {
    let before = req.socket.bytesRead
    timer = setInterval(() => {
      const bytes = req.socket.bytesRead
      // A file that has arrived as a whole waits for the disk, or for the files before it.
      if (req.complete || bytes - before >= leastBytes) {
        before = bytes
        return
      }
      clearInterval(timer)
      // Sends the answer, then closes the connection without waiting for the rest of the body.
      res.once('finish', () => req.destroy())
      context.set('Connection', 'close')
      reject(problem('body/timeout', { time: idle }))
    }, idle)
  })
  try {
    await Promise.race([reading, given])
  } finally {
    clearInterval(timer)
    // The abandoned read may still reject; that rejection is ignored.
    reading.catch(() => {})
  }
}
