import { defineComponent, defineContentType } from '@octavo/core'

/** Entries of many parts: each has exactly one seo and three links with a keyword each, or it is half-written. */
export const crashTypes = {
  contentTypes: [
    defineContentType({
      kind: 'collectionType',
      info: { singularName: 'page', pluralName: 'pages' },
      attributes: {
        title: { type: 'string', required: true },
        seo: { type: 'component', component: 'shared.seo' },
        links: { type: 'component', component: 'shared.link', repeatable: true },
      },
    }),
  ],
  components: [
    defineComponent({ uid: 'shared.seo', attributes: { title: { type: 'string' } } }),
    defineComponent({
      uid: 'shared.link',
      attributes: {
        label: { type: 'string' },
        words: { type: 'component', component: 'shared.word', repeatable: true },
      },
    }),
    defineComponent({ uid: 'shared.word', attributes: { text: { type: 'string' } } }),
  ],
}
