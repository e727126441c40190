/**
 * `pnpm test:changed [branch]`: runs the tests that the changes since a branch (default `main`) can reach, those not committed
 * included:
 *
 * - tests whose imports lead to a changed module, also through other packages of the workspace
 * - tests that name a changed file which is no module, such as a page of the documentation or a fixture
 * - tests that read the sources of all packages as text, such as the one for layers
 * - tests that start the built `octavo`, or another program of `dist`, of a package that depends on a changed one; the packages are
 *   built first
 *
 * A change of the lock file or of vitest's configuration reaches all tests.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pnpm } from './pnpm.mjs'

process.chdir(path.join(import.meta.dirname, '..'))

const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean)
const [base] = git('merge-base', process.argv[2] ?? 'main', 'HEAD')
const changed = [
  ...git('diff', '--name-only', base),
  ...git('ls-files', '--others', '--exclude-standard'),
].filter((file) => existsSync(file))

const isModule = (file) => /\.[cm]?[jt]s$/.test(file)
const tests = git('ls-files', '-co', '--exclude-standard')
  .filter((file) => /\/(?:src|test)\/.*\.(?:test|spec)\.ts$/.test(file) && existsSync(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

/** Tests with the name of a changed file in their text. */
function namesOne({ text }) {
  const names = changed.filter((file) => !isModule(file)).map((file) => path.basename(file))
  return names.some((name) => name !== 'package.json' && text.includes(name))
}

/** Tests that look through files of the workspace, which no import shows. */
const readsAll = ({ text }) => /globSync\(|readdirSync\(packages/.test(text)

/** Tests that start a program of `dist`, in the packages that changed or depend on those. */
function startsOne({ file, text }) {
  return /dist\/|\/launch\.ts/.test(text) && reached.has(file.split('/').slice(0, 2).join('/'))
}
const reached = reachedFolders()

function reachedFolders() {
  const folders = ['packages', 'apps', 'examples']
    .flatMap((group) => readdirSync(group).map((name) => `${group}/${name}`))
    .filter((folder) => existsSync(`${folder}/package.json`))
  const manifests = new Map(
    folders.map((folder) => [folder, JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))]),
  )
  const found = new Set(folders.filter((folder) => changed.some((file) => file.startsWith(`${folder}/src/`))))
  for (const folder of found)
    for (const [other, { dependencies, devDependencies, peerDependencies }] of manifests)
      if ({ ...dependencies, ...devDependencies, ...peerDependencies }[manifests.get(folder).name])
        found.add(other)
  return found
}

if (changed.length === 0) console.log(`Nothing differs from ${base}`)
else {
  const files = [
    ...changed.filter(isModule),
    ...tests.filter((test) => namesOne(test) || startsOne(test) || readsAll(test)).map(({ file }) => file),
  ]
  const isForAll = changed.some((file) => /^(?:pnpm-lock\.yaml|vitest\.config\.ts)$/.test(file))
  const built = tests.some(startsOne) ? pnpm('run', 'build') : 0
  const words = isForAll ? ['run'] : ['related', '--run', '--passWithNoTests', ...files]
  const vitest = path.join('node_modules', 'vitest', 'vitest.mjs')
  process.exitCode =
    built || (spawnSync(process.execPath, [vitest, ...words], { stdio: 'inherit' }).status ?? 1)
}
