import { accepts, type KeysOf } from '@octavo/core/internal'
import type { GraphqlExtension } from '@octavo/server'

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
  /**
   * Whether browsers get the page GraphiQL in production, too, and from other machines. Default: in development, for requests from
   * this machine.
   */
  readonly playgroundAlways?: boolean
  /**
   * Whether the status of answers follows the specification GraphQL over HTTP. An operation that cannot be parsed, or does not fit the
   * schema with its variables, is then a 200 for clients that accept `application/json`, and a 400 for clients that accept
   * `application/graphql-response+json`. Default false: 400 for all, as in the reference.
   */
  readonly followSpecification?: boolean
  /**
   * Content-types (`api::note.note`), operations (`api::article.article.delete`) and attributes (`api::article.article.note`) that
   * the schema leaves out. A type is left out with the relations to it. Default: none.
   */
  readonly disabled?: readonly string[]
  /** Types and operations of the project. Default: none. */
  readonly extend?: readonly GraphqlExtension[]
}

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = {
  endpoint: accepts.text('/graphql'),
  defaultLimit: accepts.wholeNumber(1),
  amountLimit: accepts.wholeNumber(1),
  depthLimit: accepts.wholeNumber(1),
  introspection: accepts.flag,
  playgroundAlways: accepts.flag,
  followSpecification: accepts.flag,
  disabled: accepts.texts('api::note.note'),
  extend: true,
} as const satisfies KeysOf<GraphqlOptions>

/** The options with their defaults. */
export const withDefaults = ({
  endpoint = '/graphql',
  defaultLimit = 10,
  amountLimit = 100,
  depthLimit = 10,
  introspection = process.env.NODE_ENV !== 'production',
  playgroundAlways = false,
  followSpecification = false,
  disabled = [],
  extend = [],
}: GraphqlOptions): Required<GraphqlOptions> => ({
  endpoint,
  defaultLimit,
  amountLimit,
  depthLimit,
  introspection,
  playgroundAlways,
  followSpecification,
  disabled,
  extend,
})
