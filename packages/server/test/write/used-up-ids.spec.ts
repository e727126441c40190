import { sql } from '@octavo/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

it('A create fails with a clear error when the ids of its table are used up', async () => {
  // As after the import of an entry with the largest id.
  await site.server.octavo.store.run(sql`select setval(pg_get_serial_sequence('authors', 'id'), 2147483647)`)
  const { status, body, headers } = await site.api.post('/api/authors', { body: { data: { name: 'Last' } } })
  expect([status, body.error]).toEqual([
    503,
    {
      status: 503,
      name: 'ServiceUnavailableError',
      message: 'This table has no unused ids left; nothing was written.',
      details: { code: 'database/ids-used-up' },
    },
  ])
  expect(headers.get('retry-after')).toBeNull()
  expect((await site.api.get('/api/authors')).status).toBe(200)
})
