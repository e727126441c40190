import { editors } from '@octavo/plugin-editors'
import { createServer } from '@octavo/server'

export const server = await createServer({
  contentTypes: [
    {
      kind: 'collectionType',
      info: { singularName: 'book', pluralName: 'books' },
      attributes: { title: { type: 'string', required: true }, margin: { type: 'integer', private: true } },
    },
  ],
  plugins: [editors()],
})
// POST /desk/api/login          { "email": "ada@example.org", "password": "a long password" }
// GET /desk/api/content/books   {"data":[],"meta":{"pagination":{"page":1,"pageSize":25,"pageCount":0,"total":0}}}
