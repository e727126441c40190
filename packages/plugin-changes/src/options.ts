import { type WholeNumber, wholeNumbers } from '@octavo/core/internal'

export interface ChangesOptions {
  /** Changes that are stored; the oldest ones above this number are deleted. Default 100,000. */
  readonly keep?: number
  /** Changes of one response at most. Default 100, at most 500. */
  readonly pageSize?: number
  /** Open streams of one process at most; further ones get a 503. Default 100. */
  readonly streams?: number
  /** Time after which a stream ends, so that its client authenticates again, in milliseconds. Default 300,000 (5 minutes). */
  readonly streamTime?: number
  /** Interval of the comments that keep a quiet stream open, in milliseconds. Default 15,000. */
  readonly heartbeat?: number
}

/** A new option without a row does not compile. */
const numbers = {
  keep: { default: 100_000, max: 1_000_000_000 },
  pageSize: { default: 100, max: 500 },
  streams: { default: 100, max: 100_000 },
  streamTime: { default: 300_000, max: 86_400_000 },
  heartbeat: { default: 15_000, max: 86_400_000 },
} as const satisfies Record<keyof ChangesOptions, WholeNumber>

export type Settings = Required<ChangesOptions>

/** @throws ConfigurationError */
export const readOptions = (options: ChangesOptions): Settings => wholeNumbers(options, numbers, 'changes')
