/** The content-types of the benchmark, and the number of entries of each size. */
import { type ContentTypeDefinition, defineComponent, defineContentType } from '@octavo/core'

export const sizes = { smoke: 50, small: 100, medium: 100_000, large: 1_000_000 } as const
export type Size = keyof typeof sizes

const article = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: {
    title: { type: 'string', required: true },
    slug: { type: 'uid' },
    body: { type: 'richtext' },
    summary: { type: 'text' },
    status: { type: 'enumeration', enum: ['news', 'review', 'opinion'] },
    rating: { type: 'decimal' },
    views: { type: 'integer' },
    featured: { type: 'boolean' },
    publishedOn: { type: 'date' },
    author: {
      type: 'relation',
      relation: 'manyToOne',
      target: 'api::author.author',
      inversedBy: 'articles',
    },
    categories: {
      type: 'relation',
      relation: 'manyToMany',
      target: 'api::category.category',
      inversedBy: 'articles',
    },
    seo: { type: 'component', component: 'shared.seo' },
    links: { type: 'component', component: 'shared.link', repeatable: true },
    blocks: { type: 'dynamiczone', components: ['blocks.hero', 'blocks.quote'] },
  },
} as const satisfies ContentTypeDefinition

const others = [
  defineContentType({
    kind: 'collectionType',
    info: { singularName: 'author', pluralName: 'authors' },
    attributes: {
      name: { type: 'string', required: true },
      email: { type: 'email' },
      articles: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::article.article',
        mappedBy: 'author',
      },
    },
  }),
  defineContentType({
    kind: 'collectionType',
    info: { singularName: 'category', pluralName: 'categories' },
    attributes: {
      name: { type: 'string', required: true },
      parent: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::category.category',
        inversedBy: 'children',
      },
      children: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::category.category',
        mappedBy: 'parent',
      },
      articles: {
        type: 'relation',
        relation: 'manyToMany',
        target: 'api::article.article',
        mappedBy: 'categories',
      },
    },
  }),
]

const typesWith = (options: NonNullable<ContentTypeDefinition['options']>) => [
  defineContentType({ ...article, options }),
  ...others,
]

export const contentTypes = typesWith({ totals: 'kept' })
/** While tables are filled: a total is counted once at the next start. */
export const typesWithoutTotals = typesWith({})
/** With a trigram index over these attributes. The other scenarios are without: each write would take longer. */
export const searchedTypes = typesWith({
  totals: 'kept',
  search: { attributes: ['title', 'summary'] },
})

export const components = [
  defineComponent({
    uid: 'shared.seo',
    attributes: { metaTitle: { type: 'string' }, metaDescription: { type: 'text' } },
  }),
  defineComponent({ uid: 'shared.link', attributes: { label: { type: 'string' }, url: { type: 'string' } } }),
  defineComponent({ uid: 'blocks.hero', attributes: { heading: { type: 'string' } } }),
  defineComponent({ uid: 'blocks.quote', attributes: { text: { type: 'text' } } }),
]

/** The content-types of the measured `octavo start`, in which articles may be drafts. */
export const draftedTypes = typesWith({ totals: 'kept', draftAndPublish: true })
