import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

const packages = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(path.join(packages, '../docs/architecture.md'), 'utf8')

/** The folders and files of a package from the lowest layer to the highest, as its table of the page lists them. */
const layersOf = (name: string): readonly string[] =>
  (new RegExp(`### Layers of ${name}\n(.*?)\n#`, 's').exec(page)?.[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) =>
      [...(line.split(' | ')[0] ?? '').matchAll(/`([\w.-]+)`/g)].map(([, layer = '']) => layer),
    )

const filesOf = (source: string): readonly string[] =>
  readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
  )

/** The folder below `src`, or the file itself. */
const layerOf = (file: string): string => file.split(path.sep)[0] ?? ''

/** The relative imports and exports of a file, type-only ones included. */
const importsOf = (source: string, file: string): readonly string[] =>
  [
    ...readFileSync(path.join(source, file), 'utf8').matchAll(
      /\b(?:from|import|import\(|declare module)\s*'(\.{1,2}\/[^']+)'/g,
    ),
  ].map(([, specifier = '']) => path.join(path.dirname(file), specifier))

/** The imports between the folders and files of a package. */
function importsOfLayers(source: string): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map<string, Set<string>>()
  for (const file of filesOf(source)) {
    const from = layerOf(file)
    const targets = imports.get(from) ?? new Set<string>()
    for (const target of importsOf(source, file)) if (layerOf(target) !== from) targets.add(layerOf(target))
    imports.set(from, targets)
  }
  return imports
}

/** The layers that can be ordered so that each imports from earlier ones only are taken away; the rest has cycles. */
function inCycles(imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  let rest = [...imports.keys()]
  for (;;) {
    const left = rest.filter((name) => rest.some((other) => imports.get(name)?.has(other)))
    if (left.length === rest.length) return rest.sort()
    rest = left
  }
}

/** Texts of the code that name a plugin of the repository, and its packages in comments as well. */
function namesOfPlugins(code: string): readonly string[] {
  const found = [...code.matchAll(/@octavo\/plugin-[\w-]+/g)].map(([name]) => name)
  const check = (text: string): void => {
    if (/users-permissions|draft-publish|\bi18n\b|\bplugin(?: |::|-)upload\b/.test(text)) found.push(text)
  }
  new Visitor({
    Literal: ({ value }) => (typeof value === 'string' ? check(value) : undefined),
    TemplateElement: ({ value }) => check(value.raw),
  }).visit(parseSync('code.ts', code).program)
  return found
}

const names = readdirSync(packages, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(path.join(packages, entry.name, 'src')))
  .map(({ name }) => name)

/** A folder, and each folder in it. */
const foldersIn = (source: string): readonly string[] => [
  source,
  ...readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => path.join(parentPath, name)),
]

describe('the folders of a package', () => {
  it.each(names)('%s have an order at each depth, in which each imports from earlier ones only', (name) => {
    const knots = foldersIn(path.join(packages, name, 'src')).flatMap((folder) =>
      inCycles(importsOfLayers(folder)).map((layer) => path.relative(packages, path.join(folder, layer))),
    )
    expect(knots).toEqual([])
  })

  it('are found to have none when two import each other', () => {
    const imports = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['b'])],
      ['d', new Set<string>()],
    ])
    expect(inCycles(imports)).toEqual(['a', 'b', 'c'])
  })
})

describe.each(['core', 'database', 'server'])('%s', (name) => {
  const source = path.join(packages, name, 'src')

  it('names no plugin in its texts, and no package of one at all', () => {
    const named = filesOf(source).flatMap((file) =>
      namesOfPlugins(readFileSync(path.join(source, file), 'utf8')).map((text) => `${file}: ${text}`),
    )
    expect(named).toEqual([])
  })
})

it('A name of a plugin in a text is found, and one in an example of a docstring is not', () => {
  expect(namesOfPlugins("const a = { media: 'the plugin upload' }")).toEqual(['the plugin upload'])
  expect(namesOfPlugins('throw `add plugin::upload.file`')).toEqual(['add plugin::upload.file'])
  expect(namesOfPlugins('/** `plugin::upload.file` */ const a = 1')).toEqual([])
  expect(namesOfPlugins('/** @octavo/plugin-upload */ const a = 1')).toEqual(['@octavo/plugin-upload'])
})

// Two folders of core have an order of their own, and so have the pages of the desk, which are a program of browsers.
describe.each(
  Object.entries({
    core: 'core/src',
    'content-type': 'core/src/content-type',
    write: 'core/src/write',
    database: 'database/src',
    server: 'server/src',
    'the desk': 'plugin-desk/src/browser',
  }),
)('the layers of %s in docs/architecture.md', (name, folder) => {
  const source = path.join(packages, folder)
  const layers = layersOf(name)
  const files = filesOf(source)

  it('are every folder and file of it', () => {
    expect([...layers].sort()).toEqual([...new Set(files.map(layerOf))].sort())
  })

  it('import from lower layers only, types included', () => {
    const imports = files.flatMap((file) => importsOf(source, file).map((target) => ({ file, target })))
    expect(imports.length).toBeGreaterThan(files.length)
    const upwards = imports.filter(
      ({ file, target }) => layers.indexOf(layerOf(target)) > layers.indexOf(layerOf(file)),
    )
    expect(upwards).toEqual([])
  })
})
