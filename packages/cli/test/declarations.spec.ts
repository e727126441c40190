/** Libraries that use Octavo emit declarations: each type that they infer has a public name, or none. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000 })

const from = (place: string): string => fileURLToPath(new URL(place, import.meta.url))

it.each(['nodenext', 'bundler'])(
  'The declarations of a library are emitted with the resolution %s',
  (resolution) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'octavo-declarations-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    cpSync(from('./fixtures/declarations'), folder, { recursive: true })
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
    const scope = path.join(folder, 'node_modules/@octavo')
    mkdirSync(scope, { recursive: true })
    for (const name of ['cli', 'core', 'plugin-upload', 'server'])
      symlinkSync(from(`../../${name}`), path.join(scope, name))
    const compilerOptions = {
      target: 'es2024',
      module: resolution === 'bundler' ? 'esnext' : resolution,
      moduleResolution: resolution,
      strict: true,
      composite: true,
      emitDeclarationOnly: true,
      skipLibCheck: true,
      types: [],
      outDir: 'dist',
      rootDir: '.',
    }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const tsc = from('../../../node_modules/typescript/bin/tsc')
    expect(spawnSync(process.execPath, [tsc], { cwd: folder, encoding: 'utf8' }).stdout).toBe('')
  },
)
