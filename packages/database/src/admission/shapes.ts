import { LRUCache } from 'lru-cache'

/** Milliseconds from which a statement is slow. */
const slow = 100

/**
 * Milliseconds from which a statement that was quick when it ran last is slow: it may have waited for a processor, which slow ones of others
 * use.
 */
const slowAgain = 1_000

/** Shapes that are remembered, and their characters. */
const knownShapes = 10_000
const knownCharacters = 16_000_000

/**
 * Milliseconds for which a shape stays slow when it has become slow again; twice as many each time, up to the most. Otherwise its
 * quick values could be sent between slow ones, so that it is always known as quick.
 */
const stays = 1_000
const staysAtMost = 300_000

/** Milliseconds without a slow one after which earlier ones are forgotten. */
const forgotten = 600_000

interface Measured {
  readonly isSlow: boolean
  /** Times that it has become slow. */
  readonly times: number
  /** Until when it stays slow, as `performance.now()`. */
  readonly until: number
}

/** Statements by their texts: whether each is slow. */
export class Shapes {
  readonly #measured = new LRUCache<string, Measured>({
    max: knownShapes,
    maxSize: knownCharacters,
    sizeCalculation: (_, shape) => shape.length + 1,
  })

  /** Whether a statement is slow; `undefined` for one that is unknown. */
  isSlow(shape: string): boolean | undefined {
    return this.#measured.get(shape)?.isSlow
  }

  /**
   * Learns how long a statement took.
   * @param now As `performance.now()`.
   * @returns whether the shape has become slow.
   */
  took(shape: string, milliseconds: number, hasFailed: boolean, now: number): boolean {
    const before = this.#measured.get(shape)
    const isSlow = milliseconds >= (before?.isSlow === false ? slowAgain : slow)
    if (isSlow) {
      this.#measured.set(shape, slower(before, now))
      return !before?.isSlow
    }
    // The time of a failed statement is not known. Most statements are as quick as before, and need no new entry.
    if (hasFailed || before?.isSlow === false || (before && now < before.until)) return false
    this.#measured.set(shape, { isSlow: false, times: before?.times ?? 0, until: before?.until ?? now })
    return false
  }
}

/** A shape after a slow statement. The first one may have waited for a cold cache, so one quick statement makes up for it. */
function slower(before: Measured | undefined, now: number): Measured {
  const earlier = before && now < before.until + forgotten ? before.times : 0
  const times = before?.isSlow ? Math.max(1, earlier) : earlier + 1
  const stay = times === 1 ? 0 : Math.min(stays * 2 ** (times - 2), staysAtMost)
  return { isSlow: true, times, until: now + stay }
}
