import { createRequire } from 'node:module'
import { type Choices, strapiPlugins } from '../choices.ts'
import { json } from './json.ts'

/**
 * The ranges of the packages of a project: the development dependencies of this package, which were replaced by published
 * versions when it was packed.
 */
const { devDependencies: ranges } = createRequire(import.meta.url)('create-octavo/package.json') as {
  readonly devDependencies: Readonly<Record<string, string>>
}

/** `package.json` of a project. */
export function manifest(name: string, { plugins, from }: Choices): string {
  const chosen = from === undefined ? plugins : strapiPlugins
  const dependencies = [
    '@octavo/cli',
    '@octavo/core',
    '@octavo/server',
    ...chosen.map((plugin) => `@octavo/plugin-${plugin}`),
    // The configuration that the import of an archive writes has it.
    ...(from === undefined ? [] : ['@octavo/plugin-graphql']),
    // Makes the sizes of pictures.
    ...(chosen.includes('upload') ? ['sharp'] : []),
  ]
  const development = ['@octavo/testing', '@types/node', 'typescript', 'vitest']
  return json({
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=22.22' },
    scripts: {
      start: 'octavo start',
      dev: 'octavo start --watch',
      check: 'octavo check',
      types: 'octavo types',
      typecheck: 'tsc',
      test: 'vitest run',
    },
    // The embedded database, which the tests use too.
    dependencies: rangesOf([...dependencies, '@electric-sql/pglite'].toSorted()),
    devDependencies: rangesOf(development),
  })
}

const rangesOf = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.map((name) => {
      const range = ranges[name]
      if (range === undefined) throw new Error(`package.json of create-octavo has no version of ${name}`)
      return [name, range]
    }),
  )
