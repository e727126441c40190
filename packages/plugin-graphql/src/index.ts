/** The public surface of @octavo/plugin-graphql. */

import '@octavo/core/engine'

export { graphql } from './graphql.ts'
export type { GraphqlExtension, GraphqlOptions, Resolver, ResolverContext } from './options.ts'
export { problem as graphqlProblem } from './problems.ts'
