import { defineConfig } from 'vitest/config'

/** The walk of a new user: it packs and installs the packages, so it needs the network and is apart from the other tests. */
export default defineConfig({
  test: { include: ['packages/cli/walk/*.spec.ts'], testTimeout: 180_000, hookTimeout: 300_000 },
})
