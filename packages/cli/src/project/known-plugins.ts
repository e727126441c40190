/**
 * The effects of popular plugins on the public API, by package and by key in `config/plugins`.
 * Source: notes on importing Strapi 4, "Plugins".
 */
const shows: Readonly<Record<string, string>> = {
  'strapi-plugin-populate-deep': `answers populate=deep; write out what to populate instead, ${page('deep-populate')}`,
  'strapi-plugin-transformer': `flattens every answer, ${page('flat-answers')}`,
  'strapi-plugin-untransform-response': `flattens every answer, ${page('flat-answers')}`,
  '@strapi-community/plugin-rest-cache': `caches answers, ${page('caches-of-answers')}`,
  'strapi-plugin-slugify': `fills slugs on write and serves /api/slugify, ${page('slugs')}`,
  'strapi-plugin-sitemap': `serves /api/sitemap, ${page('sitemap')}`,
  'strapi-plugin-config-sync': `keeps settings in files, ${page('settings-in-files')}`,
  'strapi-plugin-email-designer': `sends emails from templates, ${page('emails')}`,
  '@strapi/plugin-email': `sends emails, ${page('emails')}`,
  'strapi-plugin-captcha': `asks for a captcha, ${page('captchas')}`,
  'strapi-plugin-ezforms': `receives forms, ${page('captchas')}`,
  'strapi-plugin-menus': 'serves /api/menus',
  'strapi-plugin-tree-menus': 'serves /api/menus',
  'strapi-plugin-navigation': 'serves /api/navigation',
  'strapi-plugin-comments': 'serves /api/comments',
  'strapi-plugin-url-alias': 'serves /api/url-alias',
  'strapi-plugin-webtools': 'serves /api/url-alias',
  '@pluginpal/webtools-core': 'serves /api/url-alias',
  'strapi-plugin-fuzzy-search': 'serves /api/fuzzy-search',
  'strapi-plugin-rest-cache': `caches answers, ${page('caches-of-answers')}`,
  'strapi-plugin-redis': `connects to Redis for other plugins, ${page('caches-of-answers')}`,
  'strapi-plugin-meilisearch': 'sends entries to a search server',
  'strapi-plugin-publisher': 'publishes by the clock; draft-publish does that by publishedAt',
  'strapi-prometheus': 'counts requests; /_metrics has figures for Prometheus, see docs/deployment.md',
  'strapi-plugin-import-export-entries': 'imports and exports entries; so do octavo import and octavo export',
  '@strapi/plugin-documentation': 'serves /documentation; plugin-openapi serves /docs and /api/openapi.json',
  '@strapi/plugin-graphql':
    'serves /graphql; @octavo/plugin-graphql serves the same schema, see docs/graphql.md',
  '@strapi/plugin-sentry': 'reports errors to Sentry',
  '@strapi/plugin-color-picker': 'adds a custom field; its values are stored as text',
  '@strapi/plugin-cloud': 'belongs to the host of the project',
  ...Object.fromEntries(
    [
      '@strapi/plugin-seo',
      'strapi-plugin-entity-relationship-chart',
      'strapi-plugin-notes',
      'strapi-plugin-todo',
      'strapi-plugin-preview-button',
      'strapi-plugin-migrations',
    ].map((name) => [name, 'adds to the administration only']),
  ),
}

/** A section of the page about plugins of Strapi. */
function page(section: string): string {
  return `see docs/from-strapi-plugins.md#${section}`
}

/** The options that take the place of providers of emails and of files; `undefined` for any other package. */
export function providerMessage(name: string): string | undefined {
  const [, what, whose] = /(?:^|\/)(?:strapi-)?provider-(email|upload)-([\w-]+)$/.exec(name) ?? []
  if (what === undefined || whose === undefined || covered.has(name)) return undefined
  return `the provider ${name}: ${what === 'email' ? emailProvider : uploadProvider(whose)}`
}

export const emailProvider =
  'the option email of usersPermissions sends the emails of accounts, with a transport of nodemailer or a function'

/** @param name `aws-s3`, `cloudinary` */
export const uploadProvider = (name: string): string =>
  /s3|r2|minio|spaces|backblaze|wasabi/.test(name)
    ? 'the option provider of upload is s3({ bucket, client }), which every store with the interface of S3 has'
    : 'the option provider of upload is a StorageProvider of your own: put, open, delete, list and url'

/** Packages of the reference server with a counterpart among Octavo's plugins, or without effect on the API. */
const covered: ReadonlySet<string> = new Set([
  '@strapi/plugin-i18n',
  '@strapi/plugin-users-permissions',
  '@strapi/plugin-upload',
  '@strapi/plugin-content-manager',
  '@strapi/plugin-content-type-builder',
  '@strapi/provider-upload-local',
  '@strapi/provider-email-sendmail',
])

/** Whether a dependency has a counterpart here, or no effect on the API. */
export const isCovered = (name: string): boolean => covered.has(name)

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
  'plugin::tagsinput.tags': 'json',
  'plugin::react-icons.icon': 'string',
  'plugin::string-array.input': 'json',
  'plugin::tinymce.tinymce': 'richtext',
  'plugin::multi-country-select.countries': 'json',
  'plugin::google-maps.location-picker': 'json',
  'plugin::map-field.map': 'json',
  'plugin::strapi-leaflet-geoman.geojson': 'json',
  'plugin::video-field.video': 'json',
  'plugin::oembed.oembed': 'text',
}
