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

it.each(['express', 'fastify', 'koa', 'node-http'])(
  'docs/embedding.md contains the program in-%s of examples/embedding',
  (name) => {
    const program = read(`examples/embedding/src/in-${name}.ts`).replace(/^\/\*\* .* \*\/\n/m, '')
    expect(read('docs/embedding.md')).toContain(`\`\`\`ts\n// ${name}.ts\n${program}\`\`\``)
  },
)
