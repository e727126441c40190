import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const packages = fileURLToPath(new URL('packages', import.meta.url))
const report = process.env.OCTAVO_TEST_REPORT

/**
 * Files that take long, most of them while they wait: for processes, a browser, a limit of time, or many answers. They begin first, so that none is left
 * alone at the end. Without the times of an earlier run vitest orders by size only.
 */
const long =
  /(?:apps\/(?:demo|reliability)\/test\/.*|(?:cli|import-strapi)\/test\/.*|server\/test\/(?:limits|database|process)\/.*|attacks|create|far-side|gathered-reads|listening-connection|page|browser|pgbouncer|processes|rights|s3-failing|serving|site|store|texts)\.spec\.ts$/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(long.test(moduleId))
    return (await super.sort(files)).toSorted((a, b) => isLong(b) - isLong(a))
  }
}

/** Tests on a server. */
const behaviour = {
  resolve: {
    alias: [{ find: /^@node-rs\/bcrypt$/, replacement: `${packages}/core/test/support/quick-bcrypt.ts` }],
  },
  globalSetup: [`${packages}/testing/src/global-setup.ts`, `${packages}/core/test/support/run-folder.ts`],
}

/** Pages in Chromium, which take more than a third of the processor time of all tests. `npm test` leaves them out, as the walks; CI runs them after `npm test`. */
const inBrowser = [
  'packages/plugin-desk/test/**/*.spec.ts',
  '{packages,apps}/*/test/{browser,page,report-page,site}.spec.ts',
]

export default defineConfig({
  // Tests run on the sources: no build is needed between a change and its test, and a class is one class even when
  // one test file reaches it by a relative path and another by the package's name.
  // Not the condition `module`: dependencies have modules for bundlers there, which Node.js cannot load.
  ssr: { resolve: { conditions: ['octavo-source', 'node'] } },
  resolve: {
    alias: [
      // Databases in memory that start from the data folder of the first one.
      { find: /^@electric-sql\/pglite$/, replacement: `${packages}/core/test/support/prepared-pglite.ts` },
    ],
  },
  test: {
    // For two processors: many tests wait for a database, a process or a browser. With three workers a tenth of both rested, with four nearly nothing.
    // The embedded database computes in the worker, which then holds half a gigabyte.
    maxWorkers: process.env.OCTAVO_TEST_ENGINE === 'pglite' ? 2 : 4,
    // Modules are loaded once in each worker, which halves the processor time of a run. A test undoes what another file could see.
    isolate: false,
    // Less collecting of young objects: a twentieth of the processor time of tests that use the database.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongFirst },
    // Servers without a logger of their own would write among the results.
    env: { LOG_LEVEL: 'silent' },
    // The default is one second, which a busy machine may need for one request.
    expect: { poll: { timeout: 25_000 } },
    // Ten times what a test may take on a quiet machine, the first embedded database of a process included. A file that needs more says why.
    testTimeout: 60_000,
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
        resolve: behaviour.resolve,
        test: {
          name: 'behaviour',
          include: ['{packages,apps,examples}/*/test/**/*.{test,spec}.ts', 'docs/test/**/*.{test,spec}.ts'],
          exclude: [...configDefaults.exclude, ...inBrowser],
          globalSetup: behaviour.globalSetup,
        },
      },
      {
        extends: true,
        resolve: behaviour.resolve,
        test: { name: 'browser', include: inBrowser, globalSetup: behaviour.globalSetup },
      },
    ],
  },
})
