/** The public surface of @octavo/plugin-graphql. */

import '@octavo/core/engine'

export type { GraphqlExtension, Resolver, ResolverContext } from '@octavo/server'
export { graphql } from './graphql.ts'
export type { GraphqlOptions } from './options.ts'
export { problem as graphqlProblem } from './problems.ts'
