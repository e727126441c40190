import { defineContentType, silentLogger } from '@octavo/core'
import { openapi } from '@octavo/plugin-openapi'
import { pages } from '@octavo/plugin-pages'
import { createServer, operatorToken } from '@octavo/server'
import { createClient } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite } from './site.ts'

type Site = Awaited<ReturnType<typeof openSite>>

describe('In development', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site.close())

  it('/ lists the content-types with their entries and the rights of requests without a token', async () => {
    const { status, headers, text } = await site.api.get('/')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const rows = [...text.matchAll(/<tr>\n<th scope="row">(.*?)<\/tr>/gs)].map(([, row = '']) =>
      row
        .replace(/<[^>]+>/g, '')
        .split('\n')
        .filter(Boolean),
    )
    expect(rows).toEqual([
      ['article /api/articles', '3', 'find, findOne', 'Query'],
      ['author /api/authors', '1', 'find', 'Query'],
      ['diary /api/diaries', '1', 'nothing', 'Query'],
    ])
    expect(text).toContain(`curl &#39;${site.url}/api/articles&#39;`)
  })

  it('/ draws the content-types with their relations', async () => {
    const { text } = await site.api.get('/')
    const picture = /<svg class="model"[\s\S]*?<\/svg>/.exec(text)?.[0] ?? ''
    expect([...picture.matchAll(/aria-label="(\w+), \d+ entries"/g)].map(([, name]) => name)).toEqual([
      'article',
      'author',
      'diary',
    ])
    expect([...picture.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
      'article.author leads to one author',
      'article.diary leads to one diary',
    ])
    expect(picture).not.toContain('NaN')
  })

  it('every address of / answers', async () => {
    const { text } = await site.api.get('/')
    const paths = [...text.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, path = '']) => path)
    expect(paths).toEqual(expect.arrayContaining(['/docs/query', '/_health/ready', '/docs/pages/style.css']))
    for (const path of new Set(paths))
      expect([path, (await site.api.get(path)).status]).toEqual([path, path === '/api/diaries' ? 403 : 200])
  })

  it('pages run their own files only, as UTF-8', async () => {
    for (const path of ['/', '/docs/query']) {
      const { headers, text } = await site.api.get(path)
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      )
      expect(text).not.toMatch(/<script>|<style|style=|https?:\/\/(?!127|localhost)/)
    }
    const script = await site.api.get('/docs/pages/query.js')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  it('every module that a page imports is served', async () => {
    const seen = new Set<string>()
    const visit = async (name: string): Promise<void> => {
      if (seen.has(name)) return
      seen.add(name)
      const { status, text } = await site.api.get(`/docs/pages/${name}`)
      expect([name, status]).toEqual([name, 200])
      for (const [, below = ''] of text.matchAll(/from '\.\/([\w-]+\.js)'/g)) await visit(below)
    }
    await visit('overview.js')
    await visit('query.js')
    expect(seen.size).toBeGreaterThan(8)
  })

  it('the query page has the model: operators by type, locales, and no private attribute', async () => {
    const { body } = await site.api.get('/docs/query/model.json')
    const article = body.types.find(({ uid }: { uid: string }) => uid === 'api::article.article')
    const names = article.attributes.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['id', 'title', 'author']))
    expect(names).not.toContain('secret')
    expect(article).toMatchObject({ path: '/api/articles', hasDrafts: true, isLocalized: false })
    const [id, title] = ['id', 'title'].map((name) =>
      article.attributes.find((one: { name: string }) => one.name === name),
    )
    expect(title.operators).toContain('$startsWith')
    expect(id.operators).not.toContain('$startsWith')
    expect(body.locales).toEqual(['en', 'fr'])
  })

  it.each(['/', '/docs/query', '/docs/query/model.json'])(
    '%s names nothing to requests from elsewhere',
    async (path) => {
      const { status, text } = await site.api.get(path, { headers: { 'X-Forwarded-For': '203.0.113.1' } })
      expect(status).toBe(403)
      expect(text).not.toMatch(/article|diary/i)
    },
  )

  it.each([
    ['Via', '1.1 edge'],
    ['Forwarded', 'for=203.0.113.1'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Something-New', '1'],
    ['CF-Connecting-IP', '203.0.113.1'],
    ['CF-Ray', '7a'],
    ['X-Real-IP', '203.0.113.1'],
    ['True-Client-IP', '203.0.113.1'],
  ])('S-40: a request with %s came through a proxy, and is not from this machine', async (name, value) => {
    for (const path of ['/', '/docs/query/model.json', '/api/articles?explain=true'])
      expect([path, (await site.api.get(path, { headers: { [name]: value } })).status]).toEqual([path, 403])
  })

  it('S-40: the token of this start opens the pages from elsewhere, by a cookie that other sites cannot use', async () => {
    const proxied = { 'X-Forwarded-For': '203.0.113.1' }
    const get = (path: string, headers = {}) => site.api.get(path, { headers: { ...proxied, ...headers } })
    const opened = await get(`/docs/query?token=${operatorToken()}`)
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/docs/query'])
    const [set = ''] = opened.headers.getSetCookie()
    expect(set).toMatch(/; path=\/; samesite=strict; httponly$/i)
    const cookie = set.slice(0, set.indexOf(';'))
    for (const path of ['/', '/docs/query', '/docs/query/model.json', '/api/articles?explain=true'])
      expect([path, (await get(path, { cookie })).status]).toEqual([path, 200])
    const { host } = new URL(site.url)
    expect((await get('/', { cookie, origin: `https://${host}` })).status).toBe(200)
    for (const foreign of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await get('/docs/query/model.json', { cookie, ...foreign })).status).toBe(403)
    for (const wrong of ['', 'x', `${operatorToken()}x`]) {
      expect((await get(`/?token=${wrong}`)).status).toBe(403)
      expect((await get('/', { cookie: `octavo_operator=${wrong}` })).status).toBe(403)
    }
  })

  it('the pages are no part of the description of the API, and link to it', async () => {
    const server = await createServer({ plugins: [openapi(), pages()], logger: silentLogger })
    try {
      const api = createClient((await server.listen(0, '127.0.0.1')).url)
      const { body } = await api.get('/api/openapi.json')
      expect(Object.keys(body.paths).filter((path) => /^\/(docs.*)?$/.test(path))).toEqual([])
      const { text } = await api.get('/')
      expect(text).toContain('href="/docs"')
      const links = [...(await api.get('/docs')).text.matchAll(/<a href="(\/[^"]*)"/g)].map(([, to]) => to)
      expect(links).toEqual(expect.arrayContaining(['/', '/docs/query', '/docs']))
      expect(text).toContain('There are no content-types yet.')
    } finally {
      await server.close()
    }
  })

  it('names and descriptions of content-types are text', async () => {
    const odd = defineContentType({
      kind: 'collectionType',
      info: { singularName: 'odd', pluralName: 'odds', displayName: '<img src=x onerror=alert(1)> & "more"' },
      attributes: {},
    })
    const server = await createServer({ contentTypes: { odd }, plugins: [pages()], logger: silentLogger })
    try {
      const { text } = await createClient((await server.listen(0, '127.0.0.1')).url).get('/')
      expect(text).not.toContain('<img')
      expect(text).toContain('&#60;img src=x')
    } finally {
      await server.close()
    }
  })

  it('a route of the program at / precedes the page', async () => {
    const server = await createServer({
      plugins: [pages()],
      logger: silentLogger,
      middleware: [
        async (context, next) => {
          if (context.path === '/') context.body = 'My site'
          else await next()
        },
      ],
    })
    try {
      const { text } = await createClient((await server.listen(0, '127.0.0.1')).url).get('/')
      expect(text).toBe('My site')
    } finally {
      await server.close()
    }
  })
})

describe('In production', () => {
  it('/ is a short JSON, and there are no pages', async () => {
    const site = await openSite({ development: false })
    try {
      expect((await site.api.get('/')).body).toEqual({ name: 'Octavo', api: '/api', health: '/_health' })
      for (const path of ['/docs/query', '/docs/query/model.json', '/docs/pages/query.js'])
        expect((await site.api.get(path)).status).toBe(404)
    } finally {
      await site.close()
    }
  })
})
