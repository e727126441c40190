/**
 * Packages of other platforms that a mirror of npm lacks. npm and pnpm leave them out; yarn 1 resolves every optional package
 * before it leaves out those of other platforms, and fails.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Publishes an empty package to the local registry for each missing one.
 *
 * @param folder A folder in which npm has installed the packages.
 * @param workspace The folder of the empty packages, which is made.
 * @param publish Publishes the packages of a workspace.
 * @returns their names and versions
 */
export async function publishPlaceholders({ folder, url, workspace, publish }) {
  const missing = []
  for (const [name, version] of optionalOf(join(folder, 'node_modules'))) {
    // A range is resolved by the registry; only builds for platforms are named by their exact version.
    if (!/^\d+\.\d+\.\d+/.test(version)) continue
    const { status } = await fetch(`${url}${name.replace('/', '%2f')}/${version}`)
    if (status !== 404) continue
    const place = join(workspace, `package-${missing.length}`)
    mkdirSync(place, { recursive: true })
    const manifest = { name, version, description: 'Empty: the mirror lacks it.', os: ['none'] }
    writeFileSync(join(place, 'package.json'), JSON.stringify(manifest))
    missing.push(`${name}@${version}`)
  }
  if (missing.length === 0) return missing
  writeFileSync(join(workspace, 'pnpm-workspace.yaml'), 'packages: [package-*]\n')
  return (await publish(workspace)) === undefined ? [] : missing
}

/** The optional dependencies of the installed packages, with their versions. */
function optionalOf(modules) {
  const optional = new Map()
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((part) => `${name}/${part}`) : [name],
  )
  for (const name of names) {
    const file = join(modules, name, 'package.json')
    if (!existsSync(file)) continue
    const { optionalDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'))
    for (const [dependency, version] of Object.entries(optionalDependencies))
      optional.set(dependency, version)
  }
  return optional
}
