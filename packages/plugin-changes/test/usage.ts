import { changes } from '@octavo/plugin-changes'
import { createServer } from '@octavo/server'

export const server = await createServer({
  contentTypes: [
    {
      kind: 'collectionType',
      info: { singularName: 'post', pluralName: 'posts' },
      attributes: { title: { type: 'string' } },
    },
  ],
  plugins: [changes()],
  access: 'open', // anybody may write; @octavo/plugin-users-permissions has roles
})
// GET /api/_changes             → { "data": [], "meta": { "cursor": "0", "hasMore": false } }
// POST /api/posts               { "data": { "title": "Emma" } }
// GET /api/_changes?since=0     → { "data": [{ "kind": "created", "type": "api::post.post", "id": 1, "at": "…" }],
//                                   "meta": { "cursor": "1-1804289383", "hasMore": false } }
