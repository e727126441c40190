import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const sources = globSync('{packages,examples}/*/src/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('node_modules'),
)
const reads = (file: string): string => readFileSync(`${root}${file}`, 'utf8')

/** The drivers take text: these files hand them the text of a compiled statement, or session commands. */
const drivers = /^packages\/(database\/src\/|testing\/|import-strapi\/src\/source\/)/

it('finds the sources', () => {
  expect(sources.length).toBeGreaterThan(300)
})

it('SQL is written with fragments: no call of query gets a text', () => {
  const texts = sources.filter((file) => !drivers.test(file) && /\.query\(\s*['"`]/.test(reads(file)))
  expect(texts).toEqual([])
})

it('fragments come from the module of packages/database: no query builder is beside it', () => {
  const others = sources.filter((file) => /from '(kysely|knex|slonik|postgres)'/.test(reads(file)))
  expect(others).toEqual([])
})
