import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { chromiumPath } from '@octavo/testing'
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

/** Pages of every kind: with diagrams, long tables, code, answers, and the home page. */
const pages = [
  'index',
  'start',
  'rights',
  'content-types',
  'configuration',
  'operators',
  'endpoints',
  'why',
  'errors',
  'plugins/hooks/entry-published',
]

const screens = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  narrow: { colorScheme: 'light', viewport: { width: 360, height: 740 } },
} as const

const executablePath = chromiumPath()
/** A folder for screenshots of all pages, to look at. Default: none are made. */
const screenshots = process.env.OCTAVO_TEST_SCREENSHOTS

describe.runIf(executablePath)('The documentation site in Chromium', () => {
  let folder: string
  let server: Server
  let url: string
  let browser: Browser
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'octavo-site-'))
    execFileSync('npx', ['vitepress', 'build', '--outDir', folder], { cwd: docs })
    server = serve(folder).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser.close()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens a context whose requests are noted. */
  async function open(
    screen: keyof typeof screens,
  ): Promise<{ context: BrowserContext; requested: string[] }> {
    const context = await browser.newContext({ ...screens[screen], reducedMotion: 'reduce' })
    const requested: string[] = []
    context.on('request', (request) => requested.push(request.url()))
    return { context, requested }
  }

  it.each(Object.keys(screens) as readonly (keyof typeof screens)[])(
    'is accessible, fits the screen and asks no other host: %s',
    async (screen) => {
      const { context, requested } = await open(screen)
      const page = await context.newPage()
      const mistakes: string[] = []
      page.on('pageerror', (error) => mistakes.push(String(error)))
      for (const name of pages) {
        await page.goto(`${url}/${name}.html`, { waitUntil: 'networkidle' })
        if (screenshots) await page.screenshot({ path: path.join(screenshots, `${name}-${screen}.png`) })
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
          .analyze()
        mistakes.push(
          ...violations.map(
            ({ id, nodes }) =>
              `${name}: ${id}: ${nodes
                .map(({ html }) => html)
                .slice(0, 3)
                .join(' ')}`,
          ),
        )
        const tooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        if (tooWide === true) mistakes.push(`${name}: the page is wider than the screen`)
      }
      expect(mistakes).toEqual([])
      expect(requested.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual(
        [],
      )
      await context.close()
    },
  )

  it('finds a word by its search, offline', async () => {
    const { context } = await open('light')
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
