import { openapi } from '@octavo/plugin-openapi'
import { createServer } from '@octavo/server'

export const server = await createServer({
  contentTypes: [
    {
      kind: 'collectionType',
      info: { singularName: 'book', pluralName: 'books', description: 'A printed book.' },
      attributes: {
        title: { type: 'string', required: true, description: 'As on the cover.', example: 'Emma' },
        pages: { type: 'integer', min: 1 },
      },
    },
  ],
  plugins: [openapi({ info: { title: 'Library', version: '2.1.0' } })],
  access: 'open', // everybody may write; @octavo/plugin-users-permissions has roles
})
// GET /api/openapi.json   {"openapi":"3.1.1","info":{"title":"Library","version":"2.1.0"},…}
// GET /docs               the page
