import { desk } from '@octavo/plugin-desk'
import { editors } from '@octavo/plugin-editors'
import { createServer } from '@octavo/server'

export const server = await createServer({
  contentTypes: [
    {
      kind: 'collectionType',
      info: { singularName: 'book', pluralName: 'books' },
      attributes: { title: { type: 'string', required: true } },
    },
  ],
  plugins: [editors(), desk({ title: 'The Reading Room' })],
})
// GET /desk → the page to sign in
