import type { IncomingMessage } from 'node:http'
import { networkOf } from './network.ts'

/** Anything of a request by which its sender is known before its rights are. */
export type Sent = Pick<IncomingMessage, 'headers' | 'socket'>

/**
 * The network of the sender of a request. Headers, which an unparsed request has to look for, are read only where a proxy writes them.
 * @param proxies Number of proxies in front of the server.
 */
export function networkOfSender(request: Sent, proxies: number): string {
  const forwarded = proxies > 0 ? request.headers['x-forwarded-for'] : undefined
  const address = forwarded === undefined ? undefined : String(forwarded).split(',').at(-proxies)?.trim()
  return networkOf(address ?? request.socket.remoteAddress ?? '')
}
