/** The parts of a GraphQL schema that plugins and programs add; the plugin that serves the schema asks for them by a hook. */
import type { Octavo, RequestState } from '@octavo/core'
import type { RouteContext } from './route-context.ts'

/** The request that a resolver runs for. */
export interface ResolverContext {
  readonly octavo: Octavo
  /** For reads and writes with the rights of the caller: `octavo.entries('article', state)`. */
  readonly state: RequestState
  /** Koa's context. */
  readonly request: RouteContext
}

/** Returns the value of a field, or throws an error of core, which the answer has as REST would have it. */
export type Resolver = (
  parent: unknown,
  values: Readonly<Record<string, unknown>>,
  context: ResolverContext,
) => unknown

/**
 *     {
 *       typeDefs: 'extend type Query { articleCount: Int! }',
 *       resolvers: { Query: { articleCount: (_parent, _values, { octavo, state }) => … } },
 *       actions: { articleCount: 'api::article.article.find' },
 *     }
 */
export interface GraphqlExtension {
  /** SDL: types, and `extend type Query` or `extend type Mutation` with operations. */
  readonly typeDefs: string
  /** By the name of the type and that of the field. A field without one is the property of that name. */
  readonly resolvers?: Readonly<Record<string, Readonly<Record<string, Resolver>>>>
  /** Permissions that callers of an operation need. Default: none is needed. */
  readonly actions?: Readonly<Record<string, string>>
}

/** Receives what a plugin changes in the schema of GraphQL. */
export interface GraphqlSchemaParts {
  /** Adds types and operations. A mistake in them stops the start, and names the plugin. */
  use(extension: GraphqlExtension): void
  /**
   * Leaves out content-types with the relations to them (`api::note.note`), operations (`api::article.article.delete`) and attributes
   * (`api::article.article.note`).
   */
  disable(...names: readonly string[]): void
}
