/**
 * Takes the pictures in docs/screenshots: `pnpm screenshots`, or `pnpm screenshots library` for those whose name begins so.
 *
 * It serves the demo at port 1337, on a database in memory, and the built documentation. It needs Chromium: the one of the
 * system, or `OCTAVO_TEST_CHROMIUM`. Look at the pictures before you commit them.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromiumPath } from '@octavo/testing'
import { type Browser, chromium, type Page } from 'playwright-core'

const from = (place: string): string => fileURLToPath(new URL(place, import.meta.url))
const folder = from('../screenshots')
const schemes = ['light', 'dark'] as const
/** Bytes of a picture: pages load several of them. */
const limit = 150_000

interface Picture {
  readonly name: string
  /** Of the demo, or of the documentation. */
  readonly of: 'demo' | 'site'
  readonly address: string
  /** A selector of something that is there when the page is complete. */
  readonly ready: string
  /** Pixels. Default 1200. */
  readonly width?: number
  /** A part of the page. Default: the window. */
  readonly part?: string
  readonly prepare?: (page: Page) => Promise<void>
  /** Whether the editor of the demo opens the page. Default false. */
  readonly isOfEditor?: boolean
}

/** The editor of the demo, as its start prints it. */
interface Editor {
  readonly email: string
  readonly password: string
}

/** A query that shows all parts of the page. */
const query = {
  path: '/api/books',
  fields: ['title', 'firstPublished'],
  filters: [
    { path: 'firstPublished', operator: '$lt', value: '1900' },
    { path: 'authors.books.genres.name', operator: '$contains', value: 'o' },
  ],
  sort: [{ path: 'firstPublished', direction: 'desc' }],
  populate: ['authors', 'authors.books', 'genres', 'cover'],
  pageSize: '3',
}
const queryAddress = `/docs/query#${encodeURIComponent(JSON.stringify(query))}`
const answered = '#answer:not([hidden]) #body:not(:empty)'

/** An entry at the desk. */
const book = {
  of: 'demo',
  address: '/desk/content/books/1',
  ready: 'textarea.title',
  isOfEditor: true,
} as const

const pictures: readonly Picture[] = [
  { name: 'overview', of: 'demo', address: '/', ready: 'table' },
  { name: 'overview-narrow', of: 'demo', address: '/', ready: 'table', width: 390 },
  { name: 'docs', of: 'demo', address: '/docs', ready: 'text=List entries of Author', prepare: openAuthors },
  {
    name: 'docs-request',
    of: 'demo',
    address: '/docs',
    ready: 'text=List entries of Author',
    prepare: async (page) => {
      await openAuthors(page)
      await page.locator('button', { hasText: 'Test Request' }).first().click()
      await page.locator('button', { hasText: 'Send' }).first().click()
      await page.getByText('200 OK').first().waitFor()
      await page.waitForTimeout(2000) // the bar behind the address runs to its end
    },
  },
  { name: 'query', of: 'demo', address: queryAddress, ready: answered, prepare: runAgain },
  { name: 'query-narrow', of: 'demo', address: queryAddress, ready: answered, width: 390, prepare: runAgain },
  {
    name: 'query-plan',
    of: 'demo',
    address: queryAddress,
    ready: answered,
    part: '#plan',
    prepare: runAgain,
  },
  { name: 'library', of: 'demo', address: '/library', ready: 'main img' },
  { name: 'library-narrow', of: 'demo', address: '/library', ready: 'main img', width: 390 },
  { name: 'library-books', of: 'demo', address: '/library/books?form=novel', ready: 'main img' },
  { name: 'library-login', of: 'demo', address: '/library/login', ready: 'main form' },
  { name: 'library-book', of: 'demo', address: '/library/books/1', ready: 'main h1' },
  {
    name: 'desk',
    ...book,
    address: '/desk/content/books?sort=originalTitle',
    ready: 'tbody tr',
    width: 1440,
  },
  { name: 'desk-entry', ...book },
  { name: 'desk-narrow', ...book, width: 390 },
  { name: 'site', of: 'site', address: '/index.html', ready: '.VPContent' },
  { name: 'site-reference', of: 'site', address: '/operators.html', ready: '.VPDoc h1' },
]

/** Signs in at the desk as the editor of the demo. @returns the cookies */
async function signIn(browser: Browser, url: string, { email, password }: Editor) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/desk`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation').first().waitFor()
  const cookies = await context.storageState()
  await context.close()
  return cookies
}

async function openAuthors(page: Page): Promise<void> {
  await page.getByText('List entries of Author').first().click()
  await page.getByText('Query Parameters').first().waitFor()
}

/** The first run reads from a cold server. */
async function runAgain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run' }).click()
  await page
    .getByRole('status')
    .filter({ hasText: /^200 OK/ })
    .waitFor()
  // A click scrolls to its button.
  await page.evaluate('scrollTo(0, 0)')
}

/** Starts the demo as `npm start` does. */
async function openDemo() {
  const child = spawn(
    process.execPath,
    [
      '--conditions=octavo-source',
      'packages/cli/src/bin.ts',
      'start',
      '--config',
      'apps/demo/octavo.config.ts',
      '--database',
      'memory://',
      '--port',
      '1337',
    ],
    { cwd: from('../..'), env: { ...process.env, LOG_LEVEL: 'warn' }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  // Read to its end: the server writes to it as long as it runs.
  const started = await new Promise<{ readonly url: string; readonly editor: Editor }>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const url = /http:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(output)?.[0]
      const [, email, password] = /email +([\w.@]+)\W+password +([\w-]+)\W/.exec(output) ?? []
      if (url !== undefined && email !== undefined && password !== undefined)
        resolve({ url, editor: { email, password } })
    })
    child.on('exit', () => reject(new Error(`The demo did not start: ${output}`)))
  })
  return { ...started, child }
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Builds the documentation and serves it. */
async function openSite(built: string) {
  execFileSync('npx', ['vitepress', 'build', '--outDir', built], { cwd: from('..'), stdio: 'inherit' })
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    try {
      const content = readFileSync(path.join(built, pathname))
      response.setHeader('content-type', types[path.extname(pathname)] ?? 'application/octet-stream')
      response.end(content)
    } catch {
      response.writeHead(404).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server } // it listens on a port
}

/** A server, with the cookies of the editor of the demo. */
interface Place {
  readonly url: string
  readonly cookies?: Awaited<ReturnType<typeof signIn>>
}

/** @throws Error for a picture that is too large for a page of the documentation */
async function take(
  browser: Browser,
  { url, cookies }: Place,
  picture: Picture,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const { name, address, ready, width = 1200, part, prepare, isOfEditor } = picture
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height: width < 500 ? 800 : 850 },
    ...(isOfEditor && cookies && { storageState: cookies }),
  })
  const page = await context.newPage()
  await page.goto(`${url}${address}`)
  await page.locator(ready).first().waitFor()
  await prepare?.(page)
  await page.waitForLoadState('networkidle')
  await page.mouse.move(0, 0)
  const box = part === undefined ? undefined : await page.locator(part).boundingBox()
  const session = await context.newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 85,
    captureBeyondViewport: box !== undefined,
    ...(box && { clip: { ...box, height: Math.min(box.height, 1400), scale: 1 } }),
  })
  const bytes = Buffer.from(data, 'base64')
  const file = `${name}-${colorScheme}.webp`
  if (bytes.length > limit) throw new Error(`${file} has ${bytes.length} bytes; at most ${limit} are meant`)
  writeFileSync(path.join(folder, file), bytes)
  console.log(`${file}: ${Math.round(bytes.length / 1000)} kB`)
  await context.close()
}

const [prefix = ''] = process.argv.slice(2)
const wanted = pictures.filter(({ name }) => name.startsWith(prefix))
const isWanted = (of: Picture['of']): boolean => wanted.some((picture) => picture.of === of)
const built = mkdtempSync(path.join(tmpdir(), 'octavo-screenshots-'))
mkdirSync(folder, { recursive: true })
const executablePath = chromiumPath()
if (executablePath === undefined) throw new Error('There is no Chromium; OCTAVO_TEST_CHROMIUM is its path')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const site = isWanted('site') ? await openSite(built) : undefined
const demo = isWanted('demo') ? await openDemo() : undefined
try {
  const places = { demo: demo && { ...demo, cookies: await signIn(browser, demo.url, demo.editor) }, site }
  for (const picture of wanted)
    for (const scheme of schemes) {
      const place = places[picture.of]
      if (place) await take(browser, place, picture, scheme)
    }
} finally {
  await browser.close()
  site?.server.close()
  demo?.child.kill('SIGTERM')
  rmSync(built, { recursive: true, force: true })
}
