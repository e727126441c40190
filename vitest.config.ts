import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const packages = fileURLToPath(new URL('packages', import.meta.url))
const report = process.env.OCTAVO_TEST_REPORT

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
    // Each worker of the behaviour tests may hold an embedded database of half a gigabyte.
    maxWorkers: 2,
    // Servers without a logger of their own would write among the results.
    env: { LOG_LEVEL: 'silent' },
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
          // The files change nothing that others see, so the modules are loaded once in each worker.
          isolate: false,
          include: ['{packages,apps,examples}/*/src/**/*.test.ts', 'bench/src/**/*.test.ts'],
        },
      },
      {
        extends: true,
        resolve: {
          alias: [
            { find: /^@node-rs\/bcrypt$/, replacement: `${packages}/core/test/support/quick-bcrypt.ts` },
          ],
        },
        test: {
          name: 'behaviour',
          include: ['{packages,apps,examples}/*/test/**/*.{test,spec}.ts', 'docs/test/**/*.{test,spec}.ts'],
          globalSetup: [
            `${packages}/testing/src/global-setup.ts`,
            `${packages}/core/test/support/prepared-pglite-setup.ts`,
          ],
        },
      },
    ],
  },
})
