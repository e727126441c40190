import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromiumOptions, chromiumPath, runs } from '@octavo/testing'
import { type Rules, violationsOf } from '@octavo/testing/violations'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docs } from '../test/support/pages.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Serves the files of a folder. */
function serve(folder: string): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const file = path.join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    try {
      const content = readFileSync(file)
      response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream')
      response.end(content)
    } catch {
      response.writeHead(404).end()
    }
  })
}

/** Pages of every kind, which are the first five: the home page, with answers, a diagram, tables, and code and a table. */
const pages = [
  'index',
  'start',
  'rights',
  'operators',
  'plugins/hooks/entry-published',
  'configuration',
  'content-types',
  'endpoints',
  'errors',
  'why',
].slice(0, runs(5, 10))

const wide = { width: 1280, height: 900 }
const narrow = { width: 360, height: 740 }

const executablePath = chromiumPath()
/** The folder of a site that is built already. Default: it is built here. */
const built = process.env.OCTAVO_TEST_SITE
/** A folder for screenshots of all pages, to look at. Default: none are made. */
const screenshots = process.env.OCTAVO_TEST_SCREENSHOTS

describe.runIf(executablePath)('The documentation site in Chromium', () => {
  let folder: string
  let server: Server
  let url: string
  let browser: Browser
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'octavo-site-'))
    if (!built) execFileSync('npx', ['vitepress', 'build', '--outDir', folder], { cwd: docs })
    server = serve(built ?? folder).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    browser = await chromium.launch(chromiumOptions())
  })
  afterAll(async () => {
    await browser.close()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens a context whose requests are noted. */
  async function open(): Promise<{ context: BrowserContext; requested: string[] }> {
    const context = await browser.newContext({
      colorScheme: 'light',
      viewport: wide,
      reducedMotion: 'reduce',
    })
    const requested: string[] = []
    context.on('request', (request) => requested.push(request.url()))
    return { context, requested }
  }

  it.each(pages)('%s is accessible, fits the screen and asks no other host', async (name) => {
    const { context, requested } = await open()
    const page = await context.newPage()
    const mistakes: string[] = []
    page.on('pageerror', (error) => mistakes.push(String(error)))
    const check = async (look: string, rules?: Rules): Promise<void> => {
      // Colours on the way to others have too little contrast.
      await page.waitForFunction('document.getAnimations().every(({ playState }) => playState !== "running")')
      if (screenshots) await page.screenshot({ path: path.join(screenshots, `${name}-${look}.png`) })
      for (const [rule, ...elements] of await violationsOf(page, rules))
        mistakes.push(`${look}: ${rule}: ${elements.slice(0, 3).join(' ')}`)
      const tooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      if (tooWide === true) mistakes.push(`${look}: the page is wider than the screen`)
    }
    // The button of VitePress for the search shows its keys beside the word that is its name.
    const guidelines = { without: ['label-content-name-mismatch'] }
    await page.goto(`${url}/${name}.html`, { waitUntil: 'networkidle' })
    await check('light', guidelines)
    await page.setViewportSize(narrow)
    await check('narrow', guidelines)
    // The elements are the same in the other colours.
    await page.setViewportSize(wide)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html.dark').waitFor()
    await check('dark', { rules: ['color-contrast'] })
    expect(mistakes).toEqual([])
    expect(requested.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual(
      [],
    )
    await context.close()
  })

  it('finds a word by its search, offline', async () => {
    const { context } = await open()
    const page = await context.newPage()
    await page.goto(`${url}/index.html`, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('owner rules')
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('option').count()).toBeGreaterThan(0)
    if (screenshots) await page.screenshot({ path: path.join(screenshots, 'search.png') })
    await context.close()
  })
})
