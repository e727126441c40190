/** The page of a list for which a request names none, and the largest that it may name. */
export interface RestDefaults {
  readonly defaultLimit: number
  readonly maxLimit: number
  readonly withCount: boolean
  /** Entries up to which a total is counted; more are estimated. `undefined`: all are counted. */
  readonly estimateCountAbove: number | undefined
}
