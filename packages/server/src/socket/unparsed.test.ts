import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { problem } from '../error/problems.ts'
import { refuseBusy } from './refuse-request.ts'
import { UnparsedRequests } from './unparsed.ts'

const overloaded = problem('server/overloaded')

/** A server that answers with the method, the path and the body, or refuses, and knows which requests were parsed. */
class Overloaded {
  isBusy = true
  readonly parsed: string[] = []
  readonly asked: object[] = []
  /** The connections. */
  readonly sockets: Socket[] = []
  /** Ends the answer to `/slow`. */
  release = (): void => {}
  readonly #inFlight = new Map<Socket, number>()
  readonly #server: Server
  readonly #unparsed: UnparsedRequests

  constructor() {
    const door = {
      isBusy: true,
      refusal: ({ url, headers, socket }: Pick<IncomingMessage, 'url' | 'headers' | 'socket'>) => {
        const { authorization, cookie, 'x-forwarded-for': forwarded } = headers
        this.asked.push({ url, authorization, cookie, forwarded, address: socket.remoteAddress })
        return this.isBusy && !url?.startsWith('/_') ? overloaded : undefined
      },
    }
    this.#unparsed = new UnparsedRequests({
      door,
      mayAnswer: (socket) => (this.#inFlight.get(socket) ?? 0) === 0,
      refused: () => {},
    })
    this.#server = createServer((request, response) => {
      const { socket, method, url } = request
      this.parsed.push(`${method} ${url}`)
      if (!this.#unparsed.isAdmitted(request)) {
        const error = door.refusal(request)
        if (error) {
          this.#unparsed.watch(socket)
          return refuseBusy(response, error)
        }
      }
      this.#inFlight.set(socket, (this.#inFlight.get(socket) ?? 0) + 1)
      response.once('close', () => this.#inFlight.set(socket, (this.#inFlight.get(socket) ?? 0) - 1))
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      const answer = (): void => void response.end(JSON.stringify({ method, url, body }))
      request.once('end', () => {
        if (url === '/_slow') this.release = answer
        else answer()
      })
    })
  }

  /** Waits until a request was parsed. */
  async hasParsed(request: string): Promise<void> {
    while (!this.parsed.includes(request)) await new Promise(setImmediate)
  }

  async connect(): Promise<Client> {
    this.#server.once('connection', (socket) => this.sockets.push(socket))
    if (!this.#server.listening) await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    const { port } = this.#server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Client(socket)
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

/** A client that reads the answers of one connection. */
class Client {
  readonly #socket: Socket
  #text = ''

  constructor(socket: Socket) {
    this.#socket = socket.setEncoding('latin1').on('data', (text: string) => {
      this.#text += text
    })
  }

  send(text: string): void {
    this.#socket.write(text.replaceAll('\n', '\r\n'))
  }

  /** @returns the status, a space, and the body of the next answer */
  async next(): Promise<string> {
    for (;;) {
      const [, status = '', head = ''] =
        /^HTTP\/1\.1 (\d+) [^\r]*\r\n([\s\S]*?\r\n)\r\n/.exec(this.#text) ?? []
      const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1])
      const begin = this.#text.indexOf('\r\n\r\n') + 4
      if (status !== '' && this.#text.length >= begin + length) {
        const body = this.#text.slice(begin, begin + length)
        this.#text = this.#text.slice(begin + length)
        return `${status} ${body}`
      }
      await once(this.#socket, 'data')
    }
  }

  async ask(text: string): Promise<string> {
    this.send(text)
    return this.next()
  }

  /** Whether nothing has arrived besides the answers that were read. */
  get hasRead(): boolean {
    return this.#text === ''
  }
}

const servers: Overloaded[] = []
const serve = (): Overloaded => {
  const server = new Overloaded()
  servers.push(server)
  return server
}
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\nHost: example.org\n${headers}\n`

/** A client whose further requests are refused before they are parsed. */
async function refusedOne(server: Overloaded): Promise<Client> {
  const client = await server.connect()
  for (const path of ['/first', '/second']) expect(await client.ask(get(path))).toMatch(/^503 /)
  return client
}

it('requests are refused before they are parsed once two of their socket were refused', async () => {
  const server = serve()
  const client = await refusedOne(server)
  for (let i = 0; i < 5; i++)
    expect(JSON.parse((await client.ask(get(`/${i}`))).slice(4))).toMatchObject({
      error: { status: 503, details: { code: 'server/overloaded' } },
    })
  expect(server.parsed).toEqual(['GET /first', 'GET /second'])
  expect(server.asked).toHaveLength(7)
})

it('requests that the door admits are answered, and asked about once', async () => {
  const server = serve()
  const client = await refusedOne(server)
  expect(await client.ask(get('/_health'))).toBe('200 {"method":"GET","url":"/_health","body":""}')
  server.isBusy = false
  expect(await client.ask(get('/third'))).toBe('200 {"method":"GET","url":"/third","body":""}')
  expect(server.asked).toHaveLength(4)
})

it('a body that looks like a request is no request', async () => {
  const server = serve()
  const client = await refusedOne(server)
  const body = get('/body').replaceAll('\n', '\r\n')
  const head = (path: string): string =>
    `POST ${path} HTTP/1.1\nHost: example.org\nContent-Length: ${body.length}\n\n`
  expect(await client.ask(head('/refused'))).toMatch(/^503 /)
  client.send(get('/body'))
  expect(await client.ask(get('/_health'))).toBe('200 {"method":"GET","url":"/_health","body":""}')
  expect(await client.ask(get('/third'))).toMatch(/^503 /)
  // The parser gives its body to a request that was admitted, also one of a method that usually has none.
  for (const method of ['POST', 'GET']) {
    client.send(head('/_admitted').replace('POST', method))
    const answer = await client.ask(get('/body'))
    expect(JSON.parse(answer.slice(4))).toEqual({ method, url: '/_admitted', body })
  }
  expect(client.hasRead).toBe(true)
  expect(server.parsed).not.toContain('GET /body')
})

it('a request behind one that is not answered yet is refused after its answer', async () => {
  const server = serve()
  const client = await refusedOne(server)
  client.send(get('/_slow'))
  await server.hasParsed('GET /_slow')
  client.send(get('/behind'))
  await server.hasParsed('GET /behind')
  server.release()
  expect(await client.next()).toMatch(/^200 /)
  expect(await client.next()).toMatch(/^503 /)
})

it('a request of a client that has not read the answers before is parsed, so that they stay few', async () => {
  const server = serve()
  const client = await refusedOne(server)
  const [socket] = server.sockets
  // As if the buffers of the system were full.
  socket?.cork()
  client.send(get('/third'))
  while (server.asked.length < 3) await new Promise(setImmediate)
  client.send(get('/fourth'))
  await server.hasParsed('GET /fourth')
  socket?.uncork()
  expect(await client.next()).toMatch(/^503 /)
  expect(await client.next()).toMatch(/^503 /)
  expect(server.parsed).not.toContain('GET /third')
})

it('requests in pieces, several at once, of another version, and those that close their connection are parsed', async () => {
  const server = serve()
  const client = await refusedOne(server)
  client.send(get('/together') + get('/both'))
  expect(await client.next()).toMatch(/^503 /)
  expect(await client.next()).toMatch(/^503 /)
  expect(await client.ask(`\n${get('/after-an-empty-line')}`)).toMatch(/^503 /)
  expect(await client.ask(get('/closes', 'connection: Close\n'))).toMatch(/^503 /)
  expect(server.parsed).toEqual(
    expect.arrayContaining(['GET /together', 'GET /both', 'GET /after-an-empty-line', 'GET /closes']),
  )
})

it('the door knows the sender of an unparsed request as that of a parsed one', async () => {
  const server = serve()
  const client = await server.connect()
  const headers =
    'authorization: Bearer one\nAuthorization: Bearer two\nCookie: a=1\nX-Forwarded-For: 192.0.2.1\ncookie: b=2\nx-forwarded-for:198.51.100.7 \n'
  for (let i = 0; i < 3; i++) expect(await client.ask(get('/same', headers))).toMatch(/^503 /)
  expect(server.parsed).toHaveLength(2)
  expect(server.asked[2]).toEqual(server.asked[0])
})

it('each request of a connection is known by its own headers, whatever the ones before it had', async () => {
  const server = serve()
  const client = await refusedOne(server)
  const long = `X-Long: ${'x'.repeat(3_000)}\n`
  const headers = ['Cookie: a=1\n', 'Cookie: a=1\n', 'Cookie: a=2\n', `Cookie: a=3\n${long}`, 'Cookie: a=1\n']
  for (const some of headers) expect(await client.ask(get('/same', some))).toMatch(/^503 /)
  const cookies = server.asked.slice(2).map((asked) => (asked as { cookie?: string }).cookie)
  expect(cookies).toEqual(['a=1', 'a=1', 'a=2', 'a=3', 'a=1'])
  // The parser decides about a head that says more than the one before it.
  expect(await client.ask(get('/closes', 'Cookie: a=1\nConnection: close\n'))).toMatch(/^503 /)
  expect(server.parsed).toEqual(['GET /first', 'GET /second', 'GET /closes'])
})

it('the parser decides about an address with a line end in it', async () => {
  const server = serve()
  const client = await refusedOne(server)
  const [socket] = server.sockets
  const failed = once(socket as Socket, 'close')
  client.send('GET /a\nTransfer-Encoding:chunked HTTP/1.1\nHost: example.org\n\n')
  await expect(failed).rejects.toThrow('Parse Error')
  expect(server.parsed).toEqual(['GET /first', 'GET /second', 'GET /a'])
})
