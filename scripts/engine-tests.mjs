/**
 * Lists the behaviour tests that may differ between the engines, one path per line: `.ci/run` runs them on PGlite too.
 *
 * - Tests of another database, or of none, are the same on both. A file uses the database of the run when it, or a helper that it
 *   imports by a relative path, has one of the names in `usesDatabase`.
 * - Both engines get the same statements. They differ in how these are sent and in a few features, so the tests of core, of
 *   the server and of the demo, and files that ask for the engine, are on the list; of each plugin and example, those are that have
 *   its name. The others are added with `--all`, each night.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const usesDatabase = /createTestDatabase|testEngine|serverUrl|OCTAVO_TEST_(?:ENGINE|DATABASE_URL)/
const relative = /['"](\.{1,2}\/[^'"]+\.[cm]?[jt]s)['"]/g

/** The packages themselves, which use no test database: `octavo generate` writes tests with these names. */
const source = /^packages\/[^/]+\/(?:src|dist)\//

const all = process.argv.includes('--all')

/** Whose tests are all on the list. */
const tellingFolders = /^(?:packages\/(?:core|database|server)|apps\/demo)\//

/** Pages in Chromium and generated files take minutes, and reach the database by the same server. */
const slow = /\/(?:browser|page|create|generate|openapi|token|site)\.spec\.ts$/

function isListed(file) {
  if (all) return true
  if (slow.test(file)) return false
  if (tellingFolders.test(file) || readFileSync(path.join(root, file), 'utf8').includes('testEngine'))
    return true
  const [, folder] = file.split('/')
  return path.basename(file) === `${folder.replace('plugin-', '')}.spec.ts`
}

/** Whether a module has one of the names, or a module that it names. */
function uses(file, seen = new Set()) {
  if (seen.has(file) || source.test(path.relative(root, file)) || !existsSync(file)) return false
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (usesDatabase.test(text)) return true
  return [...text.matchAll(relative)].some(([, name]) => uses(path.join(path.dirname(file), name), seen))
}

const folders = ['packages', 'apps', 'examples'].flatMap((group) =>
  readdirSync(path.join(root, group)).map((name) => path.join(group, name, 'test')),
)
for (const folder of [...folders, 'docs/test'].filter((name) => existsSync(path.join(root, name))))
  for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = path.join(folder, name)
    if (/\.(?:test|spec)\.ts$/.test(file) && isListed(file) && uses(path.join(root, file))) console.log(file)
  }
