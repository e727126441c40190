import { LRUCache } from 'lru-cache'

/** Milliseconds from which a statement is slow. */
const slow = 100

/** The same for a statement that was quick when it ran last: it may have waited for a processor, which slow ones of others use. */
const slowAgain = 1_000

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
    const wasSlow = this.isSlow(shape)
    const isSlow = milliseconds >= (wasSlow === false ? slowAgain : slow)
    // How long it would have taken is not known.
    if (hasFailed && !isSlow) return false
    // Most statements are as quick as before, and need no new entry.
    if (wasSlow !== isSlow) this.#times.set(shape, milliseconds)
    return isSlow && !wasSlow
  }
}
