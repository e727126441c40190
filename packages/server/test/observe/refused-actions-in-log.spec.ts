/** The log of a request that is refused names the missing permission; its response does not. */
import { ForbiddenError } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

const readOnly = definePlugin({
  name: 'read-only',
  setup(host) {
    host.hook('server:authorize', ({ name }) => {
      if (name.endsWith('.create')) throw new ForbiddenError('read-only/forbidden', 'Forbidden')
    })
  },
})

let site: Site
beforeAll(async () => {
  site = await openSite({ plugins: [readOnly] })
})
afterAll(() => site?.close())

const lineOf = (method: string) =>
  site.log.findLast(({ message }) => message === `${method} /api/articles`)?.fields

it('The log names the refused action', async () => {
  const { status, text } = await site.api.post('/api/articles', { body: { data: { title: 'One' } } })
  expect(status).toBe(403)
  expect(text).not.toContain('article.create')
  expect(lineOf('POST')).toMatchObject({ status: 403, refused: 'api::article.article.create' })
})

it('The log names no action of a request that is answered', async () => {
  expect((await site.api.get('/api/articles')).status).toBe(200)
  expect(lineOf('GET')).not.toHaveProperty('refused')
})
