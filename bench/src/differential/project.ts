/** The recorded content-types as a project of Strapi 4 with its i18n plugin, and as a server of Octavo. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadContentTypes } from '@octavo/core'
import type { Peer } from '../peers/peer.ts'
import { strapi4 } from '../peers/strapi.ts'
import { coreFiles, files, grantTo, pluginsFile } from '../peers/strapi-project.ts'

export const schemas = fileURLToPath(new URL('../../../conformance/schemas/', import.meta.url))

/** Definitions beside the recorded ones: relations to users and roles, and private relations, media and components. */
const further = fileURLToPath(new URL('./schemas/', import.meta.url))

const loaded = [schemas, further].map(loadContentTypes)
export const contentTypes = loaded.flatMap((one) => one.contentTypes)
export const components = loaded.flatMap((one) => one.components)

/** The locales beside `en`, which both servers have by themselves. */
export const locales = { fr: 'French (fr)', de: 'German (de)' } as const

/** The rights of everybody: all requests of the content. */
export const actions: readonly string[] = [
  ...contentTypes.flatMap(({ kind, info: { singularName: name } }) =>
    ['find', ...(kind === 'singleType' ? [] : ['findOne', 'create']), 'update', 'delete'].map(
      (action) => `api::${name}.${name}.${action}`,
    ),
  ),
  'api::article.article.createLocalization',
  'api::homepage.homepage.createLocalization',
  ...['upload', 'find', 'findOne', 'destroy'].map((action) => `plugin::upload.content-api.${action}`),
  ...['find', 'findOne', 'count', 'create', 'update', 'destroy', 'me'].map(
    (action) => `plugin::users-permissions.user.${action}`,
  ),
  ...['find', 'findOne', 'createRole', 'updateRole'].map(
    (action) => `plugin::users-permissions.role.${action}`,
  ),
]

const componentFiles = Object.fromEntries(
  [schemas, further].flatMap((folder) =>
    globSync('components/*/*.json', { cwd: folder }).map((file) => {
      const [, category, name = ''] = file.split(path.sep)
      const collectionName = `components_${category}_${path.basename(name, '.json')}`
      const definition = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as object
      return [`src/components/${category}/${name}`, JSON.stringify({ collectionName, ...definition })]
    }),
  ),
)

const addLocales = Object.entries(locales).map(
  ([code, name]) =>
    `if (!(await strapi.db.query('plugin::i18n.locale').findOne({ where: { code: '${code}' } })))
      await strapi.db.query('plugin::i18n.locale').create({ data: { code: '${code}', name: '${name}' } })`,
)

const nothing = { fill: async () => ({}), ready: '/api/tags' } as const

export const reference: Peer = {
  ...strapi4,
  ...nothing,
  key: 'differential',
  files: {
    ...Object.fromEntries(Object.entries(files).filter(([file]) => !file.startsWith('src/'))),
    ...componentFiles,
    ...Object.assign({}, ...contentTypes.map(coreFiles)),
    'config/plugins.js': pluginsFile({
      i18n: { enabled: true },
      graphql: {
        enabled: true,
        config: { endpoint: '/graphql', amountLimit: 100, defaultLimit: 10, depthLimit: 20 },
      },
    }),
    'src/index.js': grantTo(actions, addLocales.join('\n')),
  },
  manifest: {
    ...strapi4.manifest,
    dependencies: { ...(strapi4.manifest?.dependencies as object), '@strapi/plugin-i18n': '4.26.2' },
  },
}

export const octavo: Peer = {
  ...nothing,
  key: 'differential_octavo',
  name: 'Octavo',
  files: {},
  work: strapi4.work,
  uploads: 'public/uploads',
  start: [new URL('./octavo-server.ts', import.meta.url).pathname],
  env: strapi4.env,
}
