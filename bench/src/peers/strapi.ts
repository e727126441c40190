/** Strapi 4 and 5 as bare projects, and Octavo on their content-types. */
import type { Peer } from './peer.ts'
import { files, pluginsFile } from './strapi-project.ts'
import { fill, fillForRest } from './strapi-questions.ts'

const env = (database: URL, port: number) => ({
  NODE_ENV: 'production',
  DATABASE_URL: database.href,
  PORT: String(port),
  STRAPI_TELEMETRY_DISABLED: 'true',
  JWT_SECRET: 'a-secret-of-the-comparison-0123456789',
})
const work = {
  hash: 'bcrypt, 10 rounds',
  pictures: 'encoded anew, 4 smaller sizes',
}
const uploads = 'public/uploads'
const shared = {
  files,
  work,
  uploads,
  npm: ['--legacy-peer-deps'],
  start: ['node_modules/@strapi/strapi/bin/strapi.js', 'start'],
  env,
  ready: '/api/articles',
  fill: fillForRest,
}
const react = { react: '18.3.1', 'react-dom': '18.3.1' }

export const strapi4: Peer = {
  ...shared,
  files: {
    ...files,
    'config/plugins.js': pluginsFile({
      graphql: {
        enabled: true,
        config: { endpoint: '/graphql', amountLimit: 100, defaultLimit: 25, depthLimit: 20 },
      },
    }),
  },
  fill,
  key: 'strapi4',
  name: 'Strapi 4.26.2',
  note: 'Strapi 4 runs on Node 20.',
  node: '20',
  manifest: {
    dependencies: {
      ...{ '@strapi/strapi': '4.26.2', '@strapi/plugin-graphql': '4.26.2' },
      ...{ '@strapi/plugin-users-permissions': '4.26.2', pg: '8.13.1', ...react },
      // Without peer dependencies npm puts ajv 6 where ajv-draft-04 needs 8.
      ...{ 'react-router-dom': '5.3.4', 'styled-components': '5.3.11', ajv: '8.17.1' },
    },
    // Later versions have no prebuilt binaries for the libc that Strapi 4 asks for.
    overrides: { sharp: '0.33.5' },
  },
}

export const strapi5: Peer = {
  ...shared,
  key: 'strapi5',
  name: 'Strapi 5.54.0',
  manifest: {
    dependencies: {
      ...{ '@strapi/strapi': '5.54.0', '@strapi/plugin-users-permissions': '5.54.0' },
      ...{ pg: '8.20.0', ...react },
      ...{ 'react-router-dom': '6.30.1', 'styled-components': '6.1.19' },
    },
  },
}

/** Octavo on the definitions of Strapi 4. */
export const octavo: Peer = {
  key: 'octavo',
  name: 'Octavo',
  files: {},
  work,
  uploads,
  start: [new URL('./octavo-server.ts', import.meta.url).pathname],
  env,
  ready: '/api/articles',
  fill,
}
