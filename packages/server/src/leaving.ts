import type { ServerResponse } from 'node:http'

/** Aborts when the client disconnects before its answer is sent. */
export function leaving(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
