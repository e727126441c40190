import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { ask } from './recorded.ts'
import { server } from './usage.ts'

afterAll(() => server.close())

it('The README has the code of this test', async () => {
  const [readme, usage] = ['../README.md', './usage.ts'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  )
  expect(readme).toContain(`\`\`\`ts\n${usage}\`\`\``)
  const { url } = await server.listen(0, '127.0.0.1')
  const made = await ask(
    url,
    'mutation { createBook(data: { title: "Emma" }) { data { attributes { title } } } }',
  )
  expect(made.body).toEqual({ data: { createBook: { data: { attributes: { title: 'Emma' } } } } })
  const { body } = await ask(url, '{ books(sort: "title") { data { id attributes { title } } } }')
  expect(body).toEqual({ data: { books: { data: [{ id: '1', attributes: { title: 'Emma' } }] } } })
})
