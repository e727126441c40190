/**
 * Lists the behaviour tests that may differ between the engines, one path per line: `.ci/run` runs them on PGlite too.
 *
 * - Tests of another database, or of none, are the same on both. A file uses the database of the run when it, or a helper that it
 *   imports by a relative path, has one of the names in `usesDatabase`.
 * - Both engines get the same statements. They differ in how these are sent and in a few features. So the tests of core and of the database
 *   are on the list, those of the server about reads, writes and limits, the recorded exchanges of the demo and of GraphQL, the rooms that
 *   editors manage, whose routes have transactions of their own, and a plugin's file that has its name or asks for the engine. HTTP, the
 *   command line and examples reach the database through these. All others are added with `--all`, each night.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const usesDatabase = /createTestDatabase|testEngine|serverUrl|OCTAVO_TEST_(?:ENGINE|DATABASE_URL)/
const relative = /['"](\.{1,2}\/[^'"]+\.[cm]?[jt]s)['"]/g

/** The packages themselves, which use no test database: `octavo generate` writes tests with these names. */
const source = /^packages\/[^/]+\/(?:src|dist)\//

const all = process.argv.includes('--all')

/** All tests of these are on the list. */
const telling =
  /^(?:packages\/(?:core|database|testing)\/|packages\/server\/test\/(?:database|limits|read|write)\/|apps\/demo\/test\/(?:compact|conformance)|packages\/plugin-graphql\/test\/exchanges|packages\/plugin-editors\/test\/managed)/

/** The command line: data in a folder that several processes open, one after the other. */
const ofCommands = 'packages/cli/test/transfer.spec.ts'

/** Pages in Chromium take long, and reach the database by the same server. */
const slow = /\/(?:browser|page|site)\.spec\.ts$/

function isListed(file) {
  if (all || file === ofCommands) return true
  if (slow.test(file)) return false
  if (telling.test(file)) return true
  const [group, folder] = file.split('/')
  if (group !== 'packages' || !folder.startsWith('plugin-')) return false
  const asksForEngine = readFileSync(path.join(root, file), 'utf8').includes('testEngine')
  return asksForEngine || path.basename(file) === `${folder.replace('plugin-', '')}.spec.ts`
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
