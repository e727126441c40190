import { median } from '../measure.ts'

export interface Figure {
  readonly name: string
  /** Milliseconds, or a number of fields. */
  readonly value: number
  readonly unit: 'ms' | 'fields'
  /** At most this much is good; `undefined` where nothing is asked for. */
  readonly most?: number
  /** The statistic, such as `median of 5`. */
  readonly of: string
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN

/** The median of a number of rounds. */
export const ofRounds = (name: string, values: readonly number[], most?: number): Figure => ({
  name,
  value: median(values),
  unit: 'ms',
  ...(most !== undefined && { most }),
  of: `median of ${values.length}`,
})

/** The time that 95 of 100 keys do not exceed. */
export const ofKeys = (name: string, times: readonly number[], most?: number): Figure => ({
  name,
  value: p95(times),
  unit: 'ms',
  ...(most !== undefined && { most }),
  of: `p95 of ${times.length}`,
})
