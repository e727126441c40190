import { PluginError } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { describe, expect, it } from 'vitest'
import { openSite } from '../support/site.ts'

describe('The routes of plugins', () => {
  it('have parameters, bodies and methods of their own', async () => {
    const echo = definePlugin({
      name: 'echo',
      setup: (octavo) =>
        octavo.hook('server:routes', (routes) => {
          routes.add({
            method: 'GET',
            path: '/echo/:word',
            handler: (context) => {
              context.body = { word: context.params.word }
            },
          })
          routes.add({
            method: 'POST',
            path: '/echo',
            body: 'fields',
            handler: (context) => {
              context.body = (context.request as { body?: unknown }).body ?? {}
            },
          })
        }),
    })
    const other = await openSite({ plugins: [echo] })
    expect((await other.api.get('/api/Echo/hi/')).body).toEqual({ word: 'hi' })
    for (const body of [{ a: [1] }, [{ a: 1 }, 2], []])
      expect((await other.api.post('/api/echo', { body })).body).toEqual(body)
    expect((await other.api.post('/api/echo')).body).toEqual({})
    const refused = await other.api.delete('/api/echo/hi')
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    await other.close()
  })

  it('are found by their exactness, in whichever order plugins come; the start names them', async () => {
    const own = (name: string, path: string) =>
      definePlugin({
        name,
        setup: (octavo) =>
          octavo.hook('server:routes', (routes) =>
            routes.add({
              method: 'PUT',
              path,
              handler: (context) => {
                context.body = { name, ...context.params }
              },
            }),
          ),
      })
    const plugins = [own('people', '/people/:id'), own('profile', '/people/me'), own('all', '/:any/me')]
    for (const listed of [plugins, plugins.toReversed()]) {
      const other = await openSite({ plugins: listed })
      const answer = async (path: string) => (await other.api.put(path, { body: {} })).body
      expect(await answer('/api/people/me')).toEqual({ name: 'profile' })
      expect(await answer('/api/People/ME')).toEqual({ name: 'profile' })
      expect(await answer('/api/people/7')).toEqual({ name: 'people', id: '7' })
      expect(await answer('/api/birds/me')).toEqual({ name: 'all', any: 'birds' })
      const said = other.log.map(({ message }) => message).filter((line) => line.includes('more exact'))
      expect(said).toContain(
        'PUT /api/people/me of the plugin "profile" answers requests that /api/people/:id of the plugin "people" matches too, since it is the more exact path',
      )
      expect(said).toHaveLength(3)
      await other.close()
    }
  })

  it('have precedence over content endpoints of the same path', async () => {
    const count = definePlugin({
      name: 'count',
      setup: (octavo) =>
        octavo.hook('server:routes', (routes) =>
          routes.add({
            method: 'GET',
            path: '/articles/count',
            handler: (context) => {
              context.body = { count: 3 }
            },
          }),
        ),
    })
    const other = await openSite({ plugins: [count] })
    for (const path of ['/api/articles/count', '/api/Articles/COUNT', '/api/articles/count/'])
      expect((await other.api.get(path)).body).toEqual({ count: 3 })
    expect((await other.api.get('/api/articles/1')).body.data.id).toBe(1)
    expect((await other.api.get('/api/articles')).body.data).toHaveLength(3)
    expect((await other.api.put('/api/articles/count', { body: { data: {} } })).status).toBe(404)
    await other.close()
  })

  it('may not register one route twice', async () => {
    const claims = (name: string) =>
      definePlugin({
        name,
        setup: (o) =>
          o.hook('server:routes', (r) => r.add({ method: 'GET', path: '/mine', handler: () => {} })),
      })
    const database = await createTestDatabase()
    const start = createServer({ database: database.url, plugins: [claims('first'), claims('second')] })
    await expect(start).rejects.toThrow(PluginError)
    await expect(start).rejects.toThrow(/second.*GET \/api\/mine.*"first"/)
    await database.drop()
  })
})
