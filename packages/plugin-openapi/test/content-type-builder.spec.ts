import { silentLogger } from '@octavo/core'
import { openapi } from '@octavo/plugin-openapi'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const actions = [
  'content-types.getContentTypes',
  'content-types.getContentType',
  'components.getComponents',
].map((action) => `plugin::content-type-builder.${action}`)

describe('GET /api/content-type-builder', () => {
  let api: Client
  let close: () => Promise<void>

  beforeAll(async () => {
    const database = await createTestDatabase()
    const server = await createServer({
      database: database.url,
      logger: silentLogger,
      contentTypes: [
        {
          kind: 'collectionType',
          info: { singularName: 'book', pluralName: 'books', displayName: 'Book', description: 'Printed.' },
          options: { draftAndPublish: false },
          pluginOptions: { i18n: { localized: false } },
          attributes: {
            title: { type: 'string', required: true },
            note: { type: 'string', private: true },
            seo: { type: 'component', component: 'shared.seo' },
            author: {
              type: 'relation',
              relation: 'manyToOne',
              target: 'api::author.author',
              inversedBy: 'books',
            },
          },
        },
        {
          kind: 'collectionType',
          info: { singularName: 'author', pluralName: 'authors' },
          attributes: {
            books: { type: 'relation', relation: 'oneToMany', target: 'api::book.book', mappedBy: 'author' },
          },
        },
      ],
      components: [
        {
          uid: 'shared.seo',
          info: { displayName: 'SEO', icon: 'search' },
          attributes: { title: { type: 'string' } },
        },
      ],
      plugins: [usersPermissions({ permissions: { public: actions } }), openapi()],
    })
    api = createClient((await server.listen(0, '127.0.0.1')).url)
    close = async () => {
      await server.close()
      await database.drop()
    }
  })
  afterAll(() => close())

  it('content-types has the definitions, in the form of Strapi 4', async () => {
    const { data } = (await api.get('/api/content-type-builder/content-types')).body
    const book = data.find(({ uid }: { readonly uid: string }) => uid === 'api::book.book')
    expect(book).toEqual({
      uid: 'api::book.book',
      apiID: 'book',
      schema: {
        draftAndPublish: false,
        displayName: 'Book',
        singularName: 'book',
        pluralName: 'books',
        description: 'Printed.',
        pluginOptions: { i18n: { localized: false } },
        kind: 'collectionType',
        collectionName: 'books',
        attributes: {
          title: { type: 'string', required: true },
          seo: { type: 'component', component: 'shared.seo' },
          author: {
            type: 'relation',
            relation: 'manyToOne',
            target: 'api::author.author',
            inversedBy: 'books',
            targetAttribute: 'books',
          },
        },
        visible: true,
        restrictRelationsTo: null,
      },
    })
    const { body } = await api.get('/api/content-type-builder/content-types/api::book.book')
    expect(body).toEqual({ data: book })
    expect((await api.get('/api/content-type-builder/content-types/api::no.no')).status).toBe(404)
  })

  it('content-types has those of plugins, without attributes that only the plugin reads', async () => {
    const { data } = (await api.get('/api/content-type-builder/content-types')).body
    const user = data.find(({ apiID }: { readonly apiID: string }) => apiID === 'user')
    expect(user).toMatchObject({ uid: 'plugin::users-permissions.user', plugin: 'users-permissions' })
    expect(Object.keys(user.schema.attributes)).toEqual([
      'username',
      'email',
      'provider',
      'confirmed',
      'blocked',
      'role',
    ])
  })

  it('components has the components', async () => {
    expect((await api.get('/api/content-type-builder/components')).body).toEqual({
      data: [
        {
          uid: 'shared.seo',
          category: 'shared',
          apiId: 'seo',
          schema: {
            displayName: 'SEO',
            description: '',
            icon: 'search',
            collectionName: 'components_shared_seo',
            pluginOptions: {},
            attributes: { title: { type: 'string' } },
          },
        },
      ],
    })
  })

  it('is refused without the permission of the route', async () => {
    expect((await api.get('/api/content-type-builder/components/shared.seo')).status).toBe(403)
  })
})
