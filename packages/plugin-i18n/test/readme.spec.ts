import { readFileSync } from 'node:fs'
import { createClient } from '@octavo/testing'
import { afterAll, expect, it } from 'vitest'
import { server } from './usage.ts'

afterAll(() => server.close())

it('The README shows the program of this test', async () => {
  const [readme, usage] = ['../README.md', './usage.ts'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  )
  expect(readme).toContain(`\`\`\`ts\n${usage}\`\`\``)
  const api = createClient((await server.listen(0, '127.0.0.1')).url)
  const requests = [...String(usage).matchAll(/^\/\/ POST (\S+)\s+({.*}) /gm)]
  expect(requests).toHaveLength(2)
  for (const [, path, body] of requests)
    expect((await api.post(String(path), { body: JSON.parse(String(body)) })).status).toBe(200)
  const { data } = (await api.get('/api/posts?locale=fr&fields[0]=title&fields[1]=year')).body
  expect(data).toEqual([{ id: 2, attributes: { title: 'Emma, en français', year: 1815 } }])
})
