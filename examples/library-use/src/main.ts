import { defineContentType } from '@octavo/core'
import { createServer } from '@octavo/server'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string', required: true }, body: { type: 'richtext' } },
})

export const server = await createServer({ contentTypes: [article], database: 'memory://' })
await server.octavo.entries('article').create({ title: 'First light' })
console.log((await server.listen(1337)).url) // GET /api/articles answers
