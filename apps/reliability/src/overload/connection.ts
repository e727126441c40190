import { connect, type Socket } from 'node:net'

/** The bytes of the last read of any connection, which looks at them at once: a buffer of its own for each would be collected. */
const chunk = Buffer.allocUnsafe(256 * 1024)

const endOfHead = Buffer.from('\r\n\r\n')
/** Headers as Node.js and the server write them. */
const lengthHeader = Buffer.from('\r\nContent-Length: ')
const closeHeader = Buffer.from('\r\nConnection: close')

/**
 * A kept-alive connection that sends one request at a time and reads the status of each answer. It costs a small part of Node's HTTP client, so that a generator of
 * load leaves the processors to the server.
 */
export class Connection {
  readonly #socket: Socket
  /** Bytes of the answer that are still to come; `undefined` until its head has arrived. */
  #missing: number | undefined
  /** The first part of a head that did not arrive as a whole. */
  #part = Buffer.alloc(0)
  #status = 0
  #resolve: ((status: number) => void) | undefined
  #isClosing = false
  isOpen = true
  /** Settles when it is connected, or broken. */
  readonly connected: Promise<void>

  constructor(host: string, port: number) {
    const callback = (bytes: number): boolean => {
      this.#read(chunk.subarray(0, bytes))
      return true
    }
    this.#socket = connect({ host, port, noDelay: true, onread: { buffer: chunk, callback } })
    this.#socket.on('error', () => {})
    this.connected = new Promise((resolve) => this.#socket.once('connect', resolve).once('close', resolve))
    this.#socket.on('close', () => {
      this.isOpen = false
      this.#end(0)
    })
  }

  /** @param bytes A whole request, in ASCII. @returns the status of the answer; 0 when the connection broke before its end */
  send(bytes: string): Promise<number> {
    return new Promise((resolve) => {
      if (!this.isOpen) return resolve(0)
      this.#resolve = resolve
      this.#socket.write(bytes, 'latin1')
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(bytes: Buffer): void {
    this.#missing = this.#missing === undefined ? this.#afterHead(bytes) : this.#missing - bytes.length
    if (this.#missing === undefined || this.#missing > 0) return
    if (this.#isClosing) {
      this.isOpen = false
      this.#socket.destroy()
    }
    this.#end(this.#status)
  }

  /** Reads the head of an answer. @returns the bytes that follow what has arrived; `undefined`: the head is not whole */
  #afterHead(bytes: Buffer): number | undefined {
    const read = this.#part.length === 0 ? bytes : Buffer.concat([this.#part, bytes])
    const end = read.indexOf(endOfHead)
    if (end === -1) {
      this.#part = Buffer.from(read)
      return undefined
    }
    const head = read.subarray(0, end)
    const at = head.indexOf(lengthHeader)
    this.#status = Number(head.toString('latin1', 9, 12))
    this.#isClosing = head.includes(closeHeader)
    if (at === -1 && this.#status !== 204) throw new Error(`An answer without a length:\n${head}`)
    const length =
      at === -1 ? 0 : Number.parseInt(head.toString('latin1', at + lengthHeader.length, at + 40), 10)
    return end + endOfHead.length + length - read.length
  }

  #end(status: number): void {
    this.#missing = undefined
    if (this.#part.length > 0) this.#part = Buffer.alloc(0)
    const resolve = this.#resolve
    this.#resolve = undefined
    resolve?.(status)
  }
}
