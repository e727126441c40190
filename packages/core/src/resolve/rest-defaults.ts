/** The page of a list for which a request names none, and the largest that it may name. */
export interface RestDefaults {
  readonly defaultLimit: number
  readonly maxLimit: number
  readonly withCount: boolean
  /** The largest total that is counted; larger totals are estimated. `undefined`: no maximum. */
  readonly estimateCountAbove: number | undefined
}
