import { LRUCache } from 'lru-cache'

/** Milliseconds from which a statement is slow. */
const slow = 100

/**
 * Milliseconds from which a statement that was quick when it ran last is slow: it may have waited for a processor, which slow ones of others
 * use.
 */
const slowAgain = 1_000

/** The milliseconds after which a statement that still runs tells its shape. */
export const longRuns = [slow, slowAgain]

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

/**
 * The quick runs, less {@link costOfSlow} for each slow one, from which a shape is proven, and the most that are counted. A shape of which each
 * fifth run is slow is so never proven: its time depends on its values.
 */
const proof = 16
const mostProof = 64
const costOfSlow = 4

interface Measured {
  readonly isSlow: boolean
  /** Times that it has become slow. */
  readonly times: number
  /** Until when it stays slow, as `performance.now()`. */
  readonly until: number
  proof: number
}

/** A statement that has ended. */
export interface Run {
  readonly shape: string
  readonly milliseconds: number
  readonly hasFailed: boolean
  /** Whether it counts as a quick run, when it was quick. */
  readonly proves: boolean
}

/** Statements by their texts: whether each is slow. */
export class Shapes {
  readonly #measured = new LRUCache<string, Measured>({
    maxSize: knownCharacters,
    // With `max` the cache would allocate the place of all entries at once.
    sizeCalculation: (_, shape) => shape.length + knownCharacters / knownShapes,
  })

  /** Whether a statement is slow; `undefined` for one that is unknown. */
  isSlow(shape: string): boolean | undefined {
    return this.#measured.get(shape)?.isSlow
  }

  /** Whether a statement has been quick so often that its next run is expected to be so, whatever its values. */
  isProven(shape: string): boolean {
    const known = this.#measured.get(shape)
    return known !== undefined && !known.isSlow && known.proof >= proof
  }

  /**
   * Learns that a statement runs for long, before it ends: a quick shape is slow then as early as it would be by its end, so that dear values of it
   * do not take all connections meanwhile.
   * @param milliseconds One of {@link longRuns}.
   * @param now As `performance.now()`.
   * @returns whether the shape has become slow.
   */
  runsForLong(shape: string, milliseconds: number, now: number): boolean {
    const known = this.#measured.get(shape)
    if (!known || known.isSlow) return false
    if (milliseconds >= slowAgain) {
      this.#measured.set(shape, slower(known, now))
      return true
    }
    known.proof = Math.max(0, known.proof - costOfSlow)
    return false
  }

  /**
   * Learns how long a statement took.
   * @param now As `performance.now()`.
   * @returns whether the shape has become slow.
   */
  took({ shape, milliseconds, hasFailed, proves }: Run, now: number): boolean {
    const before = this.#measured.get(shape)
    const isSlow = milliseconds >= (before?.isSlow === false ? slowAgain : slow)
    if (isSlow) {
      this.#measured.set(shape, slower(before, now))
      return !before?.isSlow
    }
    if (before?.isSlow === false) {
      // Most statements are as quick as before, and need no new entry.
      if (milliseconds >= slow) before.proof = Math.max(0, before.proof - costOfSlow)
      else if (proves && before.proof < mostProof) before.proof += 1
      return false
    }
    // The time that a failed one would have taken is not known.
    if (hasFailed || (before && now < before.until)) return false
    this.#measured.set(shape, {
      isSlow: false,
      times: before?.times ?? 0,
      until: before?.until ?? now,
      proof: 1,
    })
    return false
  }
}

/** A shape after a slow statement. The first one may have waited for a cold cache, so one quick statement makes up for it. */
function slower(before: Measured | undefined, now: number): Measured {
  const earlier = before && now < before.until + forgotten ? before.times : 0
  const times = before?.isSlow ? Math.max(1, earlier) : earlier + 1
  const stay = times === 1 ? 0 : Math.min(stays * 2 ** (times - 2), staysAtMost)
  return { isSlow: true, times, until: now + stay, proof: 0 }
}
