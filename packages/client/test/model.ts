/** The content of the tests: every kind of attribute that answers nest. */
import { defineComponent, defineContentType } from '@octavo/core'

const localized = { i18n: { localized: true } } as const

const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: {
    name: { type: 'string', required: true },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
})

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { draftAndPublish: true },
  pluginOptions: localized,
  attributes: {
    title: { type: 'string', required: true, maxLength: 120, pluginOptions: localized },
    form: { type: 'enumeration', enum: ['news', 'review'] },
    views: { type: 'integer', default: 0 },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    cover: { type: 'media', multiple: false },
    seo: { type: 'component', component: 'shared.seo' },
    body: { type: 'dynamiczone', components: ['shared.seo', 'body.text'], pluginOptions: localized },
  },
})

/** A content-type whose name in paths has a hyphen. */
const readingList = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'reading-list', pluralName: 'reading-lists' },
  attributes: { title: { type: 'string' } },
})

const homepage = defineContentType({
  kind: 'singleType',
  info: { singularName: 'homepage', pluralName: 'homepages' },
  attributes: {
    title: { type: 'string', required: true },
    featured: { type: 'relation', relation: 'oneToMany', target: 'api::article.article' },
  },
})

export const contentTypes = { author, article, readingList, homepage }

export const components = {
  seo: defineComponent({
    uid: 'shared.seo',
    attributes: { metaTitle: { type: 'string' }, image: { type: 'media' } },
  }),
  text: defineComponent({ uid: 'body.text', attributes: { text: { type: 'richtext', required: true } } }),
}
