/** A balancer with kept-alive connections to two servers, as nginx has them. It never repeats a request. */
import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import { freePort } from '../processes/free-port.ts'
import { until } from './fault.ts'

interface Upstream {
  readonly url: URL
  isReady: boolean
}

/** Milliseconds between two readings of `/_health/ready`. */
const interval = 100

export class Balancer {
  readonly url: string
  readonly #upstreams: readonly Upstream[]
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: true })
  readonly #timer: NodeJS.Timeout
  #next = 0

  private constructor(upstreams: readonly Upstream[], port: number) {
    this.url = `http://127.0.0.1:${port}`
    this.#upstreams = upstreams
    this.#server = createServer((incoming, outgoing) => {
      const ready = this.#upstreams.filter(({ isReady }) => isReady)
      const upstream = ready[this.#next++ % Math.max(1, ready.length)]
      if (!upstream) {
        outgoing.writeHead(502).end('no server is ready')
        return
      }
      const { hostname, port: to } = upstream.url
      const { connection: _, ...headers } = incoming.headers
      const sent = request(
        { hostname, port: to, agent: this.#agent, method: incoming.method, path: incoming.url, headers },
        (response) => {
          const { connection: __, 'keep-alive': ___, ...own } = response.headers
          outgoing.writeHead(response.statusCode ?? 502, own)
          response.pipe(outgoing)
        },
      )
      sent.on('error', (error) => {
        if (!outgoing.headersSent) outgoing.writeHead(502)
        outgoing.end(error.message)
      })
      incoming.pipe(sent)
    })
    this.#timer = setInterval(() => this.#look(), interval)
  }

  static async start(urls: readonly string[]): Promise<Balancer> {
    const port = await freePort()
    const balancer = new Balancer(
      urls.map((url) => ({ url: new URL(url), isReady: false })),
      port,
    )
    balancer.#server.listen(port, '127.0.0.1')
    await once(balancer.#server, 'listening')
    await balancer.bothReady()
    return balancer
  }

  bothReady(): Promise<void> {
    return until(() => this.#upstreams.every(({ isReady }) => isReady), 'A server does not become ready')
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#agent.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #look(): void {
    for (const upstream of this.#upstreams)
      fetch(new URL('/_health/ready', upstream.url), { headers: { connection: 'close' } }).then(
        ({ ok }) => {
          upstream.isReady = ok
        },
        () => {
          upstream.isReady = false
        },
      )
  }
}
