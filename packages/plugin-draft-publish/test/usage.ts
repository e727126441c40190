import { draftPublish } from '@octavo/plugin-draft-publish'
import { createServer } from '@octavo/server'

export const server = await createServer({
  contentTypes: [
    {
      kind: 'collectionType',
      info: { singularName: 'post', pluralName: 'posts' },
      options: { draftAndPublish: true },
      attributes: { title: { type: 'string', required: true } },
    },
  ],
  plugins: [draftPublish()],
})
await server.octavo.entries('post').create({ title: 'Not yet', publishedAt: null })
// GET /api/posts                            → no entries
// GET /api/posts?publicationState=preview   → the draft
