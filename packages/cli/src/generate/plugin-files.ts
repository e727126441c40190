/** The files of a plugin's package, by their path. */
export function pluginFiles(
  name: string,
  rangeOf: (name: string) => string,
): Readonly<Record<string, string>> {
  const factory = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  const type = factory.charAt(0).toUpperCase() + factory.slice(1)
  const ranges = (...names: readonly string[]) =>
    Object.fromEntries(names.map((item) => [item, rangeOf(item)]))
  const octavo = octavoRange(rangeOf('@octavo/core'))
  const manifest = {
    name: `octavo-plugin-${name}`,
    version: '0.1.0',
    description: 'Counts the writes to each content-type.',
    keywords: ['octavo', 'octavo-plugin'],
    license: 'MIT',
    type: 'module',
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    files: ['dist', 'src'],
    engines: { node: '>=22.22', octavo },
    scripts: {
      build: 'tsc -p tsconfig.build.json',
      typecheck: 'tsc',
      test: 'vitest run',
      prepack: 'npm run build',
    },
    peerDependencies: ranges('@octavo/core', '@octavo/server'),
    devDependencies: ranges(
      '@electric-sql/pglite',
      '@octavo/core',
      '@octavo/server',
      '@octavo/testing',
      '@types/node',
      'typescript',
      'vitest',
    ),
  }
  return {
    'package.json': json(manifest),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'es2024',
        lib: ['es2024'],
        module: 'nodenext',
        types: ['node'],
        strict: true,
        verbatimModuleSyntax: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        skipLibCheck: true,
      },
      include: ['src', 'test', '*.ts'],
    }),
    'tsconfig.build.json': json({
      extends: './tsconfig.json',
      compilerOptions: {
        noEmit: false,
        declaration: true,
        rewriteRelativeImportExtensions: true,
        rootDir: 'src',
        outDir: 'dist',
      },
      include: ['src'],
    }),
    'vitest.config.ts': `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: '@octavo/testing/global-setup',
    env: { LOG_LEVEL: 'silent' },
    hookTimeout: 120_000,
    testTimeout: 60_000,
  },
})
`,
    '.gitignore': 'node_modules/\ndist/\n',
    'src/index.ts': source(name, factory, type, octavo),
    [`test/${name}.spec.ts`]: test(name, factory),
    'README.md': readme(name, factory),
  }
}

/** The range of versions for `engines.octavo`; any in the workspace of Octavo, where there is none. */
const octavoRange = (range: string): string => (range.startsWith('workspace:') ? '*' : range)

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const source = (
  name: string,
  factory: string,
  type: string,
  octavo: string,
): string => `import { definePlugin, type Plugin } from '@octavo/core/plugin'
import type {} from '@octavo/server' // the types of its hooks

export interface ${type}Options {
  /** Path of the route, below the prefix of the API. Default \`/${name}\`. */
  readonly path?: string
}

/** Counts the writes to each content-type since the start; the route answers with the counts. */
export const ${factory} = ({ path = '/${name}' }: ${type}Options = {}): Plugin =>
  definePlugin({
    name: '${name}',
    // As in package.json, which npm does not compare at the installation.
    engines: { octavo: '${octavo}' },
    setup(host) {
      const counts = new Map<string, number>()

      // After the transaction: an error here is logged and does not change the answer.
      host.hook('entry:committed', ({ type }) => {
        counts.set(type.uid, (counts.get(type.uid) ?? 0) + 1)
      })

      host.hook('server:routes', (routes) =>
        routes.add({
          method: 'GET',
          path,
          handler: (context) => {
            context.body = { data: Object.fromEntries(counts) }
          },
        }),
      )
    },
  })
`

const test = (name: string, factory: string): string => `import { defineContentType } from '@octavo/core'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ${factory} } from '../src/index.ts'

const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
})

let database: TestDatabase
let server: Server
let api: Client
beforeAll(async () => {
  database = await createTestDatabase()
  server = await createServer({
    contentTypes: [note],
    plugins: [${factory}()],
    database: database.url,
    access: 'open',
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
})
afterAll(async () => {
  await server?.close()
  await database?.drop()
})

describe('GET /api/${name}', () => {
  it('answers with the number of writes to each content-type', async () => {
    expect((await api.get('/api/${name}')).body).toEqual({ data: {} })
    await api.post('/api/notes', { body: { data: { text: 'one' } } })
    await api.put('/api/notes/1', { body: { data: { text: 'two' } } })
    const { status, body } = await api.get('/api/${name}')
    expect([status, body]).toEqual([200, { data: { 'api::note.note': 2 } }])
  })
})
`

const readme = (name: string, factory: string): string => `# octavo-plugin-${name}

A plugin of [Octavo](https://github.com/octavo/octavo). It counts the writes to each content-type since the start, and answers
\`GET /api/${name}\` with the counts.

\`\`\`ts
import { createServer } from '@octavo/server'
import { ${factory} } from 'octavo-plugin-${name}'

const server = await createServer({ contentTypes, plugins: [${factory}()] })
\`\`\`

\`npm test\` tests it on an embedded database, \`npm run build\` compiles it, and \`npm publish\` does so by itself.
`
