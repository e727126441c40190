/** Whether a figure grows over a run. */

export interface Growth {
  readonly first: number
  readonly last: number
  readonly hasGrown: boolean
}

/** The part of a run that warms up: caches fill and code is compiled. */
const warmUp = 0.2

/**
 * Compares the median of the first third with that of the last one, after the warm-up. A median does not follow single
 * peaks, and the bound is generous, so that noise never counts as growth.
 *
 * @param slack What the last third may have above the first, besides a quarter of it.
 * @returns `undefined` for fewer than nine values
 */
export function growth(all: readonly number[], slack: number): Growth | undefined {
  const values = all.slice(Math.floor(all.length * warmUp))
  const third = Math.floor(values.length / 3)
  if (third < 3) return undefined
  const first = median(values.slice(0, third))
  const last = median(values.slice(-third))
  return { first, last, hasGrown: last > first * 1.25 + slack }
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
