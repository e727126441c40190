import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

/** `npm install` in a folder, which is created. */
export function install(folder: string, ...names: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...names], { cwd: folder })
}

/** Replaces the versions of packed packages in a `package.json` by their tarballs, for dependencies of dependencies too. */
export function useTarballs(file: string, tarballs: ReadonlyMap<string, string>): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  for (const group of [manifest.dependencies, manifest.devDependencies])
    for (const name of Object.keys(group)) {
      const tarball = tarballs.get(name)
      if (tarball !== undefined) group[name] = `file:${tarball}`
    }
  const isDirect = (name: string) => name in manifest.dependencies || name in manifest.devDependencies
  manifest.overrides = Object.fromEntries(
    [...tarballs].map(([name, tarball]) => [name, isDirect(name) ? `$${name}` : `file:${tarball}`]),
  )
  writeFileSync(file, JSON.stringify(manifest, null, 2))
}
