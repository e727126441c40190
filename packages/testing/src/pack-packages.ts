import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
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
