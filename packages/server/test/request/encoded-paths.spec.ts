/** S-26: the path of a request is decoded and normalised once, before anything reads it. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { ForbiddenError } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

/** Routes over a content-type, and an authorization by action: the targets of an unusual path. */
const gate = definePlugin({
  name: 'gate',
  setup: (octavo) => {
    octavo.actions(() => [{ name: 'plugin::gate.article' }])
    octavo.hook('server:routes', (routes) => {
      routes.add({
        method: 'GET',
        path: '/articles/:id',
        replaces: true,
        action: 'plugin::gate.article',
        handler: (context) => {
          context.body = { id: context.params.id }
        },
      })
      routes.add({
        method: 'GET',
        path: '/echo/:word',
        handler: (context) => {
          context.body = { word: context.params.word }
        },
      })
      routes.add({
        method: 'GET',
        path: '/:anything/figures',
        handler: (context) => {
          context.body = { figures: context.params.anything }
        },
      })
    })
    octavo.hook('server:authorize', ({ name }) => {
      if (name === 'plugin::gate.article') throw new ForbiddenError('test/forbidden', 'Forbidden')
    })
  },
})

let site: Site
let gated: Site
beforeAll(async () => {
  site = await openSite()
  gated = await openSite({ plugins: [gate] })
})
afterAll(async () => {
  await site.close()
  await gated.close()
})

/** Sends the path as it is written: `fetch` would resolve dots and encode characters. */
async function get({ url }: Site, path: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url)
  const [response] = (await once(request({ hostname, port, path }).end(), 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode ?? 0, text }
}

describe('S-26: an encoded path', () => {
  it.each([
    '/api/articles/%31',
    '/api/article%73/1',
    '/%61pi/articles/1',
    '/api/%41rticles/1/',
    '/api/articles/1?x=%2F',
  ])('%s is read as its decoded form', async (path) => {
    const { status, text } = await get(site, path)
    expect([status, JSON.parse(text).data?.id]).toEqual([200, 1])
  })

  it.each([
    '/api/articles/1',
    '/api/article%73/1',
    '/api/articles/%31',
    '/api/ARTICLE%53/1/',
    '/%61pi/%61rticles/1',
  ])('%s meets the route of the plugin that owns it', async (path) => {
    expect((await get(gated, path)).status).toBe(403)
  })

  it('matches a plugin’s route whose first segment is a parameter', async () => {
    expect(JSON.parse((await get(gated, '/api/%61uthors/figure%73')).text)).toEqual({ figures: 'authors' })
  })

  it.each([
    ['/api/echo/a%20b', 'a b'],
    ['/api/echo/caf%C3%A9', 'café'],
    ['/api/echo/a%3Fb%23c', 'a?b#c'],
    ['/api/echo/%2573', '%73'],
    ['/api/echo/100%25', '100%'],
    ['/api/echo/a:b@c', 'a:b@c'],
  ])('%s gives a plugin’s route the parameter "%s"', async (path, word) => {
    expect(JSON.parse((await get(gated, path)).text)).toEqual({ word })
  })

  it('is decoded once: /api/articles/%2531 is no id', async () => {
    expect((await get(site, '/api/articles/%2531')).status).toBe(404)
    expect((await get(site, '/api/article%2573/1')).status).toBe(404)
  })

  it('with a letter that only Unicode folds to an ASCII one is not found', async () => {
    // U+212A KELVIN SIGN in lower case is "k", U+017F in upper case is "S".
    expect((await get(site, '/api/article%C5%BF/1')).status).toBe(404)
    const books = await openSite({
      contentTypes: [
        {
          kind: 'collectionType',
          info: { singularName: 'article', pluralName: 'articles' },
          attributes: { title: { type: 'string' } },
        },
        {
          kind: 'collectionType',
          info: { singularName: 'author', pluralName: 'books' },
          attributes: { name: { type: 'string' } },
        },
      ],
    })
    expect((await get(books, '/api/books')).status).toBe(200)
    expect((await get(books, '/api/boo%E2%84%AAs')).status).toBe(404)
    await books.close()
  })

  it.each([
    '/api/articles/1%2F',
    '/api%2Farticles/1',
    '/api/articles%2f1',
    '/api/articles/1%5C',
    '/api/articles/1%00',
    '/api/articles/%0A1',
    '/api/articles/1%7F',
    '/api/articles/%',
    '/api/articles/%zz',
    '/api/articles/%C0%AE',
    '/api/articles/%ff',
    '//api/articles/1',
    '/api//articles/1',
    '/api/articles//1',
    '/api/articles/1//',
    '/api/./articles/1',
    '/api/x/../articles/1',
    '/api/%2e/articles/1',
    '/api/x/%2E%2e/articles/1',
    '/api/articles/1/.',
    '*',
  ])('%s is not found, on every server alike', async (path) => {
    for (const each of [site, gated]) {
      const { status, text } = await get(each, path)
      expect([status, JSON.parse(text).error.name]).toEqual([404, 'NotFoundError'])
    }
  })

  it('is logged in its normal form', async () => {
    await get(site, '/api/%41rticle%73/%32/?sort=title')
    expect(site.log.map(({ fields }) => (fields as { path?: string }).path)).toContain('/api/Articles/2')
  })

  it('however it is written, is answered as its plain form', async () => {
    const encodeSome = (text: string) =>
      fc
        .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
        .map((choices) =>
          [...text]
            .map((char, i) => (choices[i] && char !== '/' ? `%${char.charCodeAt(0).toString(16)}` : char))
            .join(''),
        )
    const plain = fc.constantFrom(
      '/api/articles/1',
      '/api/authors/1',
      '/api/echo/x',
      '/api/nothing',
      '/_health',
    )
    await fc.assert(
      fc.asyncProperty(
        plain.chain((path) => fc.tuple(fc.constant(path), encodeSome(path))),
        async ([path, written]) => {
          expect((await get(gated, written)).status).toBe((await get(gated, path)).status)
        },
      ),
      { numRuns: 100 },
    )
  })
})
