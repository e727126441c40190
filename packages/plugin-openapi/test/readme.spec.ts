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
  const { text } = await createClient((await server.listen(0, '127.0.0.1')).url).get('/api/openapi.json')
  const [, beginning = 'none'] = /openapi\.json +(.*),…/.exec(String(usage)) ?? []
  expect(text.startsWith(beginning)).toBe(true)
})
