import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'

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

it('A library that uses the client emits its declarations', () => {
  const tsc = from('../../../node_modules/typescript/bin/tsc')
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-client-declarations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const options = ['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--outDir', folder]
  const strict = ['--strict', '--module', 'nodenext', '--lib', 'es2024,dom', '--types', '']
  const { stdout } = spawnSync(
    process.execPath,
    [tsc, ...options, ...strict, from('./fixtures/library.ts')],
    {
      encoding: 'utf8',
    },
  )
  expect(stdout).toBe('')
})
