import { defineContentType } from '@octavo/core'
import { createServer } from '@octavo/server'

const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: { name: { type: 'string', required: true } },
})
const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: {
    title: { type: 'string', required: true, maxLength: 120 },
    form: { type: 'enumeration', enum: ['news', 'review'] },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
  },
})

export const server = await createServer({ contentTypes: { article, author }, database: 'memory://' })
const { id } = await server.octavo.entries('author').create({ name: 'Ada' })
const articles = server.octavo.entries('article')
await articles.create({ title: 'First light', form: 'news', author: id })

// Typed: names, operators and values of the query, and the attributes of the answer.
const { data } = await articles.find({ filters: { form: 'news' }, sort: 'title', populate: { author: true } })
for (const { attributes } of data) console.log(attributes.title, attributes.author.data?.attributes.name)

console.log((await server.listen(1337)).url) // GET /api/articles answers
