import { defineConfig } from 'vitest/config'

const report = process.env.OCTAVO_TEST_REPORT

/** The front ends of examples/frontends: installing them takes about a minute and needs the network. */
export default defineConfig({
  test: {
    include: ['examples/frontends/walk/*.spec.ts'],
    globalSetup: 'packages/testing/src/pack-packages.ts',
    testTimeout: 900_000,
    hookTimeout: 300_000,
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report && { outputFile: { json: report } }),
  },
})
