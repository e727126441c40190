import { testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe('GET /_metrics', () => {
  it('has response times, the statement cache and the pool, and is off by default', async () => {
    expect((await site.api.get('/_metrics')).status).toBe(404)
    const other = await openSite({ metrics: true })
    const figure = async (name: string): Promise<number> => {
      const { text, headers } = await other.api.get('/_metrics')
      expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    }
    const [hits, misses] = [
      'octavo_statement_cache_hits_total',
      'octavo_statement_cache_misses_total',
    ] as const
    const before = [await figure(hits), await figure(misses)] as const
    for (let i = 0; i < 3; i++) await other.api.get('/api/articles?sort=views')
    await other.api.get('/api/articles?sort=nothing')
    expect([await figure(hits), await figure(misses)]).toEqual([before[0] + 2, before[1] + 2])
    const counted = (status: string) =>
      figure(`octavo_http_request_duration_seconds_count\\{method="GET",status="${status}"\\}`)
    expect(await counted('4xx')).toBe(1)
    expect(await counted('2xx')).toBeGreaterThan(3)
    if (testEngine() === 'postgresql')
      expect(await figure('octavo_database_connections_open')).toBeGreaterThan(0)
    await other.close()
  })
})
