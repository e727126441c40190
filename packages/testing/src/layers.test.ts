import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
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
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
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

describe.each(['core', 'database'])('the layers of %s in docs/architecture.md', (name) => {
  const source = path.join(packages, name, 'src')
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
