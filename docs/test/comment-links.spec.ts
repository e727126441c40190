/** Comments and messages cite pages of the documentation by their path from the root: `docs/contract/reading.md#sort`. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folders = ['packages', 'apps', 'examples', 'bench', 'docs/test', 'scripts', 'tools', 'conformance']

/** The anchors of a page, as GitHub makes them of its headings. */
function anchors(page: string): Set<string> {
  const headings = readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm)
  const anchor = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
  return new Set([...headings].map(([, heading = '']) => anchor(heading)))
}

it('every page and heading that a source cites exists', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const broken: string[] = []
  let count = 0
  for (const file of files.split('\n').filter((name) => /\.(?:ts|tsx|mjs)$/.test(name))) {
    if (!existsSync(join(root, file))) continue
    const text = readFileSync(join(root, file), 'utf8')
    for (const [link, page = '', heading] of text.matchAll(/(?<![\w/.])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)) {
      count += 1
      if (!existsSync(join(root, page)) || (heading !== undefined && !anchors(page).has(heading)))
        broken.push(`${file}: ${link}`)
    }
  }
  expect(broken).toEqual([])
  expect(count).toBeGreaterThan(40)
})
