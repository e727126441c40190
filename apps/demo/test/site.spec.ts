/**
 * The site of the library in Chromium. It is built here, so that the test does not depend on an earlier build.
 *
 * `OCTAVO_TEST_SCREENSHOTS` names a folder to which pictures of the pages are written.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@octavo/client'
import { importData, loadContentTypes } from '@octavo/core'
import { createServer } from '@octavo/server'
import { chromiumOptions, chromiumPath, createTestDatabase, runs } from '@octavo/testing'
import { violationsOf } from '@octavo/testing/violations'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const executablePath = chromiumPath()
const from = (place: string): string => fileURLToPath(new URL(place, import.meta.url))
const screenshots = process.env.OCTAVO_TEST_SCREENSHOTS

/** The demo on a database of its own, with the plugins and permissions of its configuration. */
async function openDemo() {
  await build({ configFile: from('../site/vite.config.ts') })
  const { default: config } = await import('../octavo.config.ts')
  const database = await createTestDatabase()
  const server = await createServer({
    ...loadContentTypes(from('../content')),
    database: database.url,
    rateLimit: false,
    plugins: config.plugins ?? [],
    middleware: config.middleware ?? [],
  })
  await importData(server.octavo, from('../data/library.json'))
  const { url } = await server.listen(0, '127.0.0.1')
  return {
    url,
    close: async () => {
      await server.close()
      await database.drop()
    },
  }
}

describe.runIf(executablePath)('the site of the library', () => {
  let demo: Awaited<ReturnType<typeof openDemo>>
  let browser: Browser
  beforeAll(async () => {
    demo = await openDemo()
    browser = await chromium.launch(chromiumOptions())
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.close()
  })

  /** A page, with its requests to the API, and everything that went wrong in it. */
  async function open(place: string) {
    const page = await (await browser.newContext({ viewport: { width: 1200, height: 900 } })).newPage()
    const requests: string[] = []
    const mistakes: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}`)
    })
    page.on('console', (message) => message.type() === 'error' && mistakes.push(message.text()))
    page.on('pageerror', (error) => mistakes.push(error.message))
    await page.goto(`${demo.url}/library${place}`)
    await page.locator('h1').waitFor()
    return { page, requests, mistakes }
  }

  const heading = (page: Page) => page.locator('h1').textContent()
  const shoot = async (page: Page, name: string): Promise<void> => {
    await page.waitForLoadState('networkidle')
    if (screenshots) await page.screenshot({ path: path.join(screenshots, `site-${name}.png`) })
  }

  it('has a front page with the featured books', async () => {
    const { page, requests, mistakes } = await open('')
    expect(await heading(page)).toBe('The Octavo Reading Room')
    expect(await page.locator('.card').count()).toBe(6)
    await shoot(page, 'front')
    expect(requests).toEqual(['GET /api/library'])
    expect(mistakes).toEqual([])
  })

  it('narrows the catalogue by facets, without another request, and keeps them in the address', async () => {
    const { page, requests } = await open('/books')
    const all = await page.locator('.card').count()
    expect(all).toBeGreaterThan(90)
    await page.getByRole('link', { name: /^Poetry \d+$/ }).click()
    await page.getByRole('link', { name: /^Persian \d+$/ }).click()
    await expect.poll(() => page.locator('.card').count()).toBeLessThan(10)
    const titles = await page.locator('.card h2').allTextContents()
    expect(titles).toContain('Shahnameh')
    expect(new URL(page.url()).search).toBe('?form=poetry&language=persian')
    expect(await page.getByRole('status').textContent()).toBe(`${titles.length} books`)
    expect(requests).toEqual(['GET /api/books'])
    await shoot(page, 'facets')
    await page.reload()
    await page.locator('h1').waitFor()
    expect(await page.locator('.card h2').allTextContents()).toEqual(titles)
    await page.goBack()
    await page
      .getByRole('status')
      .filter({ hasNotText: `${titles.length} books` })
      .waitFor()
  })

  it('finds books by title and author', async () => {
    const { page, requests } = await open('/books')
    await page.getByLabel('Search titles and authors').fill('woolf')
    await page.getByRole('button', { name: 'Find' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^\d books$/ })
      .waitFor()
    expect(await page.locator('.card h2').allTextContents()).toContain('Mrs Dalloway')
    expect(requests).toEqual(['GET /api/books', 'GET /api/books'])
    await page.getByLabel('Search titles and authors').fill('no such book')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByText('No book is like this.').waitFor()
  })

  it('shows a book with its cover and translations, in one request', async () => {
    const { page, requests, mistakes } = await open('/books')
    await page.getByRole('link', { name: 'The Odyssey' }).click()
    await page.getByRole('heading', { level: 1, name: 'The Odyssey' }).waitFor()
    // The page gives the focus after it is drawn.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    const cover = page.locator('img.cover')
    await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(600)
    await page.getByRole('heading', { name: 'Translations' }).waitFor()
    await shoot(page, 'book')
    expect(requests).toEqual(['GET /api/books', 'GET /api/books/2'])
    expect(mistakes).toEqual([])
  })

  it('switches the language of the pages, and of a book to its localization', async () => {
    const { page, requests } = await open('/books')
    await page.getByRole('link', { name: 'Français' }).click()
    await page.getByRole('heading', { name: 'Livres' }).waitFor()
    // The page tells its language after it is drawn.
    const language = () => page.evaluate(() => document.documentElement.lang)
    await expect.poll(language).toBe('fr')
    // A book that has no French localization is shown in English.
    await page.getByRole('heading', { name: 'L’Odyssée' }).waitFor()
    await page.getByRole('heading', { name: 'The Tale of Genji' }).waitFor()
    await page.getByRole('link', { name: 'L’Odyssée' }).click()
    await page.getByRole('link', { name: 'English: The Odyssey' }).click()
    await page.getByRole('heading', { level: 1, name: 'The Odyssey' }).waitFor()
    await expect.poll(language).toBe('en')
    expect(requests).toHaveLength(4)
  })

  it('shows drafts only after a login', async () => {
    const stranger = createClient({ url: demo.url }).entries('books')
    const drafts = { publicationState: 'preview', filters: { publishedAt: { $null: true } } } as const
    expect((await stranger.find(drafts)).data).toEqual([])
    const { page } = await open('/login')
    const form = page.locator('form', { hasText: 'Create an account' })
    await form.getByLabel('Name').fill('visitor')
    await form.getByLabel('Email address').fill('visitor@example.org')
    await form.getByLabel('Password').fill('short')
    await form.getByRole('button').click()
    await expect.poll(() => form.getByRole('alert').textContent()).toContain('at least')
    await form.getByLabel('Password').fill('Password123')
    await form.getByRole('button').click()
    await page.getByRole('link', { name: 'Show drafts' }).click()
    const draft = page.locator('.card', { hasText: 'The Kalevala' })
    await draft.getByText('Draft').waitFor()
    await draft.getByRole('link').click()
    await page.locator('article .badge').waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'There is no such page.' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('library'))).toBeNull()
  })

  it('reports pages that do not exist, and a server that does not answer', async () => {
    const { page } = await open('/nowhere')
    expect(await heading(page)).toBe('There is no such page.')
    await page.route('**/api/**', (route) => route.fulfill({ status: 500, body: 'a proxy' }))
    await page.getByRole('link', { name: 'Books' }).click()
    await page.getByRole('heading', { name: 'This did not work.' }).waitFor()
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.card').first().waitFor()
  })

  const looks = [
    ['light', 1200],
    ['dark', 390],
    ['dark', 1200],
    ['light', 390],
  ] as const
  // The first two have both colours and both widths.
  it.each(['', '/books', '/books?form=poetry', '/books/2', '/login', '/nowhere'])(
    'has no accessibility problems in both schemes and widths: %s',
    async (place) => {
      const { page } = await open(place)
      for (const [colorScheme, width] of looks.slice(0, runs(2, 4))) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 850 })
        const look = `${colorScheme} ${width}`
        expect([look, await violationsOf(page, { more: ['best-practice'] })]).toEqual([look, []])
        const needed = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(needed, look).toBeLessThanOrEqual(width)
        if (place === '/books' || place === '/books/2')
          await shoot(page, `${place.replaceAll('/', '-').slice(1)}-${colorScheme}-${width}`)
      }
      await page.context().close()
    },
  )
})

// The front ends of the examples have copies, because they are installed by themselves.
it.each([
  '../site/octavo-types.d.ts',
  '../../../examples/frontends/next/octavo-types.d.ts',
  '../../../examples/frontends/astro/src/octavo-types.d.ts',
])('the types in %s are those of the content', async (file) => {
  const { program } = await import('@octavo/cli')
  await program().parseAsync(
    ['types', '--config', from('../octavo.config.ts'), '--out', from(file), '--check'],
    { from: 'user' },
  )
  expect(readFileSync(from(file), 'utf8')).toContain("'api::book.book'")
})
