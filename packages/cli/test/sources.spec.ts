import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Refuses every file that a build makes, whether it exists or not. */
const withoutBuilds = `
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve(name, context, next) {
      const found = next(name, context)
      if (/\\/(?:packages|apps)\\/[^/]+\\/dist\\//.test(found.url)) throw new Error('A build was loaded: ' + found.url)
      return found
    },
  })`

function run(...words: string[]) {
  const hook = `data:text/javascript,${encodeURIComponent(withoutBuilds)}`
  return promisify(execFile)(process.execPath, ['--import', hook, ...words], { cwd: root })
}

const demo = ['check', '--config', 'apps/demo/octavo.config.ts']

it('octavo of the checkout runs the sources of all packages', async () => {
  const { stdout } = await run('--conditions=octavo-source', 'packages/cli/src/bin.ts', ...demo)
  expect(stdout).toMatch(/\S/)
})

it('without the condition, builds run, as in an installed package', async () => {
  await expect(run('packages/cli/src/bin.ts', ...demo)).rejects.toThrow('A build was loaded')
})
