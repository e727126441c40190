const letter = (name: string): number => name.charCodeAt(0)
const parse = letter('P')
const bind = letter('B')
/** The description of the unnamed portal, which Bind makes. */
const describe = Buffer.from('D\0\0\0\x06P\0', 'latin1')
/** All rows of the unnamed portal. */
const execute = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1')
const sync = Buffer.from('S\0\0\0\x04', 'latin1')

/** The most parameters of a statement: PostgreSQL reads their number from two bytes. */
const mostParameters = 65_535

/** UTF-8 has up to three bytes for a UTF-16 unit; the bytes of a long text are counted, so that the buffer is no larger. */
const mostBytes = (text: string): number => (text.length < 1_000 ? 3 * text.length : Buffer.byteLength(text))

/**
 * The messages by which a client runs statements: Parse, Bind, Describe, Execute and Sync, in one buffer, which is
 * one write to the socket; pg writes each of them by itself.
 *
 * A message is a letter, the length of the rest in four bytes, and its content; texts end with a zero byte.
 * Source: PostgreSQL's manual, "Message Formats".
 */
export class Messages {
  readonly #bytes: Buffer
  #at = 0

  /** @param size At least the bytes of all messages, of which {@link Messages.sizeOf} is the bound for one statement. */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size + sync.length)
  }

  /** Bytes that the messages of a statement have at most. */
  static sizeOf(name: string, text: string, values: readonly (string | null)[]): number {
    let size = 64 + 2 * mostBytes(name) + mostBytes(text) + 4 * values.length
    for (const value of values) if (value !== null) size += mostBytes(value)
    return size
  }

  /** @param name Empty for the unnamed statement. */
  parse(name: string, text: string): void {
    const start = this.#open(parse)
    this.#text(name)
    this.#text(text)
    // PostgreSQL infers the types of all parameters.
    this.#uint16(0)
    this.#close(start)
  }

  /** @throws RangeError for more parameters than a statement can have. */
  bind(name: string, values: readonly (string | null)[]): void {
    if (values.length > mostParameters)
      throw new RangeError(`A statement has ${values.length} parameters; PostgreSQL takes ${mostParameters}`)
    const start = this.#open(bind)
    this.#text('')
    this.#text(name)
    // All parameters are in text format.
    this.#uint16(0)
    this.#uint16(values.length)
    for (const value of values) this.#value(value)
    // And so are all columns.
    this.#uint16(0)
    this.#close(start)
  }

  describe(): void {
    this.#append(describe)
  }

  execute(): void {
    this.#append(execute)
  }

  /** Adds Sync and returns the messages. */
  end(): Buffer {
    this.#append(sync)
    return this.#bytes.subarray(0, this.#at)
  }

  #open(type: number): number {
    this.#bytes[this.#at] = type
    this.#at += 5
    return this.#at - 4
  }

  /** Writes the length, now that it is known. */
  #close(start: number): void {
    this.#bytes.writeInt32BE(this.#at - start, start)
  }

  #text(text: string): void {
    if (text !== '') this.#at += this.#bytes.write(text, this.#at)
    this.#bytes[this.#at] = 0
    this.#at += 1
  }

  #value(value: string | null): void {
    const length = value === null ? -1 : this.#bytes.write(value, this.#at + 4)
    this.#bytes.writeInt32BE(length, this.#at)
    this.#at += 4 + Math.max(0, length)
  }

  #uint16(value: number): void {
    this.#bytes.writeUInt16BE(value, this.#at)
    this.#at += 2
  }

  #append(message: Buffer): void {
    this.#bytes.set(message, this.#at)
    this.#at += message.length
  }
}
