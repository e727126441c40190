import { readFileSync } from 'node:fs'
import { createClient } from '@octavo/testing'
import { afterAll, expect, it } from 'vitest'
import { server } from './usage.ts'

afterAll(() => server.close())

it('The README has the code of this test', async () => {
  const [readme, usage] = ['../README.md', './usage.ts'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  )
  expect(readme).toContain(`\`\`\`ts\n${usage}\`\`\``)
  const api = createClient((await server.listen(0, '127.0.0.1')).url)
  const first = (await api.get('/api/_changes')).body
  expect(first).toEqual({ data: [], meta: { cursor: '0', hasMore: false } })
  await api.post('/api/posts', { body: { data: { title: 'Emma' } } })
  expect((await api.get('/api/_changes?since=0')).body).toEqual({
    data: [{ kind: 'created', type: 'api::post.post', id: 1, at: expect.any(String) }],
    meta: { cursor: expect.stringMatching(/^1-\d+$/), hasMore: false },
  })
})
