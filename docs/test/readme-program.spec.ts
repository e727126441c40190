import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

it.each(['README.md', 'packages/server/README.md'])(
  '%s contains the program of examples/library-use',
  (page) => {
    // The export is only for the test of the example.
    const program = read('examples/library-use/src/main.ts').replace('export const server', 'const server')
    expect(read(page)).toContain(program.trim())
  },
)
