import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigurationError } from '@octavo/core'
import type Koa from 'koa'
import { Connections } from './connections.ts'
import type { Door } from './door.ts'
import {
  furtherSockets,
  listening,
  type ReservedPort,
  reserve,
  sharesPort,
  whileFree,
} from './listening-sockets.ts'
import {
  hostRefusal,
  maxHeaderSize,
  refuse,
  refuseBusy,
  refuseBytes,
  tooManyChunks,
  unmetExpectation,
} from './refuse-request.ts'
import { watchChunks } from './small-chunks.ts'
import { UnparsedRequests } from './unparsed.ts'

export interface Listening {
  /** `http://127.0.0.1:1337`, with the address that was bound; `localhost` where that is every address. */
  readonly url: string
  readonly port: number
  readonly server: Server
}

/** A listening server with its requests in flight. */
export interface Listener extends Listening {
  readonly connections: Connections
}

/** The refusals of a server before any work. */
export interface Entrance {
  readonly door: Door
  /** Called with the code of each request that is refused. */
  readonly refused: (code: string) => void
}

/**
 * Milliseconds for which an idle connection stays open beyond the time that its answers announce. A client ends it by then; where both are
 * late, as on a busy machine, a request would otherwise meet a connection that is just being closed, and get no answer.
 */
const latest = 10_000

/**
 * Listeners for the end of a response beyond which Node warns of a leak. A long answer that is compressed has four of the server and
 * seven of Node's streams, one more than Node takes for usual.
 */
const endings = 20

/**
 * @param entrance Default: every request is answered.
 * @throws ConfigurationError with host, port and reason when the server cannot listen on the address.
 */
export async function listen(
  app: Koa,
  port: number,
  host: string | undefined,
  entrance?: Entrance,
): Promise<Listener> {
  const server = createServer({
    keepAliveTimeout: 65_000,
    keepAliveTimeoutBuffer: latest,
    headersTimeout: 66_000,
    requestTimeout: 120_000,
    maxHeaderSize,
    // Node's own refusal has no envelope: see `hostRefusal`.
    requireHostHeader: false,
  })
  const connections = new Connections(server)
  const unparsed = entrance && unparsedRequests(entrance, connections)
  const answer = app.callback()
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const busy = unparsed?.isAdmitted(request) ? undefined : entrance?.door.refusal(request)
    // An answer that is sent at once needs no record, unless a body follows.
    if (!busy || request.method !== 'GET') connections.track(request, response)
    if (busy) {
      if (connections.isStopping) response.setHeader('Connection', 'close')
      entrance?.refused(busy.code)
      unparsed?.watch(request.socket)
      refuseBusy(response, busy)
      return
    }
    response.setMaxListeners(endings)
    entrance?.door.begin(response)
    const refusal = hostRefusal(request)
    if (refusal) refuse(response, refusal)
    else void answer(request, response)
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    watchChunks(request, () => void refuseBytes(tooManyChunks(), request.socket, connections))
    if (connections.isHolding) connections.hold(() => begin(request, response))
    else begin(request, response)
  })
  server.on('checkExpectation', (_request, response: ServerResponse) => refuse(response, unmetExpectation()))
  server.on('clientError', (error, socket) => void refuseBytes(error, socket, connections))
  try {
    const reusePort = sharesPort(port)
    const open = () => listening(server, { port, host, reusePort })
    await (reusePort ? whileFree(port, host, open) : open())
    const address = server.address() as AddressInfo // it listens on a port, not on a pipe
    if (reusePort) connections.add(await furtherSockets(server, address.port, host))
    return { url: urlOf(address), port: address.port, server, connections }
  } catch (error) {
    // The sockets that listen already would keep the process alive.
    server.close()
    throw cannotListen(error as NodeJS.ErrnoException, port, host)
  }
}

const unparsedRequests = ({ door, refused }: Entrance, connections: Connections): UnparsedRequests =>
  new UnparsedRequests({
    door,
    refused,
    mayAnswer: (socket) => !connections.isStopping && !connections.isAnswering(socket),
  })

/**
 * Reserves the port that the workers of a cluster are about to share, until they listen: workers do not notice another server on
 * their port.
 * @param port 0: any.
 * @throws ConfigurationError with host, port and reason when a server cannot listen on the address.
 */
export async function reservePort(port: number, host?: string): Promise<ReservedPort> {
  try {
    return await reserve(port, host)
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, port, host)
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '::' || address === '0.0.0.0') return `http://localhost:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

function cannotListen(error: NodeJS.ErrnoException, port: number, host: string | undefined): Error {
  const reason = reasons[error.code ?? '']
  if (reason === undefined) return error
  const where = host === undefined ? '' : ` on ${host}`
  return new ConfigurationError(`Port ${port} ${reason[0]}${where}; ${reason[1]}`, { cause: error })
}

/** The reason and the remedy, by the system's error code. */
const reasons: Readonly<Record<string, readonly [string, string]>> = {
  EADDRINUSE: ['is in use', 'choose another one'],
  EACCES: ['may not be used by this user', 'choose one above 1023'],
  EADDRNOTAVAIL: ['cannot be used', 'this machine has no such address'],
  EMFILE: ['cannot be used', 'this process may open more files with a higher limit (ulimit -n)'],
  ENOTFOUND: ['cannot be used', 'there is no host of that name'],
}
