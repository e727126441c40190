/** The model of the tests of types. Compiling them is the test: `tsc` checks the types, and each wrong line must not compile. */
import { defineComponent, defineContentType } from '../../src/content-type/types/define.ts'
import type { TypedEntries } from '../../src/entries/entries.ts'
import type { ModelOf } from '../../src/entries/model.ts'

// Declarations of a plugin for its attribute types and added attributes.
declare module '../../src/content-type/types/attribute-options.ts' {
  interface AttributeOptions {
    color: ScalarOptions<string> & { readonly alpha?: boolean }
    picture: CommonOptions & { readonly multiple?: boolean }
  }
}
declare module '../../src/content-type/types/values.ts' {
  interface AttributeValues {
    color: `#${string}`
  }
  interface LinkedAttributes {
    picture: { readonly url: string }
  }
  interface AddedAttributes<D> {
    shelf: D extends { readonly options: { readonly shelved: true } } ? { readonly type: 'string' } : never
  }
}
declare module '../../src/entries/query/query-input.ts' {
  interface AddedParameters {
    readonly shade?: 'light' | 'dark'
  }
  interface AddedChildParameters {
    readonly shade?: 'light' | 'dark'
  }
}

export const link = defineComponent({
  uid: 'shared.link',
  attributes: {
    label: { type: 'string', required: true },
    to: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
  },
})
export const seo = defineComponent({
  uid: 'shared.seo',
  attributes: {
    metaTitle: { type: 'string' },
    links: { type: 'component', component: 'shared.link', repeatable: true },
  },
})
export const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: {
    name: { type: 'string', required: true },
    mentor: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
})
export const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { shelved: true },
  attributes: {
    title: { type: 'string', required: true },
    status: { type: 'enumeration', enum: ['news', 'review'] },
    views: { type: 'integer' },
    live: { type: 'boolean' },
    day: { type: 'date' },
    extra: { type: 'json' },
    tone: { type: 'color', alpha: true },
    note: { type: 'string', private: true },
    secret: { type: 'password' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    about: { type: 'relation', relation: 'oneToOne', target: 'plugin::other.thing' },
    seo: { type: 'component', component: 'shared.seo' },
    cover: { type: 'picture' },
    gallery: { type: 'picture', multiple: true },
    zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.link'] },
  },
})

export const contentTypes = { article, author }
const components = [seo, link] as const
export type Model = ModelOf<typeof contentTypes, typeof components>
/** Never used: calls of it are compiled only. */
export const articles = {} as TypedEntries<Model, typeof article>
export const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  options: { search: { attributes: ['text'], mode: 'fulltext', language: 'german', weights: { text: 'A' } } },
  attributes: { text: { type: 'text' } },
})
/** With a full-text search. */
export const notes = {} as TypedEntries<Model, typeof note>

/** Compiled, never called. */
export const compiled = (_: () => unknown): void => {}
/** The attributes of the first entry of a list. */
export type First<T extends () => Promise<{ readonly data: readonly { readonly attributes: unknown }[] }>> =
  Awaited<ReturnType<T>>['data'][number]['attributes']
