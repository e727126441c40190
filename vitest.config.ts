import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const packages = fileURLToPath(new URL('packages', import.meta.url))
const support = new URL('packages/core/test/support/', import.meta.url).href
const report = process.env.OCTAVO_TEST_REPORT

/**
 * Files that take long while they mostly wait: for processes, a browser, or a limit of time. They begin first, so that none is left
 * alone at the end. Without the times of an earlier run vitest orders by size only.
 */
const waiting =
  /(?:cli\/test\/.*|crash|site|create|failover\S+|gathered-reads|listening|page|browser|processes|replicas|serving|shutdown)\.spec\.ts$/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(waiting.test(moduleId))
    return (await super.sort(files)).toSorted((a, b) => isLong(b) - isLong(a))
  }
}

/**
 * Options of the workers. Tests run on the sources: no build is needed between a change and its test, and a class is one class even when one
 * test file reaches it by a relative path and another by the package's name. Embedded databases start from the data folder of the first one.
 */
const node = ['--conditions=octavo-source', `--import=${support}prepared-pglite-hook.mjs`]

export default defineConfig({
  // By this `vitest related` and `--changed` find the imports of a module. The tests themselves are loaded by Node.js, with `node` below.
  ssr: { resolve: { conditions: ['octavo-source', 'node'] } },
  test: {
    // For two processors: many tests wait for a database, a process or a browser. The embedded database computes in the worker, which then
    // holds half a gigabyte.
    maxWorkers: process.env.OCTAVO_TEST_ENGINE === 'pglite' ? 2 : 3,
    // Modules are loaded once in each worker, which halves the processor time of a run. A test undoes what another file could see.
    isolate: false,
    // Node.js loads the modules and strips their types. Through Vite's module runner, which rewrites each import, a run takes more processor
    // time. `vi.mock` and `vi.resetModules` need the module runner: a test registers a hook of its own, or is handed what it replaces.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: node,
    sequence: { sequencer: LongFirst },
    // Servers without a logger of their own would write among the results.
    env: { LOG_LEVEL: 'silent' },
    // The default is one second, which a busy machine may need for one request.
    expect: { poll: { timeout: 25_000 } },
    // Ten times what a test may take on a quiet machine. A file that needs more says why.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report && { outputFile: { json: report } }),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{packages,apps,examples}/*/src/**/*.test.ts', 'bench/src/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'behaviour',
          // Beside those above.
          execArgv: [`--import=${support}quick-bcrypt-hook.mjs`],
          include: ['{packages,apps,examples}/*/test/**/*.{test,spec}.ts', 'docs/test/**/*.{test,spec}.ts'],
          globalSetup: [
            `${packages}/testing/src/global-setup.ts`,
            `${packages}/core/test/support/run-folder.ts`,
          ],
        },
      },
    ],
  },
})
