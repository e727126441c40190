/**
 * Lists the behaviour tests that use the database of the run, one path per line: the others are the same on both engines, so
 * `.ci/run` runs them once. A file uses it when it, or a helper that it imports by a relative path, has one of the names below.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const usesDatabase = /createTestDatabase|testEngine|serverUrl|OCTAVO_TEST_(?:ENGINE|DATABASE_URL)/
const relative = /['"](\.{1,2}\/[^'"]+\.[cm]?[jt]s)['"]/g

/** The packages themselves, which use no test database: `octavo generate` writes tests with these names. */
const source = /^packages\/[^/]+\/(?:src|dist)\//

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
    if (/\.(?:test|spec)\.ts$/.test(file) && uses(path.join(root, file))) console.log(file)
  }
