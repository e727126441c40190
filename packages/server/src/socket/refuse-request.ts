import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { OctavoError } from '@octavo/core'
import { errorEnvelope } from '../error/errors.ts'
import { problem } from '../error/problems.ts'
import type { Connections } from './connections.ts'
import { receivesFiles } from './receiving-files.ts'

/** Bytes of the request line and all headers. */
export const maxHeaderSize = 128 * 1024

const headersOf = (body: string) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
})

/**
 * Answers bytes that Node's HTTP parser refused, then closes the connection. Earlier requests on the same connection are answered
 * first. Bytes in the middle of a body, its early end among them, are the end of their request: its reader waits for the body, and
 * fails when the connection is closed.
 */
export async function refuseBytes(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  connections: Connections,
): Promise<void> {
  const arriving = connections.arriving(socket)
  // Files have a limit of their own: a large one may take longer than all other requests.
  if (arriving && error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && receivesFiles(arriving.req)) return
  await connections.answered(socket)
  if (!socket.writable || error.code === 'ECONNRESET' || connections.hasEarlyAnswer(socket))
    return void socket.destroy()
  const refusal = refusalOf(error.code)
  const body = errorEnvelope(refusal)
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    ...Object.entries(headersOf(body)).map((pair) => pair.join(': ')),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Answers a request that Node parsed and would itself refuse without an envelope. */
export function refuse(response: ServerResponse, refusal: OctavoError): void {
  const body = errorEnvelope(refusal)
  response.writeHead(refusal.status, headersOf(body)).end(body)
}

/** An answer that is sent as it is: it must cost a small part of any other. */
interface Prepared {
  readonly status: number
  readonly headers: string[]
  readonly body: string
  /** The whole answer, and the second in which it was made. */
  text: string
  second: number
}

function prepared(error: OctavoError): Prepared {
  const body = errorEnvelope(error).replaceAll(beyondAscii, escaped)
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Retry-After': '1',
    // A page may see that it has to wait: the answer has nothing else.
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Retry-After',
  }
  return { status: error.status, headers: Object.entries(headers).flat(), body, text: '', second: 0 }
}

const beyondAscii = /[^\x20-\x7e]/g
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The answers to all requests that an overloaded server refuses, by code. */
const answers = new Map<string, Prepared>()

function answerTo(error: OctavoError): Prepared {
  let answer = answers.get(error.code)
  if (!answer) {
    answer = prepared(error)
    answers.set(error.code, answer)
  }
  return answer
}

/** Refuses a request of an overloaded server. The connection stays open. */
export function refuseBusy(response: ServerResponse, error: OctavoError): void {
  const { status, headers, body } = answerTo(error)
  response.writeHead(status, headers).end(body)
}

/** The answer of {@link refuseBusy} as bytes in ASCII, for a connection that stays open. */
export function busyText(error: OctavoError): string {
  const answer = answerTo(error)
  const now = Date.now()
  const second = Math.floor(now / 1_000)
  if (answer.second !== second) {
    const { status, headers, body } = answer
    const all = [...headers, 'Date', new Date(now).toUTCString(), 'Connection', 'keep-alive']
    const lines = all.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${all[i + 1]}`] : []))
    answer.text = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
    answer.second = second
  }
  return answer.text
}

/**
 * The refusal of a request whose header `Host` is missing or repeated: a proxy could have read another one of them than this
 * server does. Source: RFC 9112, section 3.2.
 */
export function hostRefusal({ httpVersion, headers, rawHeaders }: IncomingMessage): OctavoError | undefined {
  if (headers.host === undefined)
    return httpVersion === '1.1'
      ? problem('request/refused', { message: 'The request has no Host header.' })
      : undefined
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts += 1
  return hosts === 1
    ? undefined
    : problem('request/refused', { message: 'The request has more than one Host header.' })
}

export const unmetExpectation = (): OctavoError =>
  problem('request/refused', {
    status: 417,
    name: 'ExpectationFailedError',
    message: 'The only expectation that can be met is 100-continue.',
  })

/** The error of a body that its connection is closed for, for {@link refuseBytes}. */
export const tooManyChunks = (): NodeJS.ErrnoException =>
  Object.assign(new Error('The body comes in too many small chunks'), { code: smallChunks })

const smallChunks = 'OCTAVO_SMALL_CHUNKS'

function refusalOf(code: string | undefined): OctavoError {
  switch (code) {
    case smallChunks:
      return problem('request/refused', {
        message: 'The body comes in too many small chunks: send it in larger ones, or with Content-Length.',
      })
    case 'HPE_HEADER_OVERFLOW':
      return problem('request/headers-too-large', { limit: maxHeaderSize })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request/timeout')
    default:
      return problem('request/refused')
  }
}
