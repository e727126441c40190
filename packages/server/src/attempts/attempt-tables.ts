import type { OwnTable, PluginHost } from '@octavo/core/plugin'

/** The tables of {@link AttemptLimits}. */
export interface AttemptTables {
  /** Attempts, as rate-limiter-flexible counts them. It inserts by the order of these columns. */
  readonly attempts: OwnTable<{
    readonly key: string
    readonly points: number
    readonly expire: number | null
  }>
  /** Addresses of successful logins, hashed together with the name. */
  readonly knownLogins: OwnTable<{ readonly hash: string; readonly expires: string }>
}

/** Declares the tables of {@link AttemptLimits} for a plugin. @param names The names of the two tables. */
export const declareAttemptTables = (
  host: Pick<PluginHost, 'table'>,
  names: Readonly<Record<keyof AttemptTables, string>>,
): AttemptTables => ({
  attempts: host.table(names.attempts, {
    columns: {
      key: { type: 'text' },
      points: { type: 'integer' },
      expire: { type: 'bigint', nullable: true },
    },
    primaryKey: 'key',
  }),
  knownLogins: host.table(names.knownLogins, {
    columns: { hash: { type: 'text' }, expires: { type: 'timestamp' } },
    primaryKey: 'hash',
  }),
})
