import type { IncomingMessage } from 'node:http'

const receiving = new WeakSet<IncomingMessage>()

/** Notes that the body of a request has files, and a limit of its own for the time in which it arrives. */
export const noteFiles = (request: IncomingMessage): void => void receiving.add(request)

export const receivesFiles = (request: IncomingMessage): boolean => receiving.has(request)
