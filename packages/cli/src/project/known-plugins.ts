/**
 * The effects of popular plugins on the public API, by package and by key in `config/plugins`.
 * Source: notes on importing Strapi 4, "Plugins".
 */
const shows: Readonly<Record<string, string>> = {
  'strapi-plugin-populate-deep': 'answers populate=deep; write out what to populate instead',
  'strapi-plugin-transformer': 'flattens every answer; clients must read data and attributes again',
  'strapi-plugin-untransform-response': 'flattens every answer; clients must read data and attributes again',
  'strapi-plugin-slugify': 'fills slugs on write and serves /api/slugify',
  'strapi-plugin-sitemap': 'serves /api/sitemap',
  'strapi-plugin-menus': 'serves /api/menus',
  'strapi-plugin-tree-menus': 'serves /api/menus',
  'strapi-plugin-navigation': 'serves /api/navigation',
  'strapi-plugin-comments': 'serves /api/comments',
  'strapi-plugin-url-alias': 'serves /api/url-alias',
  'strapi-plugin-webtools': 'serves /api/url-alias',
  '@pluginpal/webtools-core': 'serves /api/url-alias',
  'strapi-plugin-fuzzy-search': 'serves /api/fuzzy-search',
  'strapi-plugin-rest-cache': 'caches answers; see docs/http-caching.md',
  'strapi-plugin-meilisearch': 'sends entries to a search server',
  'strapi-plugin-publisher': 'publishes by the clock; draft-publish does that by publishedAt',
  '@strapi/plugin-documentation': 'serves /documentation; plugin-openapi serves /docs and /api/openapi.json',
  '@strapi/plugin-sentry': 'reports errors to Sentry',
  '@strapi/plugin-seo': 'adds to the administration only',
  '@strapi/plugin-color-picker': 'adds a custom field; its values are stored as text',
  '@strapi/plugin-email': 'sends emails; see the option email of plugin-users-permissions',
  '@strapi/plugin-cloud': 'belongs to the host of the project',
}

/** Packages of the reference server with a counterpart among Octavo's plugins, or without effect on the API. */
const covered: ReadonlySet<string> = new Set([
  '@strapi/plugin-i18n',
  '@strapi/plugin-graphql',
  '@strapi/plugin-users-permissions',
  '@strapi/plugin-upload',
  '@strapi/plugin-content-manager',
  '@strapi/plugin-content-type-builder',
  '@strapi/provider-upload-local',
  '@strapi/provider-email-sendmail',
])

/** Whether a dependency is a plugin or provider without a counterpart in Octavo. */
export const isThirdParty = (name: string): boolean =>
  !covered.has(name) &&
  (name in shows ||
    /^@strapi\/(?:plugin|provider)-/.test(name) ||
    /(?:^|\/)strapi-(?:plugin|provider)-/.test(name) ||
    /^@[\w.-]+\/(?:plugin|provider)-strapi|^@strapi-community\//.test(name))

export const packageMessage = (name: string): string =>
  `the plugin ${name}${name in shows ? `: ${shows[name]}` : ' does not run here'}`

/** About a key of `config/plugins` that is on. */
export function pluginMessage(name: string, value: unknown): string {
  const known = ['strapi-plugin-', '@strapi/plugin-', '']
    .map((before) => shows[`${before}${name}`])
    .find(Boolean)
  const resolve = (value as { readonly resolve?: unknown } | null)?.resolve
  const local = typeof resolve === 'string' ? ` (${resolve})` : ''
  return `the plugin ${name}${local}${known ? `: ${known}` : ' does not run here'}`
}

/** Base types of popular custom fields; other custom fields are read as text. Source: the same notes. */
export const customFieldTypes: Readonly<Record<string, string>> = {
  'plugin::ckeditor.CKEditor': 'richtext',
  'plugin::ckeditor5.CKEditor': 'richtext',
  'plugin::color-picker.color': 'string',
  'plugin::multi-select.multi-select': 'json',
  'plugin::country-select.country': 'string',
  'plugin::tagsinput.tags': 'string',
  'plugin::react-icons.icon': 'string',
  'plugin::string-array.input': 'json',
}
