import type { KeysOf } from '@octavo/core'

/** The options have the names of the reference's configuration (`config/plugins.js`, `graphql.config`). */
export interface GraphqlOptions {
  /** The path. Default `/graphql`. */
  readonly endpoint?: string
  /** Entries of a list without `pagination`. Default 10. */
  readonly defaultLimit?: number
  /** The most entries of a list. Default 100. */
  readonly amountLimit?: number
  /** Levels of fields below a root field. Default 10. */
  readonly depthLimit?: number
  /** Whether callers may read the schema. Default: not with `NODE_ENV=production`. */
  readonly introspection?: boolean
}

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = {
  endpoint: true,
  defaultLimit: true,
  amountLimit: true,
  depthLimit: true,
  introspection: true,
} as const satisfies KeysOf<GraphqlOptions>

/** The options with their defaults. */
export const withDefaults = ({
  endpoint = '/graphql',
  defaultLimit = 10,
  amountLimit = 100,
  depthLimit = 10,
  introspection = process.env.NODE_ENV !== 'production',
}: GraphqlOptions): Required<GraphqlOptions> => ({
  endpoint,
  defaultLimit,
  amountLimit,
  depthLimit,
  introspection,
})
