import { silentLogger } from '@octavo/core'
import { definePlugin, type ScalarType, scalarTypes } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { describeServer, openapi } from '@octavo/plugin-openapi'
import { upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Description } from './description.ts'
import { pointer, validator } from './description.ts'
import { lint } from './lint.ts'

const string = scalarTypes.get('string') as ScalarType // core has it

/** Routes with and without a description, and an attribute type. */
const reviews = definePlugin({
  name: 'reviews',
  setup(host) {
    host.attributeType({ ...string, name: 'color' })
    host.hook('server:routes', (routes) => {
      const handler = () => {}
      routes.add({ method: 'POST', path: '/reviews/:id/approve', handler })
      routes.add({ method: 'PATCH', path: '/reviews/:id/:part', handler })
      routes.add({ method: 'GET', path: '/reviews/internal', handler })
      routes.add({ method: 'GET', path: '/reviews/files/{*path}', handler })
      routes.add({ method: 'GET', path: '/reviews/of{/:author}{/:year}', handler })
    })
    host.hook('server:describe', (schemas) => ({
      tags: { Reviews: 'Opinions of readers.' },
      schemas: { Approval: { type: 'object', properties: { by: { type: 'string' } } } },
      values: { color: () => ({ type: 'string', pattern: '^#[0-9a-f]{6}$' }) },
      parameters: (type, action) =>
        action === 'find' ? [{ name: `in-${type.singularName}`, schema: { type: 'string' } }] : [],
      operations: {
        'POST /reviews/:id/approve': {
          id: 'approve-review',
          tag: 'Reviews',
          summary: 'Approve a review',
          body: { content: { 'application/json': { schema: schemas.named('Approval') } } },
          responses: { 200: { description: 'The error.', schema: schemas.response('api::error.error') } },
        },
        'GET /reviews/internal': false,
        'GET /reviews/that-is-not-there': {
          id: 'nothing',
          tag: 'Reviews',
          summary: 'Nothing',
          responses: { 200: { description: 'Nothing.' } },
        },
      },
    }))
  },
})

const type = (singularName: string, attributes: object, more: object = {}) => ({
  kind: 'collectionType' as const,
  info: { singularName, pluralName: `${singularName}s` },
  attributes: attributes as Record<string, { type: string }>,
  ...more,
})

describe('The description of an awkward model', () => {
  let server: Server
  let description: Description
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await createTestDatabase()
    drop = database.drop
    server = await createServer({
      database: database.url,
      logger: silentLogger,
      contentTypes: [
        // Names of schemas that every description has, and of plugins' content-types.
        type('error', { color: { type: 'color' }, 'odd-name': { type: 'string', regex: '^[\\w-]+$' } }),
        type('pagination', {
          itself: { type: 'relation', relation: 'oneToOne', target: 'api::pagination.pagination' },
        }),
        type('clock', { slug: { type: 'uid' }, at: { type: 'time' } }),
        type('role', { name: { type: 'string' } }),
        type('menu', {}),
        type('menu-list', {}),
        type('menu-entry', {}),
        type('a-b', {}),
        type('ab', { any: { type: 'relation', relation: 'morphToMany' } }),
        type(
          'page',
          {
            body: { type: 'dynamiczone', components: ['a.b', 'a.deep'] },
            parts: { type: 'component', component: 'a.deep', repeatable: true },
            links: { type: 'relation', relation: 'morphMany', target: 'api::ab.ab', morphBy: 'any' },
          },
          { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
        ),
        { ...type('front', { title: { type: 'string' } }), kind: 'singleType' as const },
        {
          ...type('home', { title: { type: 'string' } }, { pluginOptions: { i18n: { localized: true } } }),
          kind: 'singleType' as const,
        },
      ],
      components: [
        { uid: 'a.b', attributes: { file: { type: 'media', multiple: true } } },
        { uid: 'a.deep', attributes: { b: { type: 'component', component: 'a.b' } } },
      ],
      plugins: [
        i18n(),
        draftPublish({ actions: true }),
        usersPermissions(),
        upload({ focalPoint: true }),
        reviews,
        openapi(),
      ],
    })
    description = describeServer(server) as Description
  })
  afterAll(async () => {
    await server.close()
    await drop()
  })

  it('has no errors for the linter', async () => {
    expect(await lint(description)).toContain('Your API description is valid')
  })

  it('has schemas that are valid, each with a name of its own', () => {
    const validate = validator(description)
    const names = Object.keys(description.components.schemas)
    for (const name of names) validate(`/components/schemas/${name}`, {})
    expect(names).toEqual(
      expect.arrayContaining([
        'Error',
        'Pagination',
        'RoleEntry',
        'PluginUsersPermissionsRole',
        'ADeepComponentItem',
      ]),
    )
    const lists = [
      'errors',
      'paginations',
      'roles',
      'menus',
      'menu-lists',
      'menu-entrys',
      'a-bs',
      'abs',
      'pages',
    ]
    const answers = lists.map((name) =>
      JSON.stringify(description.paths[`/api/${name}`]?.get?.responses['200']),
    )
    expect(new Set(answers).size).toBe(lists.length)
    expect(description.components.schemas.MenuListResponse?.properties?.data).toMatchObject({ type: 'array' })
    expect(description.components.schemas.Error?.properties).toHaveProperty('error')
  })

  it('has the routes of plugins: described, undescribed, and not those left out or absent', () => {
    const routes = Object.entries(description.paths)
      .filter(([path]) => path.includes('/reviews'))
      .flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`))
    expect(routes.filter((route) => !route.startsWith('parameters'))).toEqual([
      'post /api/reviews/{id}/approve',
      'patch /api/reviews/{id}/{part}',
      'get /api/reviews/files/{path}',
      'get /api/reviews/files',
      'get /api/reviews/of/{author}/{year}',
      'get /api/reviews/of/{year}',
      'get /api/reviews/of',
    ])
    expect(description.paths['/api/reviews/{id}/approve']?.post?.operationId).toBe('approveReview')
    expect(description.paths['/api/pages/{id}/actions/publish']?.post?.operationId).toBe('publishPage')
    expect(description.paths['/api/pages/{id}/localizations']?.post?.operationId).toBe('localizePage')
  })

  it('has the list of all entries of a single type that a parameter of a plugin requests', () => {
    const validate = validator(description)
    const answer = (path: string, data: unknown) =>
      validate(pointer('paths', path, 'get', 'responses', '200', 'content', 'application/json', 'schema'), {
        data,
        meta: {},
      })
    const entry = { id: 1, attributes: { title: 'Home' } }
    expect([answer('/api/home', entry), answer('/api/home', [entry])]).toEqual([undefined, undefined])
    expect(answer('/api/home', [{ id: 1 }])).toContain('attributes')
    expect([answer('/api/front', entry), answer('/api/front', [entry])]).toEqual([
      undefined,
      expect.stringContaining('must be object'),
    ])
  })

  it('has the texts of a uid and a time that the server refuses as mistakes of the body', () => {
    const validate = validator(description)
    const mistakes = (value: object) => validate('/components/schemas/ClockCreate', value)
    expect(mistakes({ slug: 'a-name', at: '09:30:00' })).toBeUndefined()
    expect(mistakes({ slug: 'Not a name!' })).toContain('pattern')
    expect(mistakes({ at: '09:30' })).toContain('pattern')
  })

  it('has the values and parameters of plugins', () => {
    const validate = validator(description)
    const { schemas } = description.components
    const own = Object.keys(schemas).find((name) => schemas[name]?.properties?.color)
    expect(validate(`/components/schemas/${own}`, { color: '#00ff00' })).toBeUndefined()
    expect(validate(`/components/schemas/${own}`, { color: 'green' })).toContain('pattern')
    expect(JSON.stringify(description.paths['/api/errors']?.get)).toContain('"name":"in-error"')
  })
})
