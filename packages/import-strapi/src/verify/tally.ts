import { hash } from 'node:crypto'

/** Counts and checksum of a content-type or a component on one side. */
export interface SideFigures {
  readonly rows: number
  readonly links: number
  /** 32 hexadecimal digits. */
  readonly checksum: string
}

interface Sum {
  rows: number
  links: number
  /** A number of 128 bits, in four words of 32 bits, least significant first. */
  readonly words: Uint32Array
}

const wordCount = 4
const wordRange = 2 ** 32

/**
 * Counts and checksums by content-type. A checksum is the sum of the hashes of all rows and links, so it does not
 * depend on the order in which they are read. Each text contains its row's id, so no two changes cancel out.
 */
export class Tally {
  readonly #sums = new Map<string, Sum>()

  row(uid: string, text: string): void {
    this.#add(uid, `row ${text}`).rows++
  }

  /** @param rank Place in the list, from 1; 0 where there is no order. */
  link(uid: string, attribute: string, owner: number, rank: number, target: string | number): void {
    this.#add(uid, `link ${attribute} ${owner} ${rank} ${target}`).links++
  }

  figures(): ReadonlyMap<string, SideFigures> {
    return new Map(
      [...this.#sums].map(([uid, { rows, links, words }]) => [
        uid,
        { rows, links, checksum: [...words].reverse().map(hexadecimal).join('') },
      ]),
    )
  }

  #add(uid: string, text: string): Sum {
    const known = this.#sums.get(uid)
    const sum = known ?? { rows: 0, links: 0, words: new Uint32Array(wordCount) }
    if (!known) this.#sums.set(uid, sum)
    const digest = hash('sha256', text, 'buffer')
    let carry = 0
    for (let i = 0; i < wordCount; i++) {
      const total = (sum.words[i] ?? 0) + digest.readUInt32LE(i * 4) + carry
      sum.words[i] = total % wordRange
      carry = total >= wordRange ? 1 : 0
    }
    return sum
  }
}

const hexadecimal = (word: number): string => word.toString(16).padStart(8, '0')
