import { ConfigurationError, type KeysOf, refuseUnknownKeys } from '@octavo/core'

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

/** The bounds of the options. A new option without a row does not compile. */
const maximum = {
  keep: 1_000_000_000,
  pageSize: 500,
  streams: 100_000,
  streamTime: 86_400_000,
  heartbeat: 86_400_000,
} as const satisfies Record<keyof ChangesOptions, number>

const optionKeys = {
  keep: true,
  pageSize: true,
  streams: true,
  streamTime: true,
  heartbeat: true,
} as const satisfies KeysOf<ChangesOptions>

export type Settings = Required<ChangesOptions>

/** @throws ConfigurationError */
export function readOptions(options: ChangesOptions): Settings {
  refuseUnknownKeys(options, optionKeys, 'changes')
  const settings = {
    keep: 100_000,
    pageSize: 100,
    streams: 100,
    streamTime: 300_000,
    heartbeat: 15_000,
    ...options,
  }
  for (const [name, max] of Object.entries(maximum)) {
    const value = settings[name as keyof Settings] // the names of `maximum` are those of the options
    if (!Number.isInteger(value) || value < 1 || value > max)
      throw new ConfigurationError(
        `changes({ ${name} }) is a whole number from 1 to ${max}, not ${String(value)}`,
      )
  }
  return settings
}
