import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { docs } from './support/pages.ts'

it('The sidebar of the site has every page', () => {
  const config = readFileSync(new URL('../.vitepress/config.mts', import.meta.url), 'utf8')
  const linked = new Set([...config.matchAll(/page\('[^']+', '([^']+)'\)/g)].map(([, name]) => `${name}.md`))
  const pages = globSync('{*,api/*,contract/*,decisions/*,plugins/hooks/*}.md', { cwd: docs }).filter(
    (name) => name !== 'index.md',
  )
  expect(pages.length).toBeGreaterThan(50)
  expect(pages.filter((name) => !linked.has(name))).toEqual([])
})
