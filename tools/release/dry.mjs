/**
 * `pnpm release:dry`: publishes every package to a local registry, and installs them from there in empty folders: with npm, pnpm
 * and yarn, core and server alone, with each plugin, and all. A program of each starts and answers; consumers compile without
 * `skipLibCheck`. Needs a build. `--footprint` measures the installations with npm only, and writes the table into README.md.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileConsumers } from './consumers.mjs'
import { measure, writeTable } from './footprint.mjs'
import { startRegistry } from './registry.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'octavo-release-'))
const problems = []

const packages = readdirSync(join(root, 'packages'))
  .map((name) => join(root, 'packages', name))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
  .filter(({ manifest }) => !manifest.private)

const registry = await startRegistry(join(work, 'registry'))
const env = {
  ...process.env,
  NPM_CONFIG_USERCONFIG: registry.npmrc,
  npm_config_registry: registry.url,
  PNPM_CONFIG_REGISTRY: registry.url,
  YARN_REGISTRY: registry.url,
  npm_config_cache: join(work, 'npm-cache'),
  LOG_LEVEL: 'silent',
}

/** Runs a command. A failure is a problem of the release. @returns its output, or undefined */
function run(title, command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (status === 0) return stdout
  // yarn 1 resolves optional packages of all platforms; some mirrors lack packages of other platforms.
  const missing = /Couldn't find any versions? for "(?!@octavo\/)([^"]+)"/.exec(stderr ?? '')?.[1]
  if (missing !== undefined) {
    console.warn(`- ${title}: left out, the registry has no ${missing}`)
    return undefined
  }
  problems.push(`${title}\n${error?.message ?? ''}${stdout}${stderr}`)
  console.error(`✗ ${title}`)
  return undefined
}

/** An empty folder with a package.json. */
function folderOf(name) {
  const folder = join(work, name.replaceAll(/[^a-z0-9-]+/g, '-'))
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n')
  return folder
}

function publish() {
  const packed = join(work, 'packed')
  for (const { folder, manifest } of packages) {
    const out = run(
      `${manifest.name}: pack`,
      'pnpm',
      ['pack', '--json', '--pack-destination', packed],
      folder,
    )
    if (out === undefined) continue
    run(`${manifest.name}: publish`, 'npm', ['publish', JSON.parse(out).filename, '--access', 'public'], work)
  }
}

const base = ['@octavo/core', '@octavo/server']
const plugins = packages
  .map(({ manifest }) => manifest.name)
  .filter((name) => name.startsWith('@octavo/plugin-'))
const all = packages.map(({ manifest }) => manifest.name).filter((name) => name !== 'create-octavo')
const factoryOf = (name) =>
  name.replace('@octavo/plugin-', '').replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase())

/** A program that serves a content-type from memory, answers one request and prints the seconds until it listened. */
const program = (used) => `const began = performance.now()
const { createServer } = await import('@octavo/server')
${used.map((name) => `const { ${factoryOf(name)} } = await import('${name}')`).join('\n')}
const article = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' } },
}
const server = await createServer({
  contentTypes: [article],
  database: 'memory://',
  plugins: [${used.map((name) => `${factoryOf(name)}()`).join(', ')}],
})
const { url } = await server.listen(0, '127.0.0.1')
const seconds = (performance.now() - began) / 1000
const { status } = await fetch(url + '/api/articles')
await server.close()
if (status !== ${used.some((name) => name.endsWith('users-permissions')) ? 403 : 200}) throw new Error('answered ' + status)
console.log(seconds)
`

/** Installs all packages with pnpm and yarn, and starts a server in each folder. */
function installWithOthers() {
  for (const [manager, ...args] of [
    ['pnpm', 'add'],
    ['npx', '--yes', 'yarn@1.22.22', 'add', '--non-interactive'],
  ]) {
    const title = `all packages with ${manager === 'npx' ? 'yarn' : manager}`
    const folder = folderOf(title)
    if (run(`${title}: install`, manager, [...args, ...all, '@electric-sql/pglite'], folder) === undefined)
      continue
    writeFileSync(join(folder, 'program.mjs'), program(plugins))
    if (run(`${title}: starts`, process.execPath, ['program.mjs'], folder) !== undefined)
      console.log(`✓ ${title}`)
  }
}

const isFootprint = process.argv.includes('--footprint')
const rows = []
const sets = [
  { title: 'core and server', names: base, used: [] },
  ...plugins.map((name) => ({
    title: `with ${name.replace('@octavo/', '')}`,
    names: [...base, name],
    used: [name],
  })),
  { title: 'all packages', names: all, used: plugins },
]
try {
  publish()
  if (problems.length === 0) {
    for (const { title, names, used } of sets) {
      const folder = folderOf(title)
      const began = performance.now()
      if (run(`${title}: npm install`, 'npm', ['install', ...names], folder) === undefined) continue
      const row = { title, seconds: (performance.now() - began) / 1000, ...measure(folder) }
      // The embedded database of the program, which is no part of the set.
      run(`${title}: npm install pglite`, 'npm', ['install', '@electric-sql/pglite'], folder)
      writeFileSync(join(folder, 'program.mjs'), program(used))
      const start = run(`${title}: starts`, process.execPath, ['program.mjs'], folder)
      rows.push({ ...row, start: Number(start?.trim()) })
      console.log(
        `✓ ${title}: ${row.packages} packages, ${row.megabytes.toFixed(1)} MB, start ${start?.trim()} s`,
      )
    }
    if (isFootprint && problems.length === 0) writeTable(join(root, 'README.md'), rows)
    else if (!isFootprint) {
      installWithOthers()
      compileConsumers({ folder: join(work, 'all-packages'), names: all, run })
    }
  }
} finally {
  await registry.stop()
  rmSync(work, { recursive: true, force: true })
}
for (const problem of problems) console.error(`\n✗ ${problem}`)
if (problems.length > 0) process.exitCode = 1
else console.log(`✓ ${packages.length} packages can be published`)
