import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Packs the packages as they would be published, by one command: its start takes longer than the packing. For tests of this workspace: it
 * is not part of the published package.
 *
 * @param folder Where the tarballs go.
 * @returns the path of each package's tarball, by its name: `@octavo/core`.
 */
async function packPackages(folder: string): Promise<ReadonlyMap<string, string>> {
  const args = ['--recursive', '--filter', './packages/*', 'pack', '--json', '--pack-destination', folder]
  const { stdout } = await promisify(execFile)('pnpm', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const packed = JSON.parse(stdout) as readonly { readonly name: string; readonly filename: string }[] // the contract of `pnpm pack`
  const manifests = globSync('packages/*/package.json', { cwd: root }).map((file) =>
    JSON.parse(readFileSync(path.join(root, file), 'utf8')),
  )
  const isPrivate = new Set(manifests.filter((manifest) => manifest.private).map(({ name }) => name))
  return new Map(
    packed.filter(({ name }) => !isPrivate.has(name)).map(({ name, filename }) => [name, filename]),
  )
}

const variable = 'OCTAVO_TEST_TARBALLS'

/** vitest's `globalSetup`: packs the packages once for all test files of a run. */
export async function setup(): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-packed-'))
  process.env[variable] = JSON.stringify([...(await packPackages(folder))])
  return () => {
    delete process.env[variable]
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The path of each package's tarball, by its name: `@octavo/core`. @throws without the global set-up of this module. */
export function packedPackages(): ReadonlyMap<string, string> {
  const tarballs = process.env[variable]
  if (tarballs === undefined) throw new Error('The vitest global set-up that packs the packages did not run')
  return new Map(JSON.parse(tarballs))
}

/** Replaces the versions of packed packages in a `package.json` by their tarballs, for dependencies of dependencies too. */
export function useTarballs(file: string, tarballs: ReadonlyMap<string, string>): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const { dependencies = {}, devDependencies = {} } = manifest
  for (const group of [dependencies, devDependencies])
    for (const name of Object.keys(group)) {
      const tarball = tarballs.get(name)
      if (tarball !== undefined) group[name] = `file:${tarball}`
    }
  const isDirect = (name: string) => name in dependencies || name in devDependencies
  manifest.overrides = Object.fromEntries(
    [...tarballs].map(([name, tarball]) => [name, isDirect(name) ? `$${name}` : `file:${tarball}`]),
  )
  writeFileSync(file, JSON.stringify(manifest, null, 2))
}
