import { median } from '../measure.ts'

/** The target, in the unit of the figure. Absent: there is none, and the figure is a hint. */
export interface Bounds {
  /** At most, with the processor as it is. */
  readonly most?: number
  /** At most, with the processor slowed. */
  readonly mostSlowed?: number
}

/** A figure of one pace of the processor. */
export interface Figure extends Bounds {
  readonly name: string
  /** Milliseconds, or a number of fields. */
  readonly value: number
  readonly unit: 'ms' | 'fields'
  /** The statistic, such as `median of 5`. */
  readonly of: string
}

/** A figure with the processor as it is, and slowed. */
export interface Row extends Omit<Figure, 'value'> {
  readonly plain: number
  readonly slowed: number
}

/** The same figures of both paces, side by side. */
export const rowsOf = (plain: readonly Figure[], slowed: readonly Figure[]): readonly Row[] =>
  plain.map(({ value, ...figure }, i) => ({
    ...figure,
    plain: value,
    slowed: slowed[i]?.value ?? Number.NaN,
  }))

const p95 = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN

/** The median of a number of rounds. */
export const ofRounds = (name: string, values: readonly number[], bounds: Bounds = {}): Figure => ({
  name,
  value: median(values),
  unit: 'ms',
  ...bounds,
  of: `median of ${values.length}`,
})

/** The time that 95 of 100 keys do not exceed. */
export const ofKeys = (name: string, times: readonly number[], bounds: Bounds = {}): Figure => ({
  name,
  value: p95(times),
  unit: 'ms',
  ...bounds,
  of: `p95 of ${times.length}`,
})
