import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defaultLimits } from '@octavo/core'
import { type KnownKeys, keysWithin } from '@octavo/core/internal'
import { serverKeys } from '@octavo/server'
import { describe, expect, it } from 'vitest'
import { Declarations, type DocumentedOption } from './support/options.ts'
import { pageFile } from './support/pages.ts'

const server = 'packages/server/src'
const upload = 'packages/plugin-upload/src'
const users = 'packages/plugin-users-permissions/src'

const declarations = new Declarations([
  ...['start/octavo-options', 'limits'].map((file) => `packages/core/src/${file}.ts`),
  ...[
    'server-options',
    'answer/answers',
    'request/body-limits',
    'content/bulk',
    'answer/caching',
    'answer/middleware',
    'socket/unsent',
  ].map((file) => `${server}/${file}.ts`),
  'packages/cli/src/config.ts',
  'packages/plugin-desk/src/options.ts',
  'packages/plugin-draft-publish/src/options.ts',
  'packages/plugin-editors/src/options.ts',
  'packages/plugin-graphql/src/options.ts',
  'packages/plugin-i18n/src/options.ts',
  'packages/plugin-pages/src/options.ts',
  ...['options', 'document/document'].map((file) => `packages/plugin-openapi/src/${file}.ts`),
  'packages/plugin-pages/src/options.ts',
  ...['options', 'storage/local-disk', 'storage/s3'].map((file) => `${upload}/${file}.ts`),
  ...['options', 'mail/email'].map((file) => `${users}/${file}.ts`),
])

const isLimit = ({ name }: DocumentedOption): boolean => name.startsWith('limits.')
const all = (name: string) => declarations.optionsOf(name)
/** The options of an interface that are not among those of another one. */
const besides = (name: string, others: readonly DocumentedOption[]): readonly DocumentedOption[] =>
  all(name).filter((option) => others.every((other) => other.name !== option.name))
const common = all('CommonOctavoOptions')
/** `rest`, `hooks` and `trace` are options of `createOctavo` alone, and set by the server. */
const core = [...common, ...besides('OctavoOptions', common)].filter(
  ({ name }) => !isLimit({ name } as DocumentedOption) && !/^(rest|hooks|trace|limits)\b/.test(name),
)
const own = besides('ServerOptions', all('OctavoOptions'))
const commandLine = besides('OctavoConfig', all('CommonServerOptions'))
const limits = all('OctavoOptions').filter(isLimit)

/** Options of the AWS SDK are its own; its documentation describes them. */
const s3 = all('S3Options').filter(({ name }) => !name.startsWith('client.'))

const plugins: readonly (readonly [title: string, options: readonly DocumentedOption[]])[] = [
  ['draftPublish', all('DraftPublishOptions')],
  ['i18n', all('I18nOptions')],
  ['upload', all('UploadOptions')],
  ['localDisk', all('LocalDiskOptions')],
  ['s3', s3],
  ['openapi', all('OpenApiOptions')],
  ['desk', all('DeskOptions')],
  ['editors', all('EditorsOptions')],
  ['graphql', all('GraphqlOptions')],
  ['pages', all('PagesOptions')],
  ['usersPermissions', all('UsersPermissionsOptions')],
]
const provider = all('OAuthProvider')

/** The environment variables that the packages read. */
const environment: Readonly<Record<string, string>> = {
  PORT: 'the port of `octavo start`; `--port` precedes it',
  NODE_ENV:
    '`production` does not start without a secret for tokens, and refuses `--public-read`. `octavo start` refuses values that are probably meant as `production`, such as `prod`',
  OCTAVO_JWT_SECRET:
    'the secret that signs logins, at least 32 characters; the option `jwt.secret` precedes it',
  JWT_SECRET: 'the same, under the name that Strapi uses',
  API_TOKEN_SALT: 'accepts the API tokens that were imported from Strapi 4',
  OCTAVO_PUBLIC_READ: '`1`: everybody may read all content, as with `--public-read`',
  NODE_OPTIONS: 'options of Node.js itself; processes that Octavo starts have them as well',
  ENV_PATH: 'the file with variables that is read in place of `.env`',
  LOG_LEVEL: 'the lowest level that is logged: `debug`, `info` (the default), `warn`, `error` or `silent`',
  DEBUG: 'any value: the command line prints the stack of every error',
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** Code of a type that is too long for a table has a name of its own in the reports of the public surface. */
const typeOf = ({ type }: DocumentedOption): string =>
  type === 'T' || type === 'C' ? 'list or object' : type

const printed = (options: readonly DocumentedOption[]): string => `| option | type | default | |
|---|---|---|---|
${options
  .map((option) => {
    const fallback = option.isRequired ? '*required*' : (option.defaultText ?? '')
    const type = option.type === 'object' ? 'object' : `\`${typeOf(option)}\``
    return `| \`${option.name}\` | ${cell(type)} | ${cell(fallback)} | ${cell(option.text)} |`
  })
  .join('\n')}
`

/** Limits are partial: none of them is required. */
const optional = (options: readonly DocumentedOption[]): readonly DocumentedOption[] =>
  options.map((option) => ({ ...option, isRequired: false }))

const page = `# Configuration

This page lists all options of Octavo and its plugins. A program passes options to \`createServer\`; for the command line, they are the default export of \`octavo.config.ts\`. The command
line reads \`octavo.config.ts\`, \`.js\` or \`.mjs\` in the working directory, or the file in \`--config\`. Flags of the command line take precedence over the file. Paths are
relative to the file.

\`\`\`ts
// octavo.config.ts
import { defineConfig } from '@octavo/cli'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'

export default defineConfig({
  content: './content',
  database: process.env.DATABASE_URL ?? 'file:./.octavo/data',
  api: { rest: { maxLimit: 200 } },
  plugins: [i18n({ locales: ['en', 'fr'] }), draftPublish()],
})
\`\`\`

The variables in a file \`.env\` (UTF-8) beside \`octavo.config.ts\` are set before the configuration is read; variables of the environment take precedence.
The start compares \`"engines": { "octavo": ">=1.2 <3" }\` in \`package.json\`, and in the \`package.json\` of each dependency, with the version of Octavo.

Without \`plugins\`, the command line enables every installed plugin of Octavo except \`@octavo/plugin-changes\`, with its defaults. A program has only the plugins that it
lists. An unknown option is an error that suggests the nearest name, and an invalid value is an error that names the valid values.

This page is generated from the declarations of the options.

## Content and database

Options of \`createOctavo\`, \`createServer\` and \`octavo.config.ts\`. \`createOctavo\`, which has no HTTP, takes \`rest\` where the others take \`api.rest\`.

${printed(core)}
## Server

Options of \`createServer\` and \`octavo.config.ts\`. Times are in milliseconds.

${printed(optional(own))}
## Command line

Further options of \`octavo.config.ts\`. Its \`database\` is \`file:./.octavo/data\` by default.

${printed(commandLine)}
## Limits

The limits of a request. A request above one is a 400, 413 or 503 whose message names the limit ([limits of a request](cost.md)).

${printed(optional(limits))}
${plugins
  .map(
    ([title, options]) =>
      `## ${title}\n\n${printed(options.map((option) => (/^(limits|images)\./.test(option.name) ? { ...option, isRequired: false } : option)))}`,
  )
  .join('\n')}
Each of \`providers\`:

${printed(provider)}
## Environment variables

| variable | |
|---|---|
${Object.entries(environment)
  .map(([name, text]) => `| \`${name}\` | ${text} |`)
  .join('\n')}
`

const printedOptions = [
  core,
  own,
  commandLine,
  limits,
  s3,
  provider,
  ...plugins.map(([, options]) => options),
].flat()

/** \`a.b\` for all options of a table of known keys. */
const namesIn = (keys: KnownKeys, path = ''): readonly string[] =>
  Object.entries(keys).flatMap(([key, row]) => {
    const within = keysWithin(row)
    return within ? namesIn(within, `${path}${key}.`) : [path + key]
  })

describe('docs/configuration.md', () => {
  /** `pnpm vitest run docs/test/configuration.spec.ts -u` writes it. */
  it('is printed from the declarations of the options', async () => {
    await expect(page).toMatchFileSnapshot(pageFile('configuration.md'))
  })

  it('has every option that the server accepts', () => {
    const names = new Set([...core, ...own, ...limits].map(({ name }) => name))
    // Names that loadContentTypes returns besides options.
    const internal = ['sources', 'extensions']
    expect(namesIn(serverKeys).filter((name) => !names.has(name) && !internal.includes(name))).toEqual([])
  })

  it('has a description and a default of every option', () => {
    const objects = printedOptions.filter(({ type }) => type === 'object')
    const poor = printedOptions.filter(
      (option) =>
        option.text === '' ||
        (!option.isRequired && option.defaultText === undefined && !objects.includes(option)),
    )
    expect(poor.map(({ name }) => name)).toEqual([])
  })

  it('has the defaults of the limits', () => {
    for (const [name, value] of Object.entries(defaultLimits)) {
      const found = limits.find((limit) => limit.name === `limits.${name}`)?.defaultText ?? ''
      expect([
        name,
        Number(
          found
            .replaceAll('`', '')
            .replace(/[ :(].*/, '')
            .replaceAll(',', ''),
        ),
      ]).toEqual([name, value])
    }
  })

  it('has every environment variable that the packages read', () => {
    const root = fileURLToPath(new URL('../../', import.meta.url))
    const files = globSync('packages/{core,server,cli,plugin-*}/src/**/*.ts', { cwd: root }).filter(
      // `project` reads the configuration of Strapi projects, which has variables of its own.
      (file) => !file.endsWith('.test.ts') && !file.startsWith('packages/cli/src/project/'),
    )
    expect(files.length).toBeGreaterThan(100)
    const read = files.flatMap((file) =>
      [
        ...readFileSync(root + file, 'utf8')
          .replace(/^ *\*.*$/gm, '')
          .matchAll(/process\.env\.([A-Z_]+)|\benv\.([A-Z_]{3,})/g),
      ].map(([, name, other]) => name ?? other ?? ''),
    )
    expect(read.filter((name) => !Object.hasOwn(environment, name))).toEqual([])
  })
})
