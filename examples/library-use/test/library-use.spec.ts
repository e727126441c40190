import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { server } from '../src/main.ts'

afterAll(() => server.close())
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')

it('the READMEs contain the program', () => {
  // The export is only for this test.
  const program = read('../src/main.ts').replace('export const server', 'const server').trim()
  for (const page of ['../../../README.md', '../../../packages/server/README.md'])
    expect(read(page)).toContain(program)
})

it('answers at its address', async () => {
  const answer = await (await fetch('http://localhost:1337/api/articles')).json()
  expect(answer).toMatchObject({
    data: [{ id: 1, attributes: { title: 'First light' } }],
    meta: { pagination: { total: 1 } },
  })
})
