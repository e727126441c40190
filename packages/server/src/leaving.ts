import type { ServerResponse } from 'node:http'

/** Aborts when the client goes before it has its answer. */
export function leaving(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
