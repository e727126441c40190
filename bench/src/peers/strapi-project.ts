/** The project of Strapi 4 and 5: three content-types, core routes that are open to everybody, no admin panel. */
import type { ContentTypeDefinition } from '@octavo/core'

const relation = (kind: string, target: string, otherSide: object) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...otherSide,
})
const types = {
  author: {
    name: { type: 'string' },
    articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
  },
  category: {
    name: { type: 'string' },
    articles: relation('manyToMany', 'article', { mappedBy: 'categories' }),
  },
  article: {
    title: { type: 'string', required: true },
    body: { type: 'text' },
    summary: { type: 'text' },
    views: { type: 'integer' },
    author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
    categories: relation('manyToMany', 'category', { inversedBy: 'articles' }),
  },
}
const plural = (name: string): string => (name === 'category' ? 'categories' : `${name}s`)

/** The content-types as `schema.json`, which Octavo reads as well. */
export const schemas = Object.entries(types).map(
  ([name, attributes]): ContentTypeDefinition => ({
    kind: 'collectionType',
    collectionName: plural(name),
    info: { singularName: name, pluralName: plural(name), displayName: name },
    options: { draftAndPublish: false },
    attributes,
  }),
)

const factory = (kind: string, uid: string): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${kind}('${uid}')\n`

/** The rights of everybody, as permissions of the role `public`. */
export const publicActions: readonly string[] = [
  ...Object.keys(types).flatMap((name) =>
    ['find', 'findOne', 'create'].map((action) => `api::${name}.${name}.${action}`),
  ),
  'api::article.article.update',
  'plugin::upload.content-api.upload',
]

/** `src/index.js`: gives actions to everybody. @param more Statements that run then. */
export const grantTo = (actions: readonly string[], more = ''): string => `module.exports = {
  async bootstrap({ strapi }) {
    const role = await strapi.db.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } })
    for (const action of ${JSON.stringify(actions)})
      await strapi.db.query('plugin::users-permissions.permission').create({ data: { action, role: role.id } })
    ${more}
  },
}
`

/** The configuration of plugins. The number of logins is not limited. */
export const pluginsFile = (others: object = {}): string =>
  `module.exports = ${JSON.stringify({ 'users-permissions': { config: { ratelimit: { enabled: false } } }, ...others })}\n`

export const files: Record<string, string> = {
  'config/server.js': `module.exports = ({ env }) => ({ host: '127.0.0.1', port: env.int('PORT'), app: { keys: ['a', 'b'] } })\n`,
  'config/admin.js': `module.exports = { serveAdminPanel: false, auth: { secret: 'secret' }, apiToken: { salt: 'salt' }, transfer: { token: { salt: 'salt' } }, flags: { nps: false, promoteEE: false }, secrets: { encryptionKey: 'abcdefghijklmnopqrstuvwxyz012345' } }\n`,
  'config/api.js': `module.exports = { rest: { defaultLimit: 25, maxLimit: 100, withCount: true } }\n`,
  'config/logger.js': `module.exports = { level: 'error' }\n`,
  'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::security', 'strapi::cors', 'strapi::poweredBy', 'strapi::query', 'strapi::body', 'strapi::favicon', 'strapi::public']\n`,
  'config/database.js': `module.exports = ({ env }) => ({ connection: { client: 'postgres', connection: { connectionString: env('DATABASE_URL') }, pool: { min: 2, max: 10 } } })\n`,
  'config/plugins.js': pluginsFile(),
  'src/index.js': grantTo(publicActions),
  'public/uploads/.gitkeep': '',
}
for (const schema of schemas) Object.assign(files, coreFiles(schema))

/** The files of a content-type with core routes. */
export function coreFiles(schema: ContentTypeDefinition): Readonly<Record<string, string>> {
  const name = schema.info.singularName
  const uid = `api::${name}.${name}`
  const folder = `src/api/${name}`
  return {
    [`${folder}/content-types/${name}/schema.json`]: JSON.stringify(schema, null, 2),
    [`${folder}/routes/${name}.js`]: factory('Router', uid),
    [`${folder}/controllers/${name}.js`]: factory('Controller', uid),
    [`${folder}/services/${name}.js`]: factory('Service', uid),
  }
}
