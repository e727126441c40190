/** A connection between two processes that can be cut, and that can stand still. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export class Wire {
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  readonly #listener
  #isStill = false

  private constructor(target: () => URL) {
    this.#listener = createServer((client) => {
      const { port, hostname } = target()
      const server = connect(Number(port), hostname)
      const pair = [client, server] as const
      this.#pairs.add(pair)
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        one.on('error', () => {})
        one.on('close', () => {
          other.destroy()
          this.#pairs.delete(pair)
        })
        one.pipe(other)
        if (this.#isStill) one.pause()
      }
    })
  }

  /** @param target The URL of the process that is connected to, which may change. */
  static async to(target: () => string): Promise<Wire> {
    const wire = new Wire(() => new URL(target()))
    wire.#listener.listen(0, '127.0.0.1')
    await once(wire.#listener, 'listening')
    return wire
  }

  /** A URL with the address of the wire in place of the target's. */
  instead(url: string): string {
    const changed = new URL(url)
    changed.hostname = '127.0.0.1'
    changed.port = String((this.#listener.address() as AddressInfo).port)
    return changed.href.replace(/\/$/, '')
  }

  /** Breaks all connections, with what they carry. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy()
  }

  /** Carries nothing until {@link go}. */
  stop(): void {
    this.#isStill = true
    for (const pair of this.#pairs) for (const socket of pair) socket.pause()
  }

  go(): void {
    this.#isStill = false
    for (const pair of this.#pairs) for (const socket of pair) socket.resume()
  }

  close(): void {
    this.#listener.close()
    this.cut()
  }
}
