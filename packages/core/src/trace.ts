/**
 * A step in the work of a request:
 * - `parse`, `resolve`, `compile`: of a query whose statement is not cached
 * - `execute`: PostgreSQL runs the statement of a read
 * - `hook`: a handler of a plugin; some run within another step
 * - `write`: a transaction with all writes of a request, their hooks and their answer
 */
export interface Step {
  readonly name: 'parse' | 'resolve' | 'compile' | 'execute' | 'hook' | 'write'
  /** The names of what the step works with, and statements with placeholders; never values of a request. */
  readonly details?: Readonly<Record<string, string>>
}

/**
 * Runs the work of a step and returns its result. A tracer that records the time of a step waits for the end of a promise,
 * and returns the same promise.
 */
export type Trace = <T>(step: Step, work: () => T) => T

/** Records nothing. */
export const untraced: Trace = (_step, work) => work()
