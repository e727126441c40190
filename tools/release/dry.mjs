/**
 * `pnpm release:dry`: publishes every package to a local registry, and installs them from there in empty folders: with npm, pnpm
 * and yarn, core and server alone, with each plugin, and all. A program of each starts and answers; consumers compile without
 * `skipLibCheck`, one of them with the client alone. Needs a build.
 *
 * - `--quick`, for CI: fewer plugins alone, and beside each other
 * - `--footprint`: measures the installations with npm only, and writes footprint.json and its table in README.md. With names of plugins
 *   (`pnpm footprint plugin-editors`), these and core and server only; the other rows stay
 *
 * The last lines name what was left out, with the reason.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileConsumers, compileFrontEnd } from './consumers.mjs'
import { measure } from './footprint.mjs'
import { grown, joined, withTable } from './footprint-table.ts'
import { publishPlaceholders } from './placeholders.mjs'
import { program } from './program.mjs'
import { startRegistry } from './registry.mjs'

const isQuick = process.argv.includes('--quick')
const isFootprint = process.argv.includes('--footprint')
/** The plugins to measure; none: all. */
const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const root = fileURLToPath(new URL('../..', import.meta.url))
const results = fileURLToPath(new URL('footprint.json', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'octavo-release-'))
const problems = []
const leftOut = []

const packages = readdirSync(join(root, 'packages'))
  .map((folder) => JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')))
  .filter((manifest) => !manifest.private)
  .map(({ name }) => name)

const base = ['@octavo/core', '@octavo/server']
const plugins = packages.filter((name) => name.startsWith('@octavo/plugin-'))
const all = packages.filter((name) => name !== 'create-octavo')
/** In the quick form, the one with the most dependencies of its own. */
const plugged = isQuick ? ['@octavo/plugin-upload'] : plugins
/** A plugin that does not start alone, with what it needs. */
const usedWith = { '@octavo/plugin-desk': ['@octavo/plugin-editors'] }
const sets = [
  { title: 'all packages', names: all, used: plugins },
  { title: 'core and server', names: base, used: [] },
  ...plugged.map((name) => ({
    title: `with ${name.replace('@octavo/', '')}`,
    names: [...base, ...(usedWith[name] ?? []), name],
    used: [...(usedWith[name] ?? []), name],
  })),
]
/** The embedded database of the programs, which is no part of a set. */
const pglite = '@electric-sql/pglite'

let registry
let env
const began = performance.now()
try {
  registry = await startRegistry(join(work, 'registry'))
  env = {
    ...process.env,
    NPM_CONFIG_USERCONFIG: registry.npmrc,
    npm_config_registry: registry.url,
    PNPM_CONFIG_REGISTRY: registry.url,
    YARN_REGISTRY: registry.url,
    // One cache for all installations with npm.
    npm_config_cache: join(work, 'npm-cache'),
    YARN_CACHE_FOLDER: join(work, 'yarn-cache'),
    LOG_LEVEL: 'silent',
  }
  if (await publish()) await (isFootprint ? writeFootprint() : install())
} finally {
  await registry?.stop()
  rmSync(work, { recursive: true, force: true })
}
for (const problem of problems) console.error(`\n✗ ${problem}`)
for (const line of leftOut) console.warn(`SKIPPED ${line}`)
const seconds = ((performance.now() - began) / 1000).toFixed(0)
if (problems.length > 0) process.exitCode = 1
else console.log(`✓ ${packages.length} packages can be published (${seconds} s)`)

/** Runs a command. A failure is a problem of the release. @returns its output, or undefined */
function run(title, command, args, cwd) {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      problems.push(`${title}\n${error.code === 'ENOENT' ? error.message : ''}${stdout}${stderr}`)
      console.error(`✗ ${title}`)
      resolve(undefined)
    })
  })
}

/** An empty folder with a package.json. */
function folderOf(name) {
  const folder = join(work, name.replaceAll(/[^a-z0-9-]+/g, '-'))
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n')
  return folder
}

/** @returns whether all packages were published. */
async function publish() {
  return (await publishAll('pnpm publish', ['--filter', './packages/*'], root)) !== undefined
}

/** Publishes the packages of a workspace by one command: its start takes longer than the publishing. The checkout may have changes. */
function publishAll(title, filter, workspace) {
  const publishing = ['publish', '--registry', registry.url, '--access', 'public', '--no-git-checks']
  return run(title, 'pnpm', ['--recursive', ...filter, ...publishing], workspace)
}

/** Does the work for each item, for two at a time. */
async function eachOf(items, work) {
  const rest = items[Symbol.iterator]()
  const lane = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all([lane(), lane()])
}

/** Installs a set with npm and starts its program. @returns its size and times, or undefined */
async function installWithNpm({ title, names, used }) {
  const folder = folderOf(title)
  // The processor time of a command and its children is known to the shell only.
  const timed = [
    '-c',
    'TIMEFORMAT="%U %S"; { time npm "$@" >npm.log 2>&1; } 2>&1 || { cat npm.log; exit 1; }',
    'npm',
  ]
  const times = await run(`${title}: npm install`, 'bash', [...timed, 'install', ...names], folder)
  if (times === undefined) return
  const [user, system] = times.trim().split(' ').map(Number)
  const row = { title, ...measure(folder), seconds: user + system }
  await run(`${title}: npm install pglite`, 'npm', ['install', pglite], folder)
  const first = await started(title, folder, used)
  if (first === undefined) return
  // The lesser of two is less disturbed by other processes.
  const second = isFootprint ? ((await started(title, folder, used)) ?? first) : first
  const [start, memory] = ['start', 'memory'].map((name) => Math.min(first[name], second[name]))
  console.log(
    `✓ ${title}: ${row.packages} packages, ${row.megabytes} MB, start ${start.toFixed(1)} s of processor time`,
  )
  return { ...row, start, memory }
}

/** Starts the program of a set. @returns `{ start, memory }`, or undefined */
async function started(title, folder, used) {
  writeFileSync(join(folder, 'program.mjs'), program(used))
  const out = await run(`${title}: starts`, process.execPath, ['--expose-gc', 'program.mjs'], folder)
  return out === undefined ? undefined : JSON.parse(out)
}

/** Everything but the results of the footprint. */
async function install() {
  const rows = []
  const [everything, ...others] = sets
  const withNpm = async (set) => {
    const row = await installWithNpm(set)
    if (row) rows.push(row)
  }
  await Promise.all([withNpm(everything), installWith('pnpm', 'pnpm', ['add', ...all, pglite])])
  await addPlaceholders()
  await Promise.all([
    eachOf(others, withNpm),
    installWith('yarn', 'npx', ['--yes', 'yarn@1.22.22', 'add', '--non-interactive', ...all, pglite]),
    compileConsumers({ folder: join(work, 'all-packages'), names: all, run }),
    compileFrontEnd({ folder: folderOf('front end'), run }),
  ])
  if (existsSync(results)) problems.push(...grown(rows, JSON.parse(readFileSync(results, 'utf8'))))
}

/** Installs all packages and starts their program. */
async function installWith(name, command, args) {
  const title = `all packages with ${name}`
  const folder = folderOf(title)
  if ((await run(`${title}: install`, command, args, folder)) === undefined) return
  if ((await started(title, folder, plugins)) !== undefined) console.log(`✓ ${title}`)
}

/** For yarn, after an installation with npm. */
async function addPlaceholders() {
  const placeholders = await publishPlaceholders({
    folder: join(work, 'all-packages'),
    url: registry.url,
    workspace: join(work, 'placeholders'),
    publish: (workspace) => publishAll('placeholders', [], workspace),
  })
  if (placeholders.length > 0)
    leftOut.push(
      `with yarn, builds for other platforms that the registry lacks; empty packages took their places: ${placeholders.join(', ')}`,
    )
}

/** Measures each set with a cache that has all packages. */
async function writeFootprint() {
  const [everything, ...others] = sets
  const filled = await run('npm install', 'npm', ['install', ...everything.names], folderOf('warm-up'))
  if (filled === undefined) return
  const measured = []
  const isAsked = ({ title, used }) =>
    asked.length === 0 || used.length === 0 || asked.some((name) => title === `with ${name}`)
  for (const set of [...others, everything].filter(isAsked)) {
    const row = await installWithNpm(set)
    if (row)
      measured.push({
        ...row,
        seconds: rounded(row.seconds),
        start: rounded(row.start),
        memory: rounded(row.memory),
      })
  }
  if (problems.length > 0) return
  const rows =
    asked.length === 0 ? measured : joined(measured, JSON.parse(readFileSync(results, 'utf8')).rows)
  const node = process.versions.node.split('.')[0]
  const result = { node, platform: `${process.platform} ${process.arch}`, rows }
  writeFileSync(results, `${JSON.stringify(result, null, 2)}\n`)
  const readme = join(root, 'README.md')
  writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), result))
}

function rounded(value) {
  return Math.round(value * 10) / 10
}
