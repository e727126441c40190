import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000 })

const from = (place: string): string => fileURLToPath(new URL(place, import.meta.url))

it.each(['es2024,dom', 'es2024,webworker'])('The published types compile with %s alone', (lib) => {
  const tsc = from('../../../node_modules/typescript/bin/tsc')
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--types', '', '--lib', lib]
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, from('../dist/bundled.d.ts')], {
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
})
