import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const core = path.join(root, 'packages/core/src')

/** The names that an entry of core exports. */
const namesOf = (file: string): readonly string[] =>
  [...readFileSync(path.join(core, file), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(
    ([, list = '']) =>
      list
        .split(',')
        .map((item) => item.trim().replace(/^type /, ''))
        .filter(Boolean),
  )

/** Pages, examples, and the sources that write new projects. */
const forUsers = [
  'docs/*.md',
  'docs/plugins/**/*.md',
  'examples/*/{README.md,src/**/*.ts}',
  'packages/create-octavo/src/**/*.ts',
].flatMap((pattern) => globSync(pattern, { cwd: root }))

it('A name is exported by one entry of core', () => {
  const names = ['index.ts', 'for-plugins.ts', 'internal.ts'].flatMap(namesOf)
  expect(names.length).toBeGreaterThan(200)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

it('No page, example or generated file imports an internal entry', () => {
  expect(forUsers.length).toBeGreaterThan(100)
  const isPlace = (file: string): boolean => file === path.join('docs', 'architecture.md')
  const importing = forUsers.filter((file) =>
    readFileSync(path.join(root, file), 'utf8').includes('/internal'),
  )
  expect(importing.filter((file) => !isPlace(file))).toEqual([])
})
