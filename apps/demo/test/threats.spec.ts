import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(`${root}docs/contract/threats.md`, 'utf8')
const numbers = [...page.matchAll(/^\| (S-\d\d) \|/gm)].map(([, number]) => number as string)
const titles = globSync('{packages,apps}/*/{src,test}/**/*.{spec,test}.ts', { cwd: root })
  .filter((file) => !file.includes('node_modules'))
  .flatMap((file) => [...readFileSync(root + file, 'utf8').matchAll(/S-\d\d/g)].map(([number]) => number))

/** A threat without a test: plugins are values that a program imports, and no folder is scanned for them. */
const byDesign = new Set(['S-21'])

describe('The threats of docs/contract', () => {
  it('are in the order of their numbers, each once', () => {
    expect(numbers).toEqual([...new Set(numbers)].sort())
    expect(numbers.length).toBeGreaterThanOrEqual(33)
  })

  it('each have a test that names the number', () => {
    expect(numbers.filter((number) => !titles.includes(number) && !byDesign.has(number))).toEqual([])
  })

  it('include every number that a test names', () => {
    expect([...new Set(titles)].filter((title) => !numbers.includes(title))).toEqual([])
  })
})
