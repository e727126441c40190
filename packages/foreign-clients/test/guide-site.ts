/** A guide to places for eating out: zones, nested components, media, locales, drafts and a single type, as sites with GraphQL have them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ContentTypeDefinition, silentLogger, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { graphql } from '@octavo/plugin-graphql'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { apiTokensOf, usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'

const localized = { i18n: { localized: true } } as const
const uid = (name: string): string => `api::${name}.${name}`
const to = (relation: string, name: string, more: object = {}) =>
  ({ type: 'relation', relation, target: uid(name), ...more }) as const

const contentTypes: readonly ContentTypeDefinition[] = [
  {
    kind: 'collectionType',
    info: { singularName: 'restaurant', pluralName: 'restaurants' },
    options: { draftAndPublish: true },
    pluginOptions: localized,
    attributes: {
      name: { type: 'string', required: true, pluginOptions: localized },
      slug: { type: 'uid', targetField: 'name', pluginOptions: localized },
      price: { type: 'enumeration', enum: ['low', 'middle', 'high'] },
      images: { type: 'media', multiple: true, allowedTypes: ['images'] },
      category: to('manyToOne', 'category', { inversedBy: 'restaurants' }),
      place: to('manyToOne', 'place'),
      information: { type: 'component', component: 'restaurant.information', pluginOptions: localized },
      reviews: to('oneToMany', 'review', { mappedBy: 'restaurant' }),
      blocks: {
        type: 'dynamiczone',
        components: ['blocks.hero', 'blocks.related', 'blocks.questions'],
        pluginOptions: localized,
      },
    },
  },
  {
    kind: 'collectionType',
    info: { singularName: 'category', pluralName: 'categories' },
    attributes: {
      name: { type: 'string' },
      slug: { type: 'uid' },
      restaurants: to('oneToMany', 'restaurant', { mappedBy: 'category' }),
    },
  },
  {
    kind: 'collectionType',
    info: { singularName: 'place', pluralName: 'places' },
    attributes: { name: { type: 'string' } },
  },
  {
    kind: 'collectionType',
    info: { singularName: 'review', pluralName: 'reviews' },
    attributes: {
      content: { type: 'text' },
      note: { type: 'integer', min: 0, max: 5 },
      author: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
      restaurant: to('manyToOne', 'restaurant', { inversedBy: 'reviews' }),
    },
  },
  {
    kind: 'singleType',
    info: { singularName: 'global', pluralName: 'globals' },
    attributes: {
      title: { type: 'string' },
      logo: { type: 'media', multiple: false, allowedTypes: ['images'] },
      links: { type: 'component', component: 'shared.link', repeatable: true },
    },
  },
]

const components = [
  {
    uid: 'shared.link',
    attributes: {
      label: { type: 'string' },
      href: { type: 'string' },
      target: { type: 'enumeration', enum: ['_blank', '_self'] },
    },
  },
  { uid: 'shared.question', attributes: { question: { type: 'string' }, answer: { type: 'text' } } },
  {
    uid: 'restaurant.hours',
    attributes: { day: { type: 'string' }, opens: { type: 'time' }, closes: { type: 'time' } },
  },
  {
    uid: 'restaurant.information',
    attributes: {
      description: { type: 'richtext' },
      hours: { type: 'component', component: 'restaurant.hours', repeatable: true },
    },
  },
  {
    uid: 'blocks.hero',
    attributes: {
      heading: { type: 'string' },
      image: { type: 'media', multiple: false },
      button: { type: 'component', component: 'shared.link' },
    },
  },
  {
    uid: 'blocks.related',
    attributes: { heading: { type: 'string' }, restaurants: to('oneToMany', 'restaurant') },
  },
  {
    uid: 'blocks.questions',
    attributes: {
      heading: { type: 'string' },
      questions: { type: 'component', component: 'shared.question', repeatable: true },
    },
  },
]

const reads = ['restaurant', 'category', 'place', 'review'].flatMap((name) => [
  `${uid(name)}.find`,
  `${uid(name)}.findOne`,
])
const readers = [
  ...reads,
  `${uid('global')}.find`,
  'plugin::i18n.locales.listLocales',
  'plugin::upload.content-api.find',
]

export const guest = { identifier: 'ada', password: 'Password123' }

export interface Guide {
  readonly server: Server
  readonly url: string
  close(): Promise<void>
}

export async function openGuide(): Promise<Guide> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  const server = await createServer({
    database: database.url,
    logger: silentLogger,
    rateLimit: false,
    contentTypes,
    components,
    plugins: [
      i18n({ locales: ['en', 'fr'] }),
      draftPublish(),
      usersPermissions({
        permissions: {
          public: readers,
          authenticated: [
            ...readers,
            `${uid('review')}.create`,
            { action: 'plugin::users-permissions.user.find', fields: ['username'] },
            'plugin::users-permissions.user.me',
          ],
        },
      }),
      upload({ provider: localDisk({ folder }) }),
      graphql(),
    ],
  })
  await fill(server)
  const { url } = await server.listen(0, '127.0.0.1')
  await translate(server, url)
  return {
    server,
    url,
    close: async () => {
      await server.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function fill({ octavo }: Server): Promise<void> {
  const state = unrestricted('fills the tests')
  const make = async (name: string, data: Readonly<Record<string, unknown>>): Promise<number> =>
    (await octavo.entries(name, state).create(data)).id
  const [role] = (await octavo.entries('role', state).find({ filters: { type: 'authenticated' } })).data
  const account = { email: 'ada@example.org', provider: 'local', confirmed: true, role: role?.id }
  const ada = await make('user', { username: guest.identifier, password: guest.password, ...account })
  const file = (name: string) =>
    make('plugin::upload.file', {
      name,
      hash: name,
      ext: '.jpg',
      mime: 'image/jpeg',
      size: 12,
      url: `/uploads/${name}.jpg`,
      provider: 'local',
      alternativeText: `A picture of ${name}`,
      width: 640,
      height: 480,
    })
  const [soup, oven, logo] = [await file('soup'), await file('oven'), await file('logo')]
  const [warm, cold] = [
    await make('category', { name: 'Warm', slug: 'warm' }),
    await make('category', { name: 'Cold', slug: 'cold' }),
  ]
  const [harbour, hill] = [await make('place', { name: 'Harbour' }), await make('place', { name: 'Hill' })]
  const hours = [
    { day: 'Monday', opens: '09:00:00', closes: '18:30:00' },
    { day: 'Tuesday', opens: '12:00:00', closes: '22:00:00' },
  ]
  const lantern = await make('restaurant', {
    name: 'The Lantern',
    slug: 'the-lantern',
    price: 'low',
    category: warm,
    place: harbour,
    images: [soup, oven],
    information: { description: '**Soup** all day', hours },
  })
  const copper = await make('restaurant', {
    name: 'Copper Pot',
    slug: 'copper-pot',
    price: 'high',
    category: warm,
    place: hill,
    images: [oven],
    information: { description: 'Slow meals' },
    blocks: [
      {
        __component: 'blocks.hero',
        heading: 'Six hours in the oven',
        image: oven,
        button: { label: 'Book', href: '/book', target: '_self' },
      },
      { __component: 'blocks.related', heading: 'Close by', restaurants: [lantern] },
      {
        __component: 'blocks.questions',
        heading: 'Asked often',
        questions: [
          { question: 'Dogs?', answer: 'Yes.' },
          { question: 'Cards?', answer: 'No.' },
        ],
      },
    ],
  })
  const draft = await make('restaurant', {
    name: 'Ice House',
    slug: 'ice-house',
    category: cold,
    place: hill,
    publishedAt: null,
  })
  for (const [note, content] of [
    [5, 'Worth the wait'],
    [3, 'Too dark'],
    [4, 'Good bread'],
  ] as const)
    await make('review', { note, content, restaurant: copper, author: ada })
  await make('review', { note: 2, content: 'Too early', restaurant: draft, author: ada })
  await make('global', {
    title: 'Where to eat',
    logo,
    links: [
      { label: 'Home', href: '/' },
      { label: 'Press', href: '/press', target: '_blank' },
    ],
  })
}

/** Makes the French page of the second restaurant, and publishes it. */
async function translate({ octavo }: Server, url: string): Promise<void> {
  const token = await apiTokensOf(octavo).create({ name: 'translates', access: 'full' })
  const body = JSON.stringify({ name: 'Marmite de cuivre', slug: 'marmite-de-cuivre', locale: 'fr' })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const made = await fetch(`${url}/api/restaurants/2/localizations`, { method: 'POST', headers, body })
  const { id } = (await made.json()) as { readonly id: number } // the answer of the route
  const published = JSON.stringify({ data: { publishedAt: new Date() } })
  await fetch(`${url}/api/restaurants/${id}`, { method: 'PUT', headers, body: published })
}
