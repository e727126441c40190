import { definePlugin } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server

/** The newest article as an operation, for callers who may find articles. The schema has no deletion of articles. */
export const plugin = definePlugin({
  name: 'example-server-graphql',
  setup(host) {
    host.hook('server:graphql', (schema) => {
      schema.use({
        typeDefs: 'extend type Query { newestArticle: ArticleEntityResponse }',
        resolvers: {
          Query: {
            newestArticle: async (_parent, _values, { octavo, state }) => {
              const { data } = await octavo
                .entries('article', state)
                .find({ sort: 'id:desc', pagination: { limit: 1 } })
              return { data: data[0] }
            },
          },
        },
        actions: { newestArticle: 'api::article.article.find' },
      })
      schema.disable('api::article.article.delete')
    })
  },
})
