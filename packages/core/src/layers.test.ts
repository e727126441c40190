import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const source = fileURLToPath(new URL('.', import.meta.url))
const page = fileURLToPath(new URL('../../../docs/architecture.md', import.meta.url))

/** The folders and files of core from the lowest layer to the highest, as the table of the page lists them. */
const layers = (/### Layers of core\n(.*?)\n#/s.exec(readFileSync(page, 'utf8'))?.[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([\w.-]+)`/g)].map(([, name = '']) => name))

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)

/** The folder below `src`, or the file itself. */
const layerOf = (file: string): string => file.split(path.sep)[0] ?? ''

/** The relative imports and exports of a file, type-only ones included. */
const importsOf = (file: string): readonly string[] =>
  [
    ...readFileSync(path.join(source, file), 'utf8').matchAll(
      /\b(?:from|import|import\(|declare module)\s*'(\.{1,2}\/[^']+)'/g,
    ),
  ].map(([, specifier = '']) => path.join(path.dirname(file), specifier))

describe('the layers of core in docs/architecture.md', () => {
  it('are every folder and file of core', () => {
    expect([...layers].sort()).toEqual([...new Set(files.map(layerOf))].sort())
  })

  it('import from lower layers only, types included', () => {
    const imports = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })))
    expect(imports.length).toBeGreaterThan(files.length)
    const upwards = imports.filter(
      ({ file, target }) => layers.indexOf(layerOf(target)) > layers.indexOf(layerOf(file)),
    )
    expect(upwards).toEqual([])
  })
})
