import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Packs the packages as they would be published. For tests of this workspace: it is not part of the published package.
 *
 * @param folder Where the tarballs go.
 * @returns the path of each package's tarball, by its name: `@octavo/core`.
 */
export function packPackages(folder: string): ReadonlyMap<string, string> {
  const tarballs = new Map<string, string>()
  for (const name of readdirSync(packages)) {
    const manifest = JSON.parse(readFileSync(path.join(packages, name, 'package.json'), 'utf8'))
    if (manifest.private) continue
    execFileSync('pnpm', ['pack', '--pack-destination', folder], { cwd: path.join(packages, name) })
    const file = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`
    tarballs.set(manifest.name, path.join(folder, file))
  }
  return tarballs
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
