import { defineContentType } from '@octavo/core'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: {
    title: { type: 'string', required: true },
    slug: { type: 'string' },
    embargo: { type: 'boolean' },
    wip: { type: 'boolean' },
    locked: { type: 'boolean' },
    related: { type: 'relation', relation: 'manyToMany', target: 'api::article.article' },
  },
})
const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: {
    name: { type: 'string' },
    salary: { type: 'integer' },
    left: { type: 'boolean' },
    phone: { type: 'string', private: true },
  },
})
const event = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'event', pluralName: 'events' },
  attributes: { text: { type: 'string' } },
})
const story = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'story', pluralName: 'stories' },
  options: { draftAndPublish: true },
  attributes: { text: { type: 'string' } },
})
const imprint = defineContentType({
  kind: 'singleType',
  info: { singularName: 'imprint', pluralName: 'imprints' },
  attributes: { text: { type: 'string' } },
})

/** The content-types of the examples of hooks. */
export const hookModel = [article, author, event, story, imprint]
