import { computed, defineComponent, defineContentType, sql } from '@octavo/core'

export const price = defineComponent({
  uid: 'shop.price',
  attributes: {
    net: { type: 'decimal' },
    gross: {
      type: 'decimal',
      computed: computed({ from: { net: 'decimal' }, sql: ({ net }) => sql`round(${net} * 1.2, 2)` }),
    },
  },
})

export const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: {
    title: { type: 'string', required: true },
    body: { type: 'text' },
    views: { type: 'json' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    price: { type: 'component', component: 'shop.price' },
    // A function: its text in any language, and no SQL.
    teaser: {
      type: 'string',
      computed: computed({
        from: { title: 'string', body: 'text' },
        value: ({ title, body }) => (body === null ? title : `${title}: ${body.slice(0, 20)}…`),
      }),
    },
    // An expression: it can be filtered and sorted by.
    titleLength: {
      type: 'integer',
      computed: computed({ from: { title: 'string' }, sql: ({ title }) => sql`char_length(${title})` }),
    },
  },
})

export const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: {
    name: { type: 'string' },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
})
