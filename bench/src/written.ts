/** The bodies of the scenarios that write. */
export const newArticle = { title: 'A new article', body: 'Some text', views: 7 }

export const changed = { title: 'A changed article', author: 3, categories: [1, 2, 3] }

/** An article with two relations and six components. */
export const extended = {
  ...newArticle,
  author: 3,
  categories: [1, 2, 3],
  seo: { metaTitle: 'An article', metaDescription: 'About some text' },
  links: [
    { label: 'one', url: 'https://example.org/1' },
    { label: 'two', url: 'https://example.org/2' },
  ],
  blocks: [
    { __component: 'blocks.hero', heading: 'A heading' },
    { __component: 'blocks.quote', text: 'A quotation' },
  ],
} as const

/** The id at the end of the path. */
export const idOf = (url: URL): number => Number(url.pathname.split('/').at(-1))
