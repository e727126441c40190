import { LRUCache } from 'lru-cache'

/** Milliseconds from which a statement is slow. */
const slow = 100

/** Shapes that are remembered, and their characters. */
const knownShapes = 10_000
const knownCharacters = 16_000_000

/** Statements by their texts: how long each took when it ran last. */
export class Shapes {
  readonly #times = new LRUCache<string, number>({
    max: knownShapes,
    maxSize: knownCharacters,
    sizeCalculation: (_, shape) => shape.length + 1,
  })

  /** Whether a statement was slow when it ran last; `undefined` for one that is unknown. */
  isSlow(shape: string): boolean | undefined {
    const time = this.#times.get(shape)
    return time === undefined ? undefined : time >= slow
  }

  /** @returns whether the shape has become slow. */
  took(shape: string, milliseconds: number, hasFailed: boolean): boolean {
    const isSlow = milliseconds >= slow
    // How long it would have taken is not known.
    if (hasFailed && !isSlow) return false
    const wasSlow = this.isSlow(shape)
    // Most statements are as quick as before, and need no new entry.
    if (wasSlow !== isSlow) this.#times.set(shape, milliseconds)
    return isSlow && !wasSlow
  }
}
