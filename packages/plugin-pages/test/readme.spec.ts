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
  const { pruned } = (await api.get('/api/posts?explain=true')).body
  expect(pruned).toContainEqual(
    expect.objectContaining({ kind: 'hidden', by: 'definition', attribute: 'notes' }),
  )
})
