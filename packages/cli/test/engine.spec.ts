import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** A Node.js that reports an old version; the walk of a new user runs a real one. */
const pretend = (version: string): string =>
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`

const run = (version: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', pretend(version), ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  })

describe('a Node.js that is too old', () => {
  const line = (version: string) =>
    `Octavo needs Node.js 22.22 or later, and this is ${version}: see https://nodejs.org\n`

  it.each([
    ['the command line', ['dist/bin.js', '--version']],
    ['core', ['--input-type=module', '-e', `import '@octavo/core'`]],
    ['server', ['--input-type=module', '-e', `import '@octavo/server'`]],
    ['a plugin', ['--input-type=module', '-e', `import '@octavo/plugin-i18n'`]],
  ])('ends %s with one line', (_, args) => {
    for (const version of ['20.20.2', '22.21.9']) {
      const { status, stdout, stderr } = run(version, ...args)
      expect([status, stdout, stderr]).toEqual([1, '', line(version)])
    }
  })

  it('is distinguished from a supported one', () => {
    expect(run('22.22.0', 'dist/bin.js', '--version').status).toBe(0)
    expect(run('24.0.0', 'dist/bin.js', '--version').status).toBe(0)
  })

  it('is the version that the packages name', () => {
    const require = createRequire(import.meta.url)
    for (const name of ['core', 'server', 'plugin-i18n', 'plugin-upload', 'plugin-users-permissions']) {
      const manifest = JSON.parse(readFileSync(require.resolve(`@octavo/${name}/package.json`), 'utf8'))
      expect([name, manifest.engines.node]).toEqual([name, '>=22.22'])
    }
  })
})
