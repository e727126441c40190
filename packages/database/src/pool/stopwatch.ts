/** The time of a message, as this process sees it. */
export interface Elapsed {
  readonly milliseconds: number
  /** Milliseconds in which the event loop had nothing to do. An answer that arrives in others may have waited for the loop. */
  readonly rested: number
}

/** Starts to measure. @returns the time until it is called */
export function stopwatch(): () => Elapsed {
  const start = performance.now()
  const { idle } = performance.eventLoopUtilization()
  return () => ({
    milliseconds: performance.now() - start,
    rested: performance.eventLoopUtilization().idle - idle,
  })
}
