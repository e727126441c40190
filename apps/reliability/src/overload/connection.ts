import { connect, type Socket } from 'node:net'

/**
 * A kept-alive connection that sends one request at a time and reads the status of each answer. It costs a small part of Node's HTTP client, so that a generator of
 * load leaves the processors to the server.
 */
export class Connection {
  readonly #socket: Socket
  #received = 0
  /** Bytes of the answer with its head; `undefined` until the head has arrived. */
  #expected: number | undefined
  #head = ''
  #status = 0
  #resolve: ((status: number) => void) | undefined
  #isClosing = false
  isOpen = true

  constructor(host: string, port: number) {
    this.#socket = connect(port, host)
    this.#socket.setNoDelay(true)
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      this.isOpen = false
      this.#end(0)
    })
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  /** @param bytes A whole request. @returns the status of the answer; 0 when the connection broke before its end */
  send(bytes: string): Promise<number> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#socket.write(bytes)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#received += chunk.length
    if (this.#expected === undefined) {
      this.#head += chunk.toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = this.#head.slice(0, end)
      this.#status = Number(head.slice(9, 12))
      this.#isClosing = /\r\nconnection: close/i.test(head)
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      if (length === undefined && this.#status !== 204)
        throw new Error(`An answer without a length:\n${head}`)
      this.#expected = end + 4 + Number(length ?? 0)
    }
    if (this.#received < this.#expected) return
    if (this.#isClosing) {
      this.isOpen = false
      this.#socket.destroy()
    }
    this.#end(this.#status)
  }

  #end(status: number): void {
    this.#received = 0
    this.#expected = undefined
    this.#head = ''
    const resolve = this.#resolve
    this.#resolve = undefined
    resolve?.(status)
  }
}
