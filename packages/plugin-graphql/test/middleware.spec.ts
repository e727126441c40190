/** Middleware of plugins around actions. */
import { ForbiddenError } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import type {} from '@octavo/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, login, type RecordedServer, recordedServer } from './recorded.ts'

const seen: unknown[] = []
const watch = definePlugin({
  name: 'watch',
  setup(host) {
    host.hook('server:middleware', (chain) =>
      chain.add('action', async (context, next, { name, type }) => {
        if (!type) return next()
        seen.push([name, context.method, context.path, (context.request as { body?: unknown }).body])
        if (name.endsWith('author.findOne')) throw new ForbiddenError('watch/refused', 'No authors.')
        await next()
      }),
    )
  },
})

let running: RecordedServer
let token: string
beforeAll(async () => {
  running = await recordedServer({}, [watch])
  token = await login(running.url)
})
afterAll(() => running.close())

it('Middleware around actions sees each root field as a request of REST, and can refuse it', async () => {
  const read = await ask(running.url, '{ author(id: 1) { data { id } } categories { data { id } } }', {
    token,
  })
  expect(read.body.data.author).toBeNull()
  expect(read.body.errors[0].extensions.code).toBe('FORBIDDEN')
  expect(read.body.data.categories.data.length).toBeGreaterThan(0)
  await ask(running.url, 'mutation { createTag(data: { name: "seen" }) { data { id } } }', { token })
  expect(seen).toEqual([
    ['api::author.author.findOne', 'GET', '/api/authors/1', {}],
    ['api::category.category.find', 'GET', '/api/categories', {}],
    ['api::tag.tag.create', 'POST', '/api/tags', { data: { name: 'seen' } }],
  ])
})
