import { existsSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { checkBuiltSite } from './built-site.ts'
import { drawMermaid } from './diagrams.ts'
import { linkRepository } from './repository-links.ts'

/** Some pages are added by others: a link appears with its page. */
const page = (text: string, name: string) =>
  existsSync(new URL(`../${name}.md`, import.meta.url)) ? [{ text, link: `/${name}` }] : []

const pluginPages = [
  {
    text: 'Plugins',
    items: [
      ...page('All pages', 'index'),
      ...page('A plugin in fifteen minutes', 'plugins/first'),
      ...page('Plugins of your own', 'plugins'),
      ...page('Versions of plugins', 'plugins/compatibility'),
      ...page('Hooks', 'hooks'),
    ],
  },
  {
    text: 'Hooks by example',
    items: [
      ...page('definitions:extend', 'plugins/hooks/definitions-extend'),
      ...page('attribute:computed', 'plugins/hooks/attribute-computed'),
      ...page('query:node', 'plugins/hooks/query-node'),
      ...page('query:attribute', 'plugins/hooks/query-attribute'),
      ...page('query:private', 'plugins/hooks/query-private'),
      ...page('query:meta', 'plugins/hooks/query-meta'),
      ...page('query:single', 'plugins/hooks/query-single'),
      ...page('entry:input', 'plugins/hooks/entry-input'),
      ...page('entry:writable', 'plugins/hooks/entry-writable'),
      ...page('entry:strictness', 'plugins/hooks/entry-strictness'),
      ...page('entry:checks', 'plugins/hooks/entry-checks'),
      ...page('entry:change', 'plugins/hooks/entry-change'),
      ...page('entry:statements', 'plugins/hooks/entry-statements'),
      ...page('entry:beforeCreate', 'plugins/hooks/entry-before-create'),
      ...page('entry:beforeUpdate', 'plugins/hooks/entry-before-update'),
      ...page('entry:beforeDelete', 'plugins/hooks/entry-before-delete'),
      ...page('entry:delete', 'plugins/hooks/entry-delete'),
      ...page('entry:afterCreate', 'plugins/hooks/entry-after-create'),
      ...page('entry:afterUpdate', 'plugins/hooks/entry-after-update'),
      ...page('entry:afterDelete', 'plugins/hooks/entry-after-delete'),
      ...page('entry:published', 'plugins/hooks/entry-published'),
      ...page('entry:unpublished', 'plugins/hooks/entry-unpublished'),
      ...page('entry:committed', 'plugins/hooks/entry-committed'),
      ...page('octavo:start', 'plugins/hooks/octavo-start'),
      ...page('schema:check', 'plugins/hooks/schema-check'),
      ...page('octavo:stop', 'plugins/hooks/octavo-stop'),
      ...page('content-type:adding', 'plugins/hooks/content-type-adding'),
      ...page('content-type:added', 'plugins/hooks/content-type-added'),
      ...page('server:routes', 'plugins/hooks/server-routes'),
      ...page('server:describe', 'plugins/hooks/server-describe'),
      ...page('server:start', 'plugins/hooks/server-start'),
      ...page('server:listen', 'plugins/hooks/server-listen'),
      ...page('server:closing', 'plugins/hooks/server-closing'),
      ...page('server:middleware', 'plugins/hooks/server-middleware'),
      ...page('server:graphql', 'plugins/hooks/server-graphql'),
      ...page('server:desk', 'plugins/hooks/server-desk'),
      ...page('server:manage', 'plugins/hooks/server-manage'),
      ...page('server:authenticate', 'plugins/hooks/server-authenticate'),
      ...page('server:state', 'plugins/hooks/server-state'),
      ...page('server:authorize', 'plugins/hooks/server-authorize'),
      ...page('server:read', 'plugins/hooks/server-read'),
      ...page('server:files', 'plugins/hooks/server-files'),
    ],
  },
]

export default defineConfig({
  title: 'Octavo',
  description: 'A content REST server made of npm packages: content-types in, endpoints out.',
  lang: 'en',
  cleanUrls: false,
  // The time of the last commit would need the whole history in a checkout.
  lastUpdated: false,
  markdown: {
    // Their colours have the contrast that WCAG asks for.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Headings have the ids that they have where the sources are read.
    anchor: {
      slugify: (text) =>
        text
          .trim()
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
    },
    config(md) {
      drawMermaid(md)
      linkRepository(md)
    },
  },
  buildEnd: ({ outDir }) => checkBuiltSite(outDir),
  // Code in the reports of the public surface is long; warnings about the size of a chunk say nothing here.
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guides', link: '/content-types' },
      { text: 'Reference', link: '/endpoints' },
      { text: 'Why', link: '/why' },
    ],
    socialLinks: [{ icon: 'github', link: 'https://github.com/octavo/octavo' }],
    sidebar: {
      // A group that folds would put a button into a button: these pages have a sidebar of their own.
      '/plugins/': pluginPages,
      '/': [
        {
          text: 'Start',
          items: [
            ...page('Ten minutes', 'start'),
            ...page('As a program', 'program'),
            ...page('From Strapi 4', 'from-strapi-4'),
            ...page('Plugins of Strapi', 'from-strapi-plugins'),
            ...page('Why Octavo', 'why'),
          ],
        },
        {
          text: 'Guides: content',
          items: [
            ...page('Content-types', 'content-types'),
            ...page('Querying', 'querying'),
            ...page('Population', 'population'),
            ...page('Pages of a list', 'pagination'),
            ...page('Writing', 'writing'),
            ...page('Drafts', 'drafts'),
            ...page('Locales', 'locales'),
            ...page('Rights', 'rights'),
            ...page('Editors', 'editors'),
            ...page('The desk', 'desk'),
            ...page('Extensions of the desk', 'desk-extensions'),
            ...page('Media', 'media'),
          ],
        },
        {
          text: 'Guides: programs',
          items: [
            ...page('Types', 'types'),
            ...page('Inside another program', 'embedding'),
            ...page('Plugins of your own', 'plugins'),
            ...page('Versions of plugins', 'plugins/compatibility'),
            ...page('The client', 'client'),
            ...page('OpenAPI', 'openapi'),
            ...page('GraphQL', 'graphql'),
            ...page('Pages for developers', 'pages'),
            ...page('Webhooks', 'webhooks'),
            ...page('Changes', 'changes'),
          ],
        },
        {
          text: 'Guides: operation',
          items: [
            ...page('Deploying', 'deployment'),
            ...page('Scaling', 'scaling'),
            ...page('Other databases', 'other-databases'),
            ...page('Reliability', 'reliability'),
            ...page('Caching', 'http-caching'),
            ...page('Changes of content-types', 'schema-changes'),
            ...page('Indexes', 'indexes'),
            ...page('Limits of a request', 'cost'),
            ...page('Backups', 'backups'),
            ...page('Upgrading', 'upgrading'),
          ],
        },
        {
          text: 'Reference',
          items: [
            ...page('Endpoints', 'endpoints'),
            ...page('Parameters', 'parameters'),
            ...page('Operators', 'operators'),
            ...page('Attribute types', 'attributes'),
            ...page('Configuration', 'configuration'),
            ...page('Commands', 'commands'),
            ...page('Data file', 'data-file'),
            ...page('Errors', 'errors'),
            ...page('Hooks', 'hooks'),
            ...page('Hooks by example', 'plugins/hooks/definitions-extend'),
          ],
        },
        {
          text: 'The contract',
          items: [
            ...page('Overview', 'contract/README'),
            ...page('Reading', 'contract/reading'),
            ...page('Filters', 'contract/filters'),
            ...page('Writing', 'contract/writing'),
            ...page('Accounts and files', 'contract/accounts-and-files'),
            ...page('Differences', 'contract/differences'),
            ...page('Threats', 'contract/threats'),
          ],
        },
        {
          text: 'Inside',
          items: [
            ...page('Architecture', 'architecture'),
            ...page('Dictionary', 'dictionary'),
            ...page('Performance', 'performance'),
            ...page('The package database', 'database'),
            ...page('Decision: MikroORM', 'decisions/001-mikro-orm'),
            ...page('Decision: time on the embedded database', 'decisions/002-embedded-price'),
            ...page('Decision: the driver', 'decisions/003-driver'),
            ...page('Decision: population', 'decisions/004-correlated-population'),
            ...page('Decision: pages', 'decisions/005-literal-pages'),
            ...page('Decision: reads together', 'decisions/006-gathered-reads'),
            ...page('Decision: messages of a write', 'decisions/007-messages-of-a-write'),
            ...page('Decision: checks of a write', 'decisions/008-checks-in-the-message'),
            ...page('Decision: JSON as text', 'decisions/009-json-as-text'),
            ...page('Decision: the start', 'decisions/010-start'),
            ...page('Decision: initdb', 'decisions/011-prepared-folder'),
            ...page('Decision: kept totals', 'decisions/012-kept-totals'),
            ...page('Decision: bounds of lists', 'decisions/013-counted-lists'),
            ...page('Decision: pages of the desk', 'decisions/014-pages-of-the-desk'),
            ...page('Decision: texts of statements', 'decisions/015-texts-of-statements'),
            ...page('Decision: extensions of the desk', 'decisions/016-extensions-of-the-desk'),
            ...page('Decision: editors of texts', 'decisions/017-editors-of-texts'),
            ...page('Decision: GraphQL 16', 'decisions/018-graphql-16'),
            ...page('Decision: cost of a request', 'decisions/019-cost-of-a-request'),
            ...page('Decision: the memory of a server', 'decisions/020-memory'),
            ...page('Decision: values that locales share', 'decisions/021-values-that-locales-share'),
            ...page('Exports of core', 'api/core'),
            ...page('Exports of database', 'api/database'),
            ...page('Exports of server', 'api/server'),
            ...page('Exports of cli', 'api/cli'),
            ...page('Exports of draft-publish', 'api/plugin-draft-publish'),
            ...page('Exports of i18n', 'api/plugin-i18n'),
            ...page('Exports of upload', 'api/plugin-upload'),
            ...page('Exports of users-permissions', 'api/plugin-users-permissions'),
            ...page('Exports of client', 'api/client'),
            ...page('Exports of desk', 'api/plugin-desk'),
            ...page('Exports of editors', 'api/plugin-editors'),
            ...page('Exports of graphql', 'api/plugin-graphql'),
            ...page('Exports of openapi', 'api/plugin-openapi'),
            ...page('Exports of pages', 'api/plugin-pages'),
            ...page('Exports of webhooks', 'api/plugin-webhooks'),
            ...page('Exports of changes', 'api/plugin-changes'),
            ...page('Exports of testing', 'api/testing'),
            ...page('Exports of create-octavo', 'api/create-octavo'),
            ...page('Exports of import-strapi', 'api/import-strapi'),
            ...page('Exports of replay', 'api/replay'),
          ],
        },
      ],
    },
  },
})
