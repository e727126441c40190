import { createHash } from 'node:crypto'

/** What one side has of a content-type or a component. */
export interface SideFigures {
  readonly rows: number
  readonly links: number
  /** 32 hexadecimal digits. */
  readonly checksum: string
}

interface Sum {
  rows: number
  links: number
  sum: bigint
}

/**
 * Counts and checksums by content-type. A checksum is the sum of the hashes of all rows and links, so that it does not
 * depend on the order in which they are read; each line names its row, so that no two changes cancel out.
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
      [...this.#sums].map(([uid, { rows, links, sum }]) => [
        uid,
        { rows, links, checksum: sum.toString(16).padStart(32, '0') },
      ]),
    )
  }

  #add(uid: string, text: string): Sum {
    const known = this.#sums.get(uid)
    const made = known ?? { rows: 0, links: 0, sum: 0n }
    if (!known) this.#sums.set(uid, made)
    const digest = createHash('sha256').update(text).digest()
    const hash = (digest.readBigUInt64LE(0) << 64n) | digest.readBigUInt64LE(8)
    made.sum = BigInt.asUintN(128, made.sum + hash)
    return made
  }
}
