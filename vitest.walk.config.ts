import { defineConfig } from 'vitest/config'

const report = process.env.OCTAVO_TEST_REPORT

/** The walk of a new user, and the front ends: they pack and install packages, so they need the network and are apart from the other tests. */
export default defineConfig({
  test: {
    // A walk that needs a server in its own process has an embedded database: a new user's machine has no other.
    env: { OCTAVO_TEST_ENGINE: 'pglite' },
    include: [
      'packages/{cli,create-octavo,plugin-graphql}/walk/*.spec.ts',
      'docs/walk/*.spec.ts',
      'examples/frontends/walk/*.spec.ts',
    ],
    globalSetup: 'packages/testing/src/pack-packages.ts',
    // Two: each test mostly waits for one npm or one server. The default on two processors is one.
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    // `.ci/run` counts the tests of each run by its report.
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report && { outputFile: { json: report } }),
  },
})
