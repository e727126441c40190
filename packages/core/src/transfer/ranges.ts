/** The position of a value. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Positions of values, eight bytes each. Parts of a fixed size, since a growing array is copied and leaves its former memory behind. */
export class Ranges {
  readonly #parts: (Uint32Array | Float64Array)[] = []
  readonly #numbers: typeof Uint32Array | typeof Float64Array
  #length = 0

  /** @param greatest The greatest position. */
  constructor(greatest: number) {
    this.#numbers = greatest < 2 ** 32 ? Uint32Array : Float64Array
  }

  get length(): number {
    return this.#length
  }

  push({ start, end }: Range): void {
    const at = this.#length % rangesInPart
    if (at === 0) this.#parts.push(new this.#numbers(2 * rangesInPart))
    this.#parts.at(-1)?.set([start, end], 2 * at)
    this.#length += 1
  }

  at(index: number): Range | undefined {
    if (index >= this.#length) return undefined
    const part = this.#parts[Math.floor(index / rangesInPart)]
    const at = 2 * (index % rangesInPart)
    const [start, end] = [part?.[at], part?.[at + 1]]
    return start === undefined || end === undefined ? undefined : { start, end }
  }
}

const rangesInPart = 8_192
