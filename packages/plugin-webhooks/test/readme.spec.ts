import { readFileSync } from 'node:fs'
import { createClient } from '@octavo/testing'
import { expect, it, vi } from 'vitest'
import { secretOf, startReceiver } from './receiver.ts'

it('The README has the code of this test', async () => {
  const [readme, usage] = ['../README.md', './usage.ts'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  )
  expect(readme).toContain(`\`\`\`ts\n${usage}\`\`\``)
  const receiver = await startReceiver()
  vi.stubEnv('SITE_HOOK', receiver.url)
  vi.stubEnv('SITE_SECRET', secretOf(1))
  const { server } = await import('./usage.ts')
  try {
    const api = createClient((await server.listen(0, '127.0.0.1')).url)
    await api.post('/api/posts', { body: { data: { title: 'Emma' } } })
    const [request] = await receiver.arrived(1)
    expect(request?.body).toMatchObject({
      event: 'entry.create',
      model: 'post',
      uid: 'api::post.post',
      entry: { id: 1, title: 'Emma' },
    })
  } finally {
    vi.unstubAllEnvs()
    await server.close()
    await receiver.close()
  }
})
