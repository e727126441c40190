import { definePlugin } from '@octavo/core/plugin'
import { describe, expect, it } from 'vitest'
import { openSite } from '../support/site.ts'

const error = (status: number, name: string) => ({
  data: null,
  error: { status, name, message: expect.any(String), details: expect.any(Object) },
})

describe('An internal error', () => {
  it('is a bare 500; the log names the plugin, the hook and the request', async () => {
    const broken = definePlugin({
      name: 'broken',
      setup: (octavo) =>
        octavo.hook('query:node', ({ use }) => {
          if (use === 'populate') throw new TypeError('select * from secrets')
          return undefined
        }),
    })
    const other = await openSite({ plugins: [broken] })
    const { status, text, headers } = await other.api.get('/api/articles?populate=author')
    expect(status).toBe(500)
    expect(JSON.parse(text)).toEqual(error(500, 'InternalServerError'))
    expect(text).not.toContain('secrets')
    const entry = other.log.find(({ level }) => level === 'error')
    expect(entry?.fields).toMatchObject({
      plugin: 'broken',
      hook: 'query:node',
      requestId: headers.get('x-request-id'),
    })
    await other.close()
  })

  it('of the database connection is 503, also for /_health', async () => {
    const other = await openSite()
    expect((await other.api.get('/_health')).status).toBe(204)
    await other.server.octavo.store.close()
    expect((await other.api.get('/_health')).status).toBe(503)
    await other.close()
  })
})
