import { pages } from '@octavo/plugin-pages'
import { createServer } from '@octavo/server'

export const server = await createServer({
  contentTypes: [
    {
      kind: 'collectionType',
      info: { singularName: 'post', pluralName: 'posts' },
      attributes: { title: { type: 'string' }, notes: { type: 'text', private: true } },
    },
  ],
  plugins: [pages()],
})
// GET /api/posts?explain=true
// → { "pruned": [{ "kind": "hidden", "by": "definition", "attribute": "notes", … }], "plan": …, "times": … }
