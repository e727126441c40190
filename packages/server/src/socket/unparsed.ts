import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { OctavoError } from '@octavo/core'
import type { Door } from './door.ts'
import { busyText } from './refuse-request.ts'
import type { Sent } from './sender.ts'

const method = 'GET '
const beginning = Buffer.from(method).readUInt32BE()
const end = Buffer.from('\r\n\r\n')
const version = ' HTTP/1.1\r\n'

/** Heads that announce a body, or are more than a request for an answer. Names in any case, with anything around them: the parser decides about these. */
const special =
  /content-length|transfer-encoding|\nexpect|\nupgrade[ \t]*:|\nconnection[ \t]*:[^\r]*(close|upgrade)|\n\n/i

/** Whether bytes are the head of one `GET` request and nothing else. */
const isHead = (bytes: Buffer): boolean =>
  bytes.length > end.length &&
  bytes.readUInt32BE() === beginning &&
  bytes.indexOf(end) === bytes.length - end.length

/** The characters of a head up to which its lines are remembered, for thousands of connections: most clients send fewer. */
const longest = 2_000

/**
 * The lines of a head below the first one. A client sends the same ones with every request, so that those of a connection are read once: the
 * expressions for them take longer than the rest of a refusal.
 */
class Lines {
  readonly text: string
  /** Whether there may be a body, or the head is more than a request for an answer. */
  readonly isSpecial: boolean
  #headers: Sent['headers'] | undefined

  constructor(text: string) {
    this.text = text
    this.isSpecial = special.test(text)
  }

  /** The headers by which a sender is known, as Node.js gives them. */
  get headers(): Sent['headers'] {
    this.#headers ??= identityIn(this.text)
    return this.#headers
  }
}

function identityIn(text: string): Sent['headers'] {
  const found: Record<string, string> = {}
  for (const [, given = '', value = ''] of text.matchAll(identifying)) {
    const name = given.toLowerCase()
    const before = found[name]
    const separator = separators[name]
    if (before === undefined) found[name] = value.trim()
    else if (separator !== undefined) found[name] = `${before}${separator}${value.trim()}`
  }
  return found
}

const identifying = /\n(authorization|cookie|x-forwarded-for):([^\r]*)/gi

/** How Node.js joins the values of headers of one name; of others it takes the first. */
const separators: Readonly<Record<string, string>> = { cookie: '; ', 'x-forwarded-for': ', ' }

/** The parts of a request that a door reads. */
class Unparsed implements Sent {
  readonly method = 'GET'
  readonly url: string
  readonly socket: Socket
  readonly #lines: Lines

  constructor(url: string, lines: Lines, socket: Socket) {
    this.url = url
    this.#lines = lines
    this.socket = socket
  }

  get headers(): Sent['headers'] {
    return this.#lines.headers
  }
}

/** A connection of which a request was refused. */
interface Watched {
  readonly socket: Socket
  /** The lines of its last request that came unparsed. */
  lines: Lines
}

interface Asked {
  readonly door: Pick<Door, 'isBusy' | 'refusal'>
  /** Whether a refusal of a socket may be sent now: no answer is on its way, and the connection stays open. */
  readonly mayAnswer: (socket: Socket) => boolean
  /** Called with the code of each request that is refused. */
  readonly refused: (code: string) => void
}

/**
 * Refuses requests before they are parsed, which takes half of the time: an overloaded server refuses more requests than it answers. Only requests of sockets on which
 * one was refused before come here, so that all others cost nothing more.
 *
 * A refusal needs to know where a request begins and ends without its parser. It does where the parser is between two requests, and the bytes that arrive are the head of
 * one `GET` request that announces no body. Everything else goes to the parser.
 */
export class UnparsedRequests {
  readonly #asked: Asked
  readonly #watched = new WeakSet<Socket>()
  /** The request whose bytes the parser is being given, once it has begun. */
  #begun: IncomingMessage | undefined
  /** The socket of which the door has admitted the request that the parser is being given. */
  #admitted: Socket | undefined

  constructor(asked: Asked) {
    this.#asked = asked
  }

  /** Called with each request that begins. @returns whether the door has admitted it before it was parsed */
  isAdmitted(request: IncomingMessage): boolean {
    this.#begun = request
    const isAdmitted = this.#admitted === request.socket
    this.#admitted = undefined
    return isAdmitted
  }

  /** Looks at the further requests of a socket. */
  watch(socket: Socket): void {
    if (this.#watched.has(socket)) return
    const [parse, ...others] = socket.listeners('data')
    if (!parse || others.length > 0) return
    this.#watched.add(socket)
    socket.removeListener('data', parse as (bytes: Buffer) => void) // listeners of an event have its arguments
    const watched: Watched = { socket, lines: none }
    let isBetween = false
    // Node's server gives bytes to its parser without an event until there is a listener besides its own.
    socket.on('data', (bytes: Buffer) => {
      const isWhole = isHead(bytes)
      if (isBetween && isWhole && this.#refuse(watched, bytes)) return
      parse(bytes)
      this.#admitted = undefined
      // The head of a request that they have begun ends with their only empty line, so that the parser has read all of them.
      isBetween = isWhole && this.#hasBegunWhole(socket)
      this.#begun = undefined
    })
  }

  /** Whether the parser has begun a request of a socket, and there is nothing more of it to come. */
  #hasBegunWhole(socket: Socket): boolean {
    return this.#begun?.socket === socket && this.#begun.complete
  }

  /** @returns whether the request was refused; otherwise it is the parser's */
  #refuse(watched: Watched, bytes: Buffer): boolean {
    const { door, mayAnswer, refused } = this.#asked
    const { socket } = watched
    // Answers that their client does not read yet are the parser's concern as well, which then reads no more of the socket.
    if (!door.isBusy || socket.writableLength > 0 || !mayAnswer(socket)) return false
    const text = bytes.toString('latin1')
    const endOfUrl = text.indexOf(' ', method.length)
    const url = text.slice(method.length, endOfUrl)
    if (!text.startsWith(version, endOfUrl) || url.includes('\n')) return false
    const lines = linesOf(watched, text, endOfUrl + version.length - 1)
    if (lines.isSpecial) return false
    const error: OctavoError | undefined = door.refusal(new Unparsed(url, lines, socket))
    if (!error) {
      this.#admitted = socket
      return false
    }
    refused(error.code)
    socket.write(busyText(error), 'latin1')
    return true
  }
}

const none = new Lines('')

/** @param from The end of the first line. */
function linesOf(watched: Watched, head: string, from: number): Lines {
  const text = head.slice(from)
  if (watched.lines.text === text) return watched.lines
  const lines = new Lines(text)
  // They keep the whole head in memory.
  if (head.length <= longest) watched.lines = lines
  return lines
}
