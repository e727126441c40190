import { ImportError } from './import-error.ts'
import { type Range, Ranges } from './ranges.ts'

/** An entry or a component of a data file. */
export type DataEntry = Readonly<Record<string, unknown>>

/** Bytes of one entry. Its objects take several times the memory of its text. */
export const maxEntryBytes = 32 * 1024 * 1024
/** Bytes of a section besides `entries`, which is parsed as a whole. */
const maxSectionBytes = 256 * 1024 * 1024
const maxKeyBytes = 1024 * 1024

/** Entries of a data file, read one at a time. Arrays are such lists. */
export interface EntryList extends Iterable<DataEntry> {
  readonly length: number
  at(index: number): DataEntry | undefined
}

/** Each entry with its index in the list. */
export function* numbered(list: EntryList): Generator<[number, DataEntry]> {
  let index = 0
  for (const entry of list) yield [index++, entry]
}

const [quote, backslash, comma, colon] = Buffer.from('"\\,:')
const lineEnd = 10
const [openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('{}[]')
const spaces: ReadonlySet<number | undefined> = new Set(Buffer.from(' \t\n\r'))

/**
 * Reads the JSON of a data file without its entries: these stay text and are parsed each time that they are read, because the
 * objects of a large file take several times the memory of its text.
 *
 * @param json In UTF-8, without a byte order mark.
 * @returns the value of `JSON.parse`, except that the lists in `entries` are {@link EntryList}s; `undefined` for a text that is
 *   no JSON, or no object.
 * @throws ImportError for an entry or a section that is too large, and for one whose key is there twice.
 */
export function parseOutline(json: Uint8Array): unknown {
  try {
    const reader = new OutlineReader(Buffer.from(json.buffer, json.byteOffset, json.byteLength))
    const root = reader.next()
    if (!reader.isAtEnd) return undefined
    const members = reader.members(root, 'the file')
    return Object.fromEntries(
      [...members].map(([key, range]) => [
        key,
        key === 'entries'
          ? entriesOf(reader, range)
          : reader.parse(range, maxSectionBytes, `section "${key}"`),
      ]),
    )
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function entriesOf(reader: OutlineReader, range: Range): unknown {
  if (reader.byteAt(range) !== openBrace) return reader.parse(range, maxEntryBytes, '"entries"')
  const lists = [...reader.members(range, '"entries"')].map(([uid, list]): [string, unknown] => [
    uid,
    reader.byteAt(list) === openBracket
      ? new TextEntries(reader, list, uid)
      : reader.parse(list, maxEntryBytes, `entries["${uid}"]`),
  ])
  return Object.fromEntries(lists)
}

class TextEntries implements EntryList {
  readonly #reader: OutlineReader
  readonly #ranges: Ranges

  /** @throws SyntaxError when an entry is not JSON. */
  constructor(reader: OutlineReader, list: Range, uid: string) {
    this.#reader = reader
    this.#ranges = new Ranges(list.end)
    for (const range of reader.items(list)) {
      reader.parse(range, maxEntryBytes, `entries["${uid}"][${this.#ranges.length}]`)
      this.#ranges.push(range)
    }
  }

  get length(): number {
    return this.#ranges.length
  }

  at(index: number): DataEntry | undefined {
    const range = this.#ranges.at(index)
    return range && (this.#reader.parse(range) as DataEntry) // checked where it is imported
  }

  *[Symbol.iterator](): Generator<DataEntry> {
    for (let index = 0; index < this.length; index++) {
      const entry = this.at(index)
      if (entry !== undefined) yield entry
    }
  }
}

/** Finds the values of a JSON text. Its methods throw a SyntaxError for some texts that are not JSON, but not for all. */
class OutlineReader {
  readonly #json: Buffer
  #position = 0

  constructor(json: Buffer) {
    this.#json = json
  }

  get isAtEnd(): boolean {
    this.#skipSpaces()
    return this.#position === this.#json.length
  }

  byteAt({ start }: Range): number | undefined {
    return this.#json[start]
  }

  /**
   * @param most Bytes that the text may have. Default: no limit, for a range that was parsed before.
   * @throws ImportError for a longer one, before it is parsed.
   */
  parse({ start, end }: Range, most = Number.POSITIVE_INFINITY, name = ''): unknown {
    if (end - start > most) throw new ImportError([`${name} has more than ${most / 1024 / 1024} MiB.`])
    return JSON.parse(this.#json.toString('utf8', start, end))
  }

  /** The value at the present position. */
  next(): Range {
    this.#skipSpaces()
    const start = this.#position
    const first = this.#json[start]
    if (first === quote) this.#skipString()
    else if (first === openBrace || first === openBracket) this.#skipNested()
    else this.#skipScalar()
    if (this.#position === start) throw new SyntaxError('a value is missing')
    return { start, end: this.#position }
  }

  /**
   * The members of an object.
   * @param at The name of the object, for messages.
   * @throws ImportError for a key that is there twice, of which `JSON.parse` would drop the first member.
   */
  members(range: Range, at: string): ReadonlyMap<string, Range> {
    const found = new Map<string, Range>()
    for (const key of this.#parts(range, openBrace, closeBrace)) {
      const name = this.parse(key, maxKeyBytes, 'a key')
      this.#expect(colon)
      if (typeof name !== 'string') throw new SyntaxError('a key is no string')
      const first = found.get(name)
      const value = this.next()
      if (first) {
        const lines = [first, value].map(({ start }) => this.#lineOf(start)).join(' and ')
        throw new ImportError([
          `${at} has the key ${JSON.stringify(name)} twice, at lines ${lines}: one object or list must have both.`,
        ])
      }
      found.set(name, value)
    }
    return found
  }

  items(range: Range): Generator<Range> {
    return this.#parts(range, openBracket, closeBracket)
  }

  /** Yields each value between the brackets; the caller may read on before it continues. Ends after the closing one. */
  *#parts({ start }: Range, open: number | undefined, close: number | undefined): Generator<Range> {
    this.#position = start
    this.#expect(open)
    this.#skipSpaces()
    if (this.#json[this.#position] === close) {
      this.#position += 1
      return
    }
    for (;;) {
      yield this.next()
      this.#skipSpaces()
      if (this.#json[this.#position] === close) break
      this.#expect(comma)
    }
    this.#position += 1
  }

  #lineOf(position: number): number {
    let line = 1
    for (
      let end = this.#json.indexOf(lineEnd);
      end >= 0 && end < position;
      end = this.#json.indexOf(lineEnd, end + 1)
    )
      line += 1
    return line
  }

  #expect(byte: number | undefined): void {
    this.#skipSpaces()
    if (this.#json[this.#position] !== byte) throw new SyntaxError('another character is expected')
    this.#position += 1
  }

  #skipSpaces(): void {
    while (spaces.has(this.#json[this.#position])) this.#position += 1
  }

  #skipString(): void {
    for (this.#position += 1; this.#position < this.#json.length; this.#position += 1) {
      const byte = this.#json[this.#position]
      if (byte === backslash) this.#position += 1
      else if (byte === quote) {
        this.#position += 1
        return
      }
    }
    throw new SyntaxError('a string does not end')
  }

  #skipNested(): void {
    let depth = 0
    while (this.#position < this.#json.length) {
      const byte = this.#json[this.#position]
      if (byte === quote) this.#skipString()
      else {
        this.#position += 1
        if (byte === openBrace || byte === openBracket) depth += 1
        else if (byte === closeBrace || byte === closeBracket) depth -= 1
        if (depth === 0) return
      }
    }
    throw new SyntaxError('an object or a list does not end')
  }

  #skipScalar(): void {
    const isEnd = (byte: number | undefined): boolean =>
      byte === undefined || byte === comma || byte === closeBrace || byte === closeBracket || spaces.has(byte)
    while (!isEnd(this.#json[this.#position])) this.#position += 1
  }
}
