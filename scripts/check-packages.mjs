/**
 * `pnpm check:packages`: packs every public package as for publishing, and checks the tarball with
 * publint and `attw` (ESM only), its package.json, and the links of its README. Also checks that packages that must not be
 * duplicated are installed once. Needs a build.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Two copies of these packages would have unrelated classes and types. */
const single = ['kysely', 'pg', '@mikro-orm/core', '@electric-sql/pglite']

const problems = []
const work = mkdtempSync(join(tmpdir(), 'octavo-pack-'))
try {
  const published = publishedPackages()
  const packed = packAll()
  for (const { name, files } of published) {
    if (!files.includes('CHANGELOG.md')) problems.push(`${name}: "files" of package.json has no CHANGELOG.md`)
    check(name, packed.get(name))
  }
  for (const name of single) checkSingle(name)
  report(published.map(({ name }) => name))
} finally {
  rmSync(work, { recursive: true })
}

function publishedPackages() {
  return readdirSync(join(root, 'packages'))
    .map((entry) => JSON.parse(readFileSync(join(root, 'packages', entry, 'package.json'), 'utf8')))
    .filter((manifest) => !manifest.private)
    .map(({ name, files }) => ({ name, files }))
}

/** The tarball and the files of each package, by its name. One command packs all: its start takes longer than the packing. */
function packAll() {
  const args = ['--recursive', '--filter', './packages/*', 'pack', '--json', '--pack-destination', work]
  const { status, stdout, output } = run('pnpm', args)
  if (status !== 0) problems.push(`pnpm pack failed\n${output}`)
  return new Map(status === 0 ? JSON.parse(stdout).map((packed) => [packed.name, packed]) : [])
}

function check(name, packed) {
  if (packed === undefined) return problems.push(`${name} is not packed`)
  const { filename: tarball, files } = packed
  const paths = files.map(({ path }) => path)
  for (const needed of ['package.json', 'LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']) {
    if (!paths.includes(needed)) problems.push(`${name}: ${needed} is missing from the tarball`)
  }
  for (const path of paths.filter((path) => /\.test\.|\.tsbuildinfo|^test\//.test(path))) {
    problems.push(`${name}: ${path} does not belong in the tarball`)
  }

  const file = (path) => run('tar', ['xzOf', tarball, `package/${path}`]).stdout
  for (const path of staleFiles(paths, file))
    problems.push(`${name}: ${path} is of an earlier build; remove dist and build again`)
  for (const problem of problemsOf(JSON.parse(file('package.json')))) problems.push(`${name}: ${problem}`)
  for (const link of badLinks(file('README.md'))) problems.push(`${name}: the link ${link} of README.md`)

  const publint = run('publint', ['run', tarball, '--strict'])
  if (publint.status !== 0) problems.push(`${name}: publint\n${publint.output}`)
  const attw = run('attw', [tarball, '--profile', 'esm-only', '--no-emoji', '--format', 'ascii'])
  if (attw.status !== 0) problems.push(`${name}: attw\n${attw.output}`)
}

/**
 * Files of `dist` that no build makes any more: declarations without a source, and JavaScript that neither package.json
 * names nor a file which it leads to. Modules for browsers have a source each.
 */
function staleFiles(paths, file) {
  const { exports, bin = {} } = JSON.parse(file('package.json'))
  const named = Object.values({ ...exports, ...bin }).flatMap((entry) =>
    typeof entry === 'string' ? entry : Object.values(entry),
  )
  const known = new Set(named.map((path) => path.replace('./', '')))
  for (const path of known) {
    if (!/^dist\/[^/]+\.js$/.test(path)) continue
    // Of its own build it imports files, and reads those that it serves to browsers.
    for (const [, other] of file(path).matchAll(/["'`]\.(?:\/|\.\/dist\/)([\w-]+\.js)["'`]/g))
      known.add(`dist/${other}`)
  }
  // A bundle for browsers has a list of its files.
  const list = 'dist/page/files.json'
  const bundled = new Set(
    paths.includes(list) ? JSON.parse(file(list)).all.map((name) => `dist/page/${name}`) : [],
  )
  const hasSource = (path) =>
    paths.includes(path.replace(/^dist/, 'src').replace(/(?:\.d\.ts|\.js)(?:\.map)?$/, '.ts'))
  const isKnown = (path) =>
    known.has(path.replace(/\.map$/, '')) ||
    bundled.has(path) ||
    (/^dist\/browser\/|\.d\.ts(?:\.map)?$/.test(path) && hasSource(path))
  return paths.filter((path) => /^dist\/.*(?:\.d\.ts|\.js)(?:\.map)?$/.test(path) && !isKnown(path))
}

/** What the page of a package on npm, and its users, would miss in package.json. */
function problemsOf(manifest) {
  const { name, scripts, devDependencies, peerDependencies = {}, repository, homepage = '' } = manifest
  const needed = ['description', 'keywords', 'homepage', 'bugs', 'repository', 'license', 'author', 'engines']
  const missing = needed.filter((key) => manifest[key] === undefined || manifest[key].length === 0)
  const shared = ['@octavo/core', '@octavo/server']
  const writesProjects = ['create-octavo', '@octavo/cli'].includes(name)
  const isPlugin = name.startsWith('@octavo/plugin-')
  return [
    ...missing.map((key) => `package.json has no ${key}`),
    ...(scripts || (devDependencies && !writesProjects)
      ? ['package.json has scripts or devDependencies; see .pnpmfile.cjs']
      : []),
    ...(writesProjects && !devDependencies
      ? ['package.json has no devDependencies, from which projects get their versions; see .pnpmfile.cjs']
      : []),
    ...(homepage.includes(repository?.directory) ? [] : ['homepage and repository.directory differ']),
    ...(/"(?:workspace:|octavo-source")/.test(JSON.stringify(manifest))
      ? ['package.json refers to the workspace; see .pnpmfile.cjs']
      : []),
    ...(isPlugin ? shared.filter((peer) => !peerDependencies[peer]).map((peer) => `${peer} is no peer`) : []),
    ...(isPlugin && shared.some((peer) => manifest.dependencies?.[peer]) ? ['a peer is a dependency'] : []),
  ]
}

/** Links that do not work on npm: relative ones, and addresses of this repository without a file. */
function badLinks(readme) {
  const own = /^https:\/\/github\.com\/octavo\/octavo\/(?:blob|tree)\/main\//
  const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link)
  return links.filter((link) =>
    own.test(link)
      ? !existsSync(join(root, link.replace(own, '').replace(/#.*/, '')))
      : !/^(?:https:\/\/|#)/.test(link),
  )
}

function checkSingle(name) {
  const lock = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
  const versions = [...lock.matchAll(new RegExp(`^  '?${name}@([^':(]+)'?:`, 'gm'))].map(
    ([, version]) => version,
  )
  const copies = [...new Set(versions)]
  if (copies.length > 1)
    problems.push(`${name} is installed in ${copies.length} versions: ${copies.join(', ')}`)
}

function run(command, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return {
    status: status ?? 1,
    stdout: stdout ?? '',
    output: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`,
  }
}

function report(names) {
  for (const problem of problems) console.error(`✗ ${problem.trimEnd()}\n`)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`✓ ${names.join(', ')}: publint, attw and the contents of the tarball`)
}
