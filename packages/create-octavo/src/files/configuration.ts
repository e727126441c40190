import { type Choices, factoryOf, type PluginName } from '../choices.ts'

const permissions = `usersPermissions({
      permissions: {
        public: ['api::article.article.find', 'api::article.article.findOne', 'api::author.author.find'],
        // Every user with an account. A role of another name is created at start.
        authenticated: [
          'api::article.article.find',
          'api::article.article.findOne',
          'api::author.author.find',
          'api::author.author.findOne',
        ],
        editor: [...everything('api::article.article'), ...everything('api::author.author')],
      },
    })`

const receivers = `webhooks({
      // Requests after writes, for example { name: 'search', url: 'https://example.org/hook', secrets: [process.env.HOOK_SECRET ?? ''] }
      webhooks: [],
    })`

const everything = `/** All actions of a content-type. */
const everything = (uid: string) =>
  ['find', 'findOne', 'create', 'update', 'delete'].map((action) => \`\${uid}.\${action}\`)

`

/** The database of the configuration: `DATABASE_URL`, with a default for development. */
const databaseOf = (name: string, { database }: Choices): string =>
  database === 'postgres'
    ? `process.env.DATABASE_URL ?? 'postgres://postgres:postgres@localhost:5432/${databaseName(name)}'`
    : `process.env.DATABASE_URL ?? 'file:./.octavo/data'`

/** The name of the database of a project. */
export const databaseName = (name: string): string => name.replaceAll(/[^a-z0-9]+/g, '_')

/** `octavo.config.ts` */
export function configuration(name: string, choices: Choices): string {
  const { plugins, from } = choices
  if (from !== undefined)
    return `import { defineConfig } from '@octavo/cli'

export default defineConfig({
  // The content-types of src/, with the settings of config/.
  content: '.',
  database: ${databaseOf(name, choices)},
  // The defaults are all plugins of Octavo that are installed, with the settings of config/ and the extended users. Yours go beside them.
  plugins: (defaults) => [...defaults],
})
`
  const imports = plugins.map((plugin) => `import { ${factoryOf(plugin)} } from '@octavo/plugin-${plugin}'\n`)
  const listed = plugins.map((plugin) => `    ${callOf(plugin)},\n`)
  return `import { defineConfig } from '@octavo/cli'
${imports.join('')}
${plugins.includes('users-permissions') ? everything : ''}export default defineConfig({
  content: './content',
  database: ${databaseOf(name, choices)},
  // Imported when the database is empty.
  seedWhenEmpty: './data.json',
  // A misspelt parameter or attribute in a request is a 400. Strapi 4 ignores it.
  strict: true,
  plugins: [${listed.length > 0 ? `\n${listed.join('')}  ` : ''}],
})
`
}

/** The calls of plugins with options. */
const calls: Partial<Record<PluginName, string>> = { 'users-permissions': permissions, webhooks: receivers }
const callOf = (plugin: PluginName): string => calls[plugin] ?? `${factoryOf(plugin)}()`
