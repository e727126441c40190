import { randomBytes } from 'node:crypto'
import { type Choices, projectName } from '../choices.ts'
import { isArchive } from '../import-archive.ts'
import { configuration } from './configuration.ts'
import { contentFiles } from './content.ts'
import { deployment } from './deployment.ts'
import { json } from './json.ts'
import { manifest } from './manifest.ts'
import { importedReadme, readme } from './readme.ts'
import { importedTest, newTest } from './tests.ts'

/** The files of a new project by their path: all of it, except for the copy of a Strapi 4 project. */
export function projectFiles(choices: Choices): ReadonlyMap<string, string> {
  const name = projectName(choices.folder)
  const { from } = choices
  const own =
    from === undefined
      ? {
          'octavo.config.ts': configuration(name, choices),
          'README.md': readme(name, choices),
          'test/api.spec.ts': newTest(choices),
          ...contentFiles(choices.plugins),
        }
      : {
          // The import of an archive writes the configuration.
          ...(!isArchive(from) && { 'octavo.config.ts': configuration(name, choices) }),
          'README.md': importedReadme(name, choices),
          'test/api.spec.ts': importedTest,
        }
  return new Map(Object.entries({ ...common(name, choices), ...own }))
}

const common = (name: string, choices: Choices): Readonly<Record<string, string>> => ({
  'package.json': manifest(name, choices),
  'tsconfig.json': json({
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      // Node.js runs the files as they are: it removes the types only.
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
    },
    include: ['*.ts', 'test'],
  }),
  'vitest.config.ts': `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // The database of the tests: PGlite, or the server that OCTAVO_TEST_DATABASE_URL names.
    globalSetup: '@octavo/testing/global-setup',
    env: { LOG_LEVEL: 'silent' },
    hookTimeout: 120_000,
    testTimeout: 60_000,
  },
})
`,
  '.gitignore': 'node_modules/\n.env\n.octavo/\npublic/uploads/\n',
  '.env': `# Read by octavo and compose. Not part of the repository.\nOCTAVO_JWT_SECRET=${randomBytes(32).toString('hex')}\n`,
  '.env.example': '# openssl rand -hex 32\nOCTAVO_JWT_SECRET=\n',
  ...deployment(name, choices),
})
