import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

it('The table of sizes in the README is that of the last `pnpm footprint`', async () => {
  // Imported by its path: the tool is outside of this project, and its exports are as below.
  const { withTable } = (await import(at('tools/release/footprint-table.ts'))) as {
    readonly withTable: (readme: string, result: unknown) => string
  }
  const readme = readFileSync(at('README.md'), 'utf8')
  const result: unknown = JSON.parse(readFileSync(at('tools/release/footprint.json'), 'utf8'))
  expect(readme).toBe(withTable(readme, result))
})
