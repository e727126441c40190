/** Large rows from PostgreSQL are put together here, each in one buffer of its size, before pg's parser reads them. */
import type { Client, Connection } from 'pg'

/** The part of a socket that pg's parser uses. */
interface ByteSource {
  on(event: 'data', listener: (bytes: Buffer) => void): unknown
  on(event: string, listener: (...args: never[]) => void): unknown
}

/** The undeclared method by which pg's connection reads from a socket: at once, and again when TLS begins. */
interface Reading {
  attachListeners(source: ByteSource): void
}

type MakesClients = new (config?: ConstructorParameters<typeof Client>[0]) => Client

/**
 * A client of pg whose large rows take their own size in memory, and only until they are parsed. pg's parser appends each
 * chunk to a buffer, which it doubles when it is full. A row of 7 MB leaves buffers of 30 MB to the garbage collection, and
 * holes of many sizes in the heap of the allocator, which no other buffers fill.
 */
export const withLargeRows = <T extends MakesClients>(Base: T): T =>
  class extends (Base as MakesClients) {
    constructor(config?: ConstructorParameters<typeof Client>[0]) {
      super(config)
      const connection = this.connection as Connection & Reading
      const { attachListeners } = connection
      connection.attachListeners = (source) => attachListeners.call(connection, wholeRows(source))
    }
  } as T

const wholeRows = (source: ByteSource): ByteSource => ({
  on(event: string, listener: (...args: never[]) => void): void {
    if (event !== 'data') {
      source.on(event, listener)
      return
    }
    const rows = new LargeRows(listener as (bytes: Buffer) => void)
    source.on('data', (bytes) => rows.add(bytes))
  },
})

/** A letter and the length of the rest in four bytes. Source: PostgreSQL's manual, "Message Formats". */
const headerBytes = 5
const dataRow = 'D'.charCodeAt(0)

/** Bytes from which on a row is put together here. Smaller ones are in a chunk or two of the socket. */
const large = 128 * 1024
/** No row of PostgreSQL is larger, so a length above it is not one. */
const largest = 2 ** 30

/** Passes the bytes of a connection on: a large row in one piece, and everything else as it comes. */
export class LargeRows {
  readonly #pass: (bytes: Buffer) => void
  /** The row that is put together, and how much of it has arrived. */
  #row: Buffer | undefined
  #filled = 0
  /** Bytes of the present message that are still to come, and are passed on as they come. */
  #remaining = 0
  /** The beginning of a header. */
  #begun: Buffer | undefined

  /** @param pass Reads the bytes before it returns, because the bytes of a large row are then freed. */
  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass
  }

  add(chunk: Buffer): void {
    let bytes = chunk
    if (this.#begun) {
      bytes = Buffer.concat([this.#begun, chunk])
      this.#begun = undefined
    }
    if (this.#row) {
      bytes = this.#fill(this.#row, bytes)
      if (bytes.length === 0) return
    }
    const start = this.#remaining
    if (start >= bytes.length) {
      this.#remaining -= bytes.length
      this.#pass(bytes)
      return
    }
    this.#remaining = 0
    this.#scan(bytes, start)
  }

  /** @param from Where the first message begins. */
  #scan(bytes: Buffer, from: number): void {
    let at = from
    while (at + headerBytes <= bytes.length) {
      const size = 1 + bytes.readUInt32BE(at + 1)
      const next = at + size
      if (next > bytes.length) {
        if (bytes[at] === dataRow && size >= large && size <= largest) {
          if (at > 0) this.#pass(bytes.subarray(0, at))
          this.#row = Buffer.allocUnsafeSlow(size)
          this.#filled = 0
          this.#fill(this.#row, bytes.subarray(at))
        } else {
          this.#remaining = next - bytes.length
          this.#pass(bytes)
        }
        return
      }
      at = next
    }
    if (at < bytes.length) this.#begun = bytes.subarray(at)
    if (at > 0) this.#pass(at < bytes.length ? bytes.subarray(0, at) : bytes)
  }

  /** @returns the bytes behind the row */
  #fill(row: Buffer, bytes: Buffer): Buffer {
    const copied = bytes.copy(row, this.#filled)
    this.#filled += copied
    const rest = bytes.subarray(copied)
    if (rest.length === 0) free(bytes)
    if (this.#filled === row.length) {
      this.#row = undefined
      this.#pass(row)
      free(row)
    }
    return rest
  }
}

/**
 * Returns the memory of a buffer at once: the garbage collection counts buffers late, so that many of them would be in memory
 * before it runs. A buffer of a socket has memory of its own.
 */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
