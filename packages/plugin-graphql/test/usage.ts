import { graphql } from '@octavo/plugin-graphql'
import { createServer } from '@octavo/server'

export const server = await createServer({
  contentTypes: [
    {
      kind: 'collectionType',
      info: { singularName: 'book', pluralName: 'books' },
      attributes: { title: { type: 'string', required: true }, pages: { type: 'integer' } },
    },
  ],
  plugins: [graphql()],
  access: 'open', // everybody may write; @octavo/plugin-users-permissions has roles
})
// POST /graphql   { "query": "{ books(sort: \"title\") { data { id attributes { title } } } }" }
//                 {"data":{"books":{"data":[]}}}
