/**
 * The position of each id in a list, in 10 to 16 bytes per id: a `Map` takes about fifty. A hash table with open addressing, whose slots
 * hold positions; at least a third of them is free.
 */
export class IdIndex {
  /** The id at each position; 0 where there is none. */
  readonly #ids: Int32Array
  /** A position plus 1; 0 for a free slot. */
  readonly #slots: Uint32Array
  /** The slot of an id is in the high bits of its product: so many bits are below them. */
  readonly #shift: number

  /** @param length Number of positions. */
  constructor(length: number) {
    this.#ids = new Int32Array(length)
    const bits = Math.ceil(Math.log2(length * 1.5 + 2))
    this.#slots = new Uint32Array(2 ** bits)
    this.#shift = 32 - bits
  }

  /** @param id A whole number from 1 to 2,147,483,647 that the index does not have. */
  set(id: number, position: number): void {
    this.#ids[position] = id
    this.#slots[this.#slotOf(id)] = position + 1
  }

  get(id: number): number | undefined {
    const found = this.#slots[this.#slotOf(id)] ?? 0
    return found === 0 ? undefined : found - 1
  }

  has(id: number): boolean {
    return this.get(id) !== undefined
  }

  /** The ids by position, up to `size` at a time. */
  *batches(size: number): Generator<readonly number[]> {
    for (let start = 0; start < this.#ids.length; start += size)
      yield [...this.#ids.subarray(start, start + size)].filter((id) => id !== 0)
  }

  /** The slot of an id, or the free one where it belongs. */
  #slotOf(id: number): number {
    const last = this.#slots.length - 1
    // Fibonacci hashing: also spreads ids with a common factor, such as every 1,024th.
    let slot = Math.imul(id, 0x9e3779b1) >>> this.#shift
    for (;;) {
      const found = this.#slots[slot] ?? 0
      if (found === 0 || this.#ids[found - 1] === id) return slot
      slot = (slot + 1) & last
    }
  }
}
