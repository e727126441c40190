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
  expect((await api.get('/api/posts')).body.data).toEqual([])
  expect((await api.get('/api/posts?publicationState=preview')).body.data).toHaveLength(1)
})
