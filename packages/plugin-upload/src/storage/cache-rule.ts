/** The time for which caches may serve a file without revalidation. */
export interface CacheRule {
  /** Seconds. */
  readonly age: number
  readonly immutable: boolean
}

/** A replaced file keeps its address, so caches revalidate soon. */
export const originals: CacheRule = { age: 60, immutable: false }
