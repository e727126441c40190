/** The examples outside of this workspace, with the packed packages: npm install, the compiler, and the tests of each. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runs } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { install, packedPackages, useTarballs } from './packed.ts'

const source = fileURLToPath(new URL('../../../examples/', import.meta.url))

/** Two that have tests of their own: `pnpm test:frontends`, and programs that npm does not install. */
const elsewhere = ['frontends', 'scale-out']
const examples = readdirSync(source).filter(
  (name) => !elsewhere.includes(name) && existsSync(path.join(source, name, 'package.json')),
)

/** The configuration of vitest in the README of `@octavo/testing`. */
const vitestConfig = /\/\/ vitest\.config\.ts\n(.*?)```/s.exec(
  readFileSync(new URL('../../testing/README.md', import.meta.url), 'utf8'),
)?.[1]

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: false,
  // Express 5.3 brings version 2, which has types of its own; those of Koa are written for the ones of version 0.5.
  paths: { 'content-disposition': ['./node_modules/@types/content-disposition'] },
}

/** The versions that this workspace has installed for the dependencies in a manifest. */
function installed(folder: string): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  )
  return Object.fromEntries(
    Object.keys({ ...dependencies, ...devDependencies }).map((name) => {
      const manifest = readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8')
      return [name, JSON.parse(manifest).version]
    }),
  )
}

const { VITEST: _, OCTAVO_TEST_DATABASE_URL: __, ...environment } = process.env

/** A folder with the examples, which share one installation. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-examples-'))
  for (const name of examples)
    cpSync(path.join(source, name), path.join(folder, name), {
      recursive: true,
      filter: (file) => !/[/\\](?:node_modules|dist)$/.test(file),
    })
  const tools = installed(fileURLToPath(new URL('..', import.meta.url)))
  const needed = ['@electric-sql/pglite', '@types/node', 'typescript', 'vitest']
  const manifest = {
    private: true,
    type: 'module',
    dependencies: Object.assign({}, ...examples.map((name) => installed(path.join(source, name)))),
    devDependencies: Object.fromEntries(needed.map((name) => [name, tools[name]])),
  }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  useTarballs(path.join(folder, 'package.json'), packedPackages())
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: examples.flatMap((name) => [`${name}/src`, `${name}/test`]) }),
  )
  if (vitestConfig === undefined) throw new Error('The README of @octavo/testing has no vitest.config.ts')
  writeFileSync(path.join(folder, 'vitest.config.ts'), vitestConfig)
  install(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (program: string, ...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(path.join(folder, 'node_modules/.bin', program), args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...environment, NODE_ENV: 'test', OCTAVO_TEST_ENGINE: 'pglite' },
  })

describe('17: the examples outside of the workspace', () => {
  it('compile, without skipLibCheck', () => {
    const { status, stdout, stderr } = run('tsc')
    expect([status, stdout + stderr]).toEqual([0, ''])
  })

  // Each night: `npm test` runs the same tests in the workspace.
  it.runIf(runs(0, 1))('pass their tests', () => {
    const report = path.join(folder, 'report.json')
    const { status, stdout, stderr } = run(
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${report}`,
    )
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      readonly testResults: readonly { readonly name: string; readonly status: string }[]
    }
    const passed = testResults.map(({ name }) => path.relative(folder, name).split(path.sep)[0])
    expect(new Set(passed)).toEqual(new Set(examples))
  })
})
