import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { server } from './usage.ts'

afterAll(() => server.close())

it('The README has the code of this test', async () => {
  const [readme, usage] = ['../README.md', './usage.ts'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  )
  expect(readme).toContain(`\`\`\`ts\n${usage}\`\`\``)
  const { url } = await server.listen(0, '127.0.0.1')
  const page = await fetch(`${url}/desk`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('data-title="The Reading Room"')
})
