import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { silentLogger, unrestricted } from '@octavo/core'
import { type OpenApiOptions, openapi } from '@octavo/plugin-openapi'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server, type ServerOptions } from '@octavo/server'
import { chromiumOptions, chromiumPath, createClient, createTestDatabase } from '@octavo/testing'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface Site {
  readonly server: Server
  readonly url: string
  close(): Promise<void>
}

async function openSite(options: OpenApiOptions = {}, { plugins = [] }: ServerOptions = {}): Promise<Site> {
  const database = await createTestDatabase()
  const server = await createServer({
    database: database.url,
    logger: silentLogger,
    access: plugins.length > 0 ? 'read' : 'open',
    plugins: [openapi(options), ...plugins],
    contentTypes: [
      {
        kind: 'collectionType',
        info: {
          singularName: 'book',
          pluralName: 'books',
          displayName: 'Book',
          description: 'A printed book.',
        },
        attributes: {
          title: { type: 'string', required: true, description: 'As on the cover.', example: 'Emma' },
          year: { type: 'integer' },
          author: {
            type: 'relation',
            relation: 'manyToOne',
            target: 'api::author.author',
            inversedBy: 'books',
          },
        },
      },
      {
        kind: 'collectionType',
        info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
        attributes: {
          name: { type: 'string' },
          books: { type: 'relation', relation: 'oneToMany', target: 'api::book.book', mappedBy: 'author' },
        },
      },
    ],
  })
  const state = unrestricted('fills the test')
  for (const title of ['Emma', 'Middlemarch'])
    await server.octavo.entries('book', state).create({ title, year: 1815 })
  return {
    server,
    url: (await server.listen(0, '127.0.0.1')).url,
    close: async () => {
      await server.close()
      await database.drop()
    },
  }
}

describe('The page /docs', () => {
  let site: Site | undefined
  afterEach(async () => {
    vi.unstubAllEnvs()
    await site?.close()
    site = undefined
  })

  const answersOf = async (...paths: readonly string[]): Promise<readonly number[]> =>
    Promise.all(paths.map(async (path) => (await createClient(site?.url ?? '').get(path)).status))

  it('is there in development, with a description of everything, and is no part of it', async () => {
    site = await openSite()
    const api = createClient(site.url)
    const { headers, text } = await api.get('/docs')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(text).toContain('<title>Content API</title>')
    const { body } = await api.get('/docs/openapi.json')
    expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/api/books', '/api/authors/{id}']))
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/docs'))).toEqual([])
  })

  describe.each([
    ['through a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ['to another name of the machine', { host: 'library.example.org' }],
    ['from a page of another site', { origin: 'https://example.org' }],
  ])('for requests %s', (_, headers) => {
    /** `fetch` sets some of the headers itself. */
    const answerOf = async (path: string): Promise<{ readonly status?: number; readonly text: string }> => {
      const [response] = (await once(request(`${site?.url}${path}`, { headers }).end(), 'response')) as [
        IncomingMessage,
      ]
      return { status: response.statusCode ?? 0, text: await text(response) }
    }

    it('is refused in development, and shows no content-type', async () => {
      site = await openSite()
      for (const path of ['/docs', '/docs/openapi.json']) {
        const refused = await answerOf(path)
        expect(refused.status).toBe(403)
        expect(JSON.parse(refused.text).error.details.code).toBe('openapi/local-only')
        expect(refused.text).not.toContain('books')
      }
    })

    it('shows what the caller may use, with `page: true`', async () => {
      site = await openSite(
        { page: true },
        { plugins: [usersPermissions({ permissions: { public: ['api::book.book.find'] } })] },
      )
      expect((await answerOf('/docs')).status).toBe(200)
      const description = JSON.parse((await answerOf('/docs/openapi.json')).text)
      expect(Object.keys(description.paths)).toContain('/api/books')
      expect(Object.keys(description.paths)).not.toContain('/api/authors')
      expect(description.paths['/api/books']).not.toHaveProperty('post')
      // Requests from this machine see everything.
      const { body } = await createClient(site.url).get('/docs/openapi.json')
      expect(Object.keys(body.paths)).toContain('/api/authors')
    })
  })

  it('has a frame, and no links to pages that the server does not have', async () => {
    site = await openSite()
    const alone = (await createClient(site.url).get('/docs')).text
    expect([...alone.matchAll(/<a href="([^"]+)"/g)].map(([, to]) => to)).toEqual([
      '/docs',
      '/docs/openapi.json',
    ])
    for (const path of ['/docs/tokens.css', '/docs/bar.css', '/docs/style.css']) {
      expect(alone).toContain(`href="${path}"`)
      expect((await createClient(site.url).get(path)).headers.get('content-type')).toMatch(/^text\/css/)
    }
  })

  it('is not there in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    site = await openSite()
    expect(await answersOf('/docs', '/docs/start.js', '/docs/scalar.js', '/docs/openapi.json')).toEqual([
      404, 404, 404, 404,
    ])
    expect(await answersOf('/api/openapi.json')).toEqual([200])
  })

  it('shows the description in production, if it is on', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    site = await openSite({ page: true, info: { title: 'Books & more' } })
    expect(await answersOf('/docs', '/docs/openapi.json')).toEqual([200, 404])
    const api = createClient(site.url)
    expect((await api.get('/docs')).text).toContain('<title>Books &#38; more</title>')
    expect((await api.get('/docs/start.js')).text).toContain('"url": "/api/openapi.json"')
  })

  it('can be off', async () => {
    site = await openSite({ page: false })
    expect(await answersOf('/docs')).toEqual([404])
  })

  it('has its script with any encoding, as UTF-8, once', async () => {
    site = await openSite()
    const fetched = (encoding: string, etag = ''): Promise<Response> =>
      fetch(`${site?.url}/docs/scalar.js`, {
        headers: { 'accept-encoding': encoding, 'if-none-match': etag, 'cache-control': 'max-age=0' },
      })
    const texts = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) => {
        const answer = await fetched(encoding)
        expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
        expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding)
        return answer.text()
      }),
    )
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]?.length).toBeGreaterThan(4_000_000)
    for (const encoding of ['br', 'identity']) {
      const etag = (await fetched(encoding)).headers.get('etag') ?? ''
      expect((await fetched(encoding, etag)).status).toBe(304)
    }
  })
})

const executablePath = chromiumPath()

describe.runIf(executablePath)('The page /docs in Chromium', () => {
  let site: Site
  let browser: Browser
  /** One for all visits: the script of the page has 4 MB. */
  let context: BrowserContext

  beforeAll(async () => {
    site = await openSite({
      info: { title: 'Library', version: '2.1.0', description: 'Books and their authors.' },
    })
    browser = await chromium.launch(chromiumOptions())
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  interface Visit {
    readonly page: Page
    readonly requests: readonly URL[]
    /** Messages of the console but information: errors, and violations of the policy. */
    readonly complaints: readonly string[]
  }

  async function visit(colorScheme: 'light' | 'dark', part = ''): Promise<Visit> {
    const page = await context.newPage()
    await page.emulateMedia({ colorScheme })
    const requests: URL[] = []
    const complaints: string[] = []
    // Not by a route, which would leave the cache of the browser unused.
    page.on('request', (one) => requests.push(new URL(one.url())))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`policy: ${violatedDirective} ${blockedURI}`),
      )
    })
    await page.goto(`${site.url}/docs${part}`)
    // What is above the part is not drawn.
    if (part === '') await page.getByText('List entries of Book').first().waitFor()
    return { page, requests, complaints }
  }

  const background = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const root = document.querySelector('.scalar-app') ?? document.body
      return getComputedStyle(root).getPropertyValue('--scalar-background-1').trim()
    })

  it.each(['light', 'dark'] as const)(
    'renders in the %s scheme of the system, without another host or a complaint',
    async (scheme) => {
      const { page, requests, complaints } = await visit(scheme)
      await page.getByText('Books and their authors.').first().waitFor()
      await page.getByText('List entries of Book').first().click()
      await page.getByText('Query Parameters').first().waitFor()
      await page.getByText('filters', { exact: true }).first().waitFor()
      const isDark = () => page.evaluate(() => document.body.classList.contains('dark-mode'))
      await expect.poll(isDark).toBe(scheme === 'dark')
      await expect.poll(() => background(page)).not.toBe('')
      expect([...new Set(requests.map(({ origin }) => origin))]).toEqual([site.url])
      expect(complaints).toEqual([])
      await page.close()
    },
  )

  it('an address with a part of the page opens at that part, below the frame', async () => {
    const { page, complaints } = await visit('light', '#tag/author')
    const heading = page.getByRole('heading', { name: 'Author', exact: true }).first()
    await heading.waitFor()
    // It moves while the page scrolls, and while the parts above it are drawn.
    const isInPlace = async () => {
      const { y = 0 } = (await heading.boundingBox()) ?? {}
      return y > 48 && y < 300
    }
    await expect.poll(isInPlace).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('sends a request with nested filters to the server, and shows the answer', async () => {
    const { page, requests, complaints } = await visit('light')
    await page.getByText('List entries of Book').first().click()
    await page.locator('button', { hasText: 'Test Request' }).first().click()
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/books')
    await page.locator('button', { hasText: 'Send' }).first().click()
    const answer = await answered
    expect(answer.status()).toBe(200)
    const sent = requests.find(({ pathname }) => pathname === '/api/books')
    expect(sent?.searchParams.get('filters[title][$eq]')).toBe('Emma')
    expect(sent?.searchParams.get('pagination[pageSize]')).toBe('10')
    expect((await answer.json()).data).toMatchObject([{ attributes: { title: 'Emma' } }])
    await page.getByText('200 OK').first().waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
