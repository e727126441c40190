import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { Person, password } from './desk.ts'
import { server } from './usage.ts'

afterAll(() => server.close())

it('The README has the code of this test', async () => {
  const [readme, usage] = ['../README.md', './usage.ts'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  )
  expect(readme).toContain(`\`\`\`ts\n${usage}\`\`\``)
  const { url } = await server.listen(0, '127.0.0.1')
  const printed: string[] = []
  const { octavo } = server
  await octavo.commands
    .get('editors create')
    ?.run(octavo, new Set(), (line) => printed.push(line), ['ada@example.org'])
  const ada = new Person(url)
  await ada.post('accept', { token: printed[1]?.split('#')[1], password })
  expect((await ada.post('login', { email: 'ada@example.org', password })).status).toBe(200)
  expect((await ada.get('content/books')).body).toEqual({
    data: [],
    meta: { pagination: { page: 1, pageSize: 25, pageCount: 0, total: 0 } },
  })
})
