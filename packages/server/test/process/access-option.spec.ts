/** A server without a plugin that authorises requests. */
import { definePlugin } from '@octavo/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

const act = definePlugin({
  name: 'act',
  setup: (octavo) => {
    octavo.actions(() => [{ name: 'plugin::act.act' }])
    octavo.hook('server:routes', (routes) => {
      for (const method of ['GET', 'POST'] as const)
        routes.add({
          method,
          path: '/act',
          action: 'plugin::act.act',
          handler: (context) => {
            context.body = { done: true }
          },
        })
      routes.add({
        method: 'POST',
        path: '/hook',
        handler: (context) => {
          context.body = { done: true }
        },
      })
    })
  },
})

let site: Site
beforeAll(async () => {
  site = await openSite({ access: 'read', plugins: [act], api: { rest: { bulk: true } } })
})
afterAll(() => site.close())

describe('a server without a plugin that authorizes', () => {
  it('answers reads', async () => {
    expect((await site.api.get('/api/articles')).body.data).toHaveLength(3)
    expect((await site.api.get('/api/articles/1')).status).toBe(200)
    expect((await site.api.get('/api/act')).status).toBe(200)
    expect((await site.api.request('OPTIONS', '/api/articles')).status).toBe(204)
  })

  it.each([
    ['POST', '/api/articles', { data: { title: 'x' } }],
    ['PUT', '/api/articles/1', { data: { title: 'x' } }],
    ['DELETE', '/api/articles/1', undefined],
    ['PUT', '/api/homepage', { data: { title: 'x' } }],
    ['POST', '/api/articles/actions/bulk', { delete: [1] }],
    ['POST', '/api/act', {}],
  ])('refuses %s %s, and names the two ways on', async (method, path, body) => {
    const { status, body: answer } = await site.api.request(method, path, body ? { body } : {})
    expect([status, answer.error.details.code]).toEqual([403, 'access/read-only'])
    expect(answer.error.message).toContain('docs/rights.md')
    expect(answer.error.message).toContain("access: 'open'")
    expect((await site.api.get('/api/articles')).body.data).toHaveLength(3)
  })

  it('answers a plugin’s route without an action', async () => {
    expect((await site.api.post('/api/hook', { body: {} })).status).toBe(200)
  })

  it('logs its access at start, and listens on 127.0.0.1 only', async () => {
    const warning = site.log.find(({ level }) => level === 'warn')
    expect(warning?.message).toMatch(/No plugin decides who may do what.*writes are refused/)
    const { url, server } = await site.server.listen(0)
    expect(new URL(url).hostname).toBe('127.0.0.1')
    server.close()
  })

  it('allows writes with access: open', async () => {
    const open = await openSite({ access: 'open' })
    expect((await open.api.post('/api/articles', { body: { data: { title: 'x' } } })).status).toBe(200)
    await open.close()
  })
})

it('With a plugin that authorizes, access is ignored, and the server listens on every address', async () => {
  const guard = definePlugin({
    name: 'guard',
    setup: (octavo) => octavo.hook('server:authorize', () => {}),
  })
  const guarded = await openSite({ access: 'read', plugins: [guard] })
  expect((await guarded.api.post('/api/articles', { body: { data: { title: 'x' } } })).status).toBe(200)
  const { url, server } = await guarded.server.listen(0)
  expect(new URL(url).hostname).toBe('localhost')
  server.close()
  await guarded.close()
})
