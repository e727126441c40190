/** The plugin of `octavo generate plugin` compiles, passes its test and is built, with the packages of the workspace. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const at = (place: string): string => fileURLToPath(new URL(place, import.meta.url))

/** In this package, so that the plugin finds its packages. */
let folder: string
beforeAll(() => {
  mkdirSync(at('../.octavo'), { recursive: true })
  folder = mkdtempSync(at('../.octavo/generated-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('The plugin that octavo generates compiles, passes its test and is built', () => {
  const env = { ...process.env, VITEST: undefined }
  const run = (cwd: string, script: string, ...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [at(script), ...args], {
      cwd,
      encoding: 'utf8',
      env,
    })
    return [script, status, status === 0 ? '' : stdout + stderr]
  }
  const octavo = '../dist/bin.js'
  expect(run(folder, octavo, 'generate', 'plugin', 'audit-log')).toEqual([octavo, 0, ''])
  const plugin = path.join(folder, 'plugins/audit-log')
  const tsc = '../node_modules/typescript/bin/tsc'
  const vitest = '../node_modules/vitest/vitest.mjs'
  expect(run(plugin, tsc)).toEqual([tsc, 0, ''])
  expect(run(plugin, vitest, 'run')).toEqual([vitest, 0, ''])
  expect(run(plugin, tsc, '-p', 'tsconfig.build.json')).toEqual([tsc, 0, ''])
  for (const file of ['dist/index.js', 'dist/index.d.ts'])
    expect(existsSync(path.join(plugin, file))).toBe(true)
})
