import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

export { packedPackages, useTarballs } from '@octavo/testing/pack-packages'

/** `npm install` in a folder, which is created. */
export function install(folder: string, ...names: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...names], { cwd: folder })
}
