import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin } from '@octavo/core/plugin'
import { createServer } from '@octavo/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

/** Whether something listens at the address. */
async function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe('Options', () => {
  it.each(['/content/', '/'])('api.rest.prefix may be %s', async (prefix) => {
    const other = await openSite({ api: { rest: { prefix } } })
    const { status } = await other.api.get(`${prefix}articles/1`)
    expect(status).toBe(200)
    await other.close()
  })

  it('api.rest.prefix is a path', async () => {
    for (const prefix of ['api', '/a b', '/:x', '//'])
      await expect(createServer({ api: { rest: { prefix } } })).rejects.toThrow(/api\.rest\.prefix/)
  })

  it('api.rest sets the prefix, page sizes and totals', async () => {
    const other = await openSite({
      api: { rest: { prefix: '/content', defaultLimit: 1, maxLimit: 2, withCount: false } },
    })
    expect((await other.api.get('/content/articles')).body.meta).toEqual({
      pagination: { page: 1, pageSize: 1 },
    })
    expect((await other.api.get('/content/articles?pagination[limit]=-1')).body.meta).toEqual({
      pagination: { start: 0, limit: 2 },
    })
    expect((await other.api.get('/api/articles')).status).toBe(404)
    await other.close()
  })

  it('api.rest.bulk adds the bulk route, all or nothing', async () => {
    expect(
      (await site.api.post('/api/authors/actions/bulk', { body: { create: [{ name: 'B' }] } })).status,
    ).toBe(404)
    const other = await openSite({ api: { rest: { bulk: true } } })
    const bulk = (body: object) => other.api.post('/api/authors/actions/bulk', { body })
    const done = await bulk({ create: [{ name: 'B1' }, { name: 'B2' }], update: [{ id: 1, name: 'Ada L' }] })
    expect(done.body).toEqual({
      data: { created: [expect.any(Number), expect.any(Number)], updated: [1], deleted: [] },
      meta: {},
    })
    const failed = await bulk({ create: [{ name: 'B3' }, { name: 'B1' }], delete: [1] })
    expect(failed.status).toBe(400)
    expect(failed.body.error.details.errors[0].path).toEqual(['create', '1', 'name'])
    expect(
      (await other.api.get('/api/authors?sort=id&fields=name')).body.data.map(
        (e: { attributes: { name: string } }) => e.attributes.name,
      ),
    ).toEqual(['Ada L', 'B1', 'B2'])
    await other.close()
  })
})

describe('A running server', () => {
  it('has the endpoints of an added content-type at once', async () => {
    expect((await site.api.get('/api/tags')).status).toBe(404)
    await site.server.addContentType({
      kind: 'collectionType',
      info: { singularName: 'tag', pluralName: 'tags' },
      attributes: { name: { type: 'string' } },
    })
    expect((await site.api.get('/api/tags')).body.data).toEqual([])
    expect(
      (await site.api.post('/api/tags', { body: { data: { name: 'new' } } })).body.data.attributes.name,
    ).toBe('new')
  })

  it('answers requests in flight before it stops, and accepts no new ones', async () => {
    let arrived: (() => void) | undefined
    let release: (() => void) | undefined
    const reached = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = definePlugin({
      name: 'slow',
      setup: (octavo) =>
        octavo.hook('server:authorize', async () => {
          arrived?.()
          await held
        }),
    })
    const other = await openSite({ plugins: [slow] })
    const answer = once(request(`${other.url}/api/articles`).end(), 'response')
    await reached
    const closing = other.close()
    // Who connects before nothing listens is answered as well.
    while (await accepts(other.url)) await sleep(50)
    release?.()
    const [response] = await answer
    expect(response.statusCode).toBe(200)
    response.resume()
    await closing
  })
})
