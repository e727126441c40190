/** The README and the guide have programs that compile, run, and print the shown output. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openSite, type Site } from './site.ts'

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')
const blocks = (text: string): readonly string[] =>
  [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
const regions = (text: string): readonly string[] =>
  [...text.matchAll(/^\/\/ #region .*\n([\s\S]*?)^\/\/ #endregion$/gm)].map(([, code = '']) => code)
const expected = (text: string): readonly string[] =>
  [...text.matchAll(/^\/\/ → (.*)$/gm)].map(([, line = '']) => line)

let site: Site
beforeAll(async () => {
  site = await openSite()
  const { octavo } = site.server
  const [authors, articles, homepage] = (['author', 'article', 'homepage'] as const).map((name) =>
    octavo.entries(name as 'author', site.operator),
  )
  await authors?.create({ name: 'Ada' })
  for (const [title, views, form] of [
    ['First light', 20, 'news'],
    ['Second light', 30, 'review'],
  ])
    await articles?.create({ title, views, form, author: 1 } as never)
  await homepage?.create({ title: 'Welcome' } as never)
  // The programs name the address of a server on the default port.
  const real = globalThis.fetch
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    real(url.replace('http://localhost:1337', site.url), init),
  )
  await fetch('http://localhost:1337/api/auth/local/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ada', email: 'ada@example.org', password: 'Password123' }),
  })
})
afterAll(() => {
  vi.unstubAllGlobals()
  return site.close()
})

it.each([
  ['../README.md', './snippets/readme.ts', (text: string) => [text], () => import('./snippets/readme.ts')],
  ['../../../docs/client.md', './snippets/guide.ts', regions, () => import('./snippets/guide.ts')],
])('%s', async (page, program, partsOf, run) => {
  const shown = blocks(read(page))
  expect(shown).toEqual(partsOf(read(program)))
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
    printed.push(values.join(' '))
  })
  try {
    await run()
  } finally {
    log.mockRestore()
  }
  expect(printed).toEqual(shown.flatMap(expected))
})
