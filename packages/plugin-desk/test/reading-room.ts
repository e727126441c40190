import { type ContentTypeDefinition, silentLogger, unrestricted } from '@octavo/core'
import type { Plugin } from '@octavo/core/plugin'
import { desk } from '@octavo/plugin-desk'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { createEditor, editors, type Right } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'

const localized = { pluginOptions: { i18n: { localized: true } } }

/** An article has an attribute of every type. */
const article: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { draftAndPublish: true },
  ...localized,
  attributes: {
    headline: { type: 'string', required: true, maxLength: 120, ...localized },
    slug: { type: 'uid', targetField: 'headline', ...localized },
    summary: { type: 'text', required: true, maxLength: 280, ...localized },
    form: { type: 'enumeration', enum: ['news', 'review', 'long_read'], ...localized },
    rating: { type: 'float', min: 0, max: 5, ...localized },
    words: { type: 'integer', ...localized },
    copies: { type: 'biginteger', ...localized },
    price: { type: 'decimal', ...localized },
    firstSeen: { type: 'date', ...localized },
    opens: { type: 'time', ...localized },
    embargo: { type: 'datetime', ...localized },
    isOpinion: { type: 'boolean', default: false, ...localized },
    contact: { type: 'email', ...localized },
    secret: { type: 'password', ...localized },
    body: { type: 'richtext', ...localized },
    facts: { type: 'json', ...localized },
    cover: { type: 'media', multiple: false, allowedTypes: ['images'], ...localized },
    gallery: { type: 'media', multiple: true, ...localized },
    writtenBy: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', ...localized },
    categories: { type: 'relation', relation: 'manyToMany', target: 'api::category.category', ...localized },
    seo: { type: 'component', component: 'shared.seo', ...localized },
    links: { type: 'component', component: 'shared.link', repeatable: true, ...localized },
    sections: {
      type: 'dynamiczone',
      components: ['section.hero', 'section.quote', 'section.steps'],
      ...localized,
    },
  },
}

const named = (singularName: string, pluralName: string): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName },
  attributes: { name: { type: 'string', required: true } },
})

const imprint: ContentTypeDefinition = {
  kind: 'singleType',
  info: { singularName: 'imprint', pluralName: 'imprints', displayName: 'Imprint' },
  attributes: { title: { type: 'string' }, text: { type: 'richtext' } },
}

const components = [
  {
    uid: 'shared.seo',
    info: { displayName: 'SEO' },
    attributes: { metaTitle: { type: 'string', maxLength: 60 } },
  },
  {
    uid: 'shared.link',
    info: { displayName: 'Link' },
    attributes: { label: { type: 'string', required: true }, address: { type: 'string' } },
  },
  { uid: 'section.hero', info: { displayName: 'Hero' }, attributes: { heading: { type: 'string' } } },
  {
    uid: 'section.quote',
    info: { displayName: 'Quote' },
    attributes: {
      text: { type: 'text', required: true },
      by: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
    },
  },
  {
    uid: 'section.steps',
    info: { displayName: 'Steps' },
    attributes: { steps: { type: 'component', component: 'shared.link', repeatable: true } },
  },
] as const

export const password = 'Editor-1-word'

/** A server with the desk, the editor ada, who may do everything, and some content. @param more Further plugins. @param types Further types. */
export async function openDesk(
  folder: string,
  more: readonly Plugin[] = [],
  types: readonly ContentTypeDefinition[] = [],
) {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes: [article, named('author', 'authors'), named('category', 'categories'), imprint, ...types],
    components,
    plugins: [
      i18n({ locales: ['en', 'fr', 'de'], defaultLocale: 'en' }),
      draftPublish(),
      upload({ provider: localDisk({ folder }), focalPoint: true }),
      editors(),
      desk({ title: 'The Reading Room' }),
      ...more,
    ],
    database: database.url,
    logger: silentLogger,
    rateLimit: false,
  })
  const { octavo } = server
  const { url } = await server.listen(0, '127.0.0.1')
  await createEditor(octavo, { email: 'ada@example.org', password, firstname: 'Ada', lastname: 'Author' })
  const state = unrestricted('fills the tests')
  const authors = octavo.entries('author', state)
  for (const name of ['Ada Lovelace', 'Virginia Woolf', 'Marie Curie', 'Li Wei'])
    await authors.create({ name })
  for (const name of ['Rivers', 'Science', 'Letters'])
    await octavo.entries('category', state).create({ name })
  const articles = octavo.entries('article', state)
  const headlines = [
    'Letters from the lighthouse',
    'What the salt remembers',
    'A mirror for the market',
    'On copper and winter',
    'Ünder pressure',
    'Orchard, ember, harbour',
  ]
  for (const [i, headline] of headlines.entries())
    await articles.create({
      headline,
      summary: `A summary of ${headline}`,
      form: i % 2 === 0 ? 'news' : 'review',
      writtenBy: (i % 4) + 1,
      publishedAt: i % 3 === 1 ? null : '2026-03-02T09:00:00.000Z',
    })
  const quiet = await articles.create({
    headline: 'The quiet river',
    slug: 'the-quiet-river',
    summary: 'A river begins to speak.',
    form: 'review',
    rating: 4.5,
    body: 'The river had been quiet for so long that nobody in the town could say when they had last heard it.',
    writtenBy: 1,
    categories: [1, 2],
    sections: [
      { __component: 'section.hero', heading: 'The quiet river, and those who live by it' },
      { __component: 'section.quote', text: 'It spoke.', by: 2 },
      { __component: 'section.steps', steps: [{ label: 'Listen' }] },
    ],
    publishedAt: null,
  })
  return {
    octavo,
    url,
    quiet: quiet.id,
    /** Makes an editor with a role of these rights. */
    hire: async (email: string, rights: readonly Right[]): Promise<void> => {
      const send = (path: string, body: object, cookie = '') =>
        fetch(`${url}/desk/api/${path}`, {
          method: 'POST',
          headers: { origin: url, 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
        })
      const login = await send('login', { email: 'ada@example.org', password })
      const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      await send('roles', { name: email, rights }, cookie)
      await createEditor(octavo, { email, password, role: email })
    },
    close: async () => {
      await server.close()
      await database.drop()
    },
  }
}
