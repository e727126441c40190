/** GraphiQL at the endpoint. Chromium runs it. */
import { chromiumOptions, chromiumPath } from '@octavo/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RecordedServer, recordedServer } from './recorded.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('A browser at the endpoint', () => {
  let running: RecordedServer | undefined
  afterEach(async () => {
    vi.unstubAllEnvs()
    await running?.close()
  })

  const get = async (headers: Record<string, string>, search = ''): Promise<Response> =>
    fetch(`${running?.url}/graphql${search}`, { headers })

  it('gets a page with a strict policy; a query, and a program, get an answer', async () => {
    running = await recordedServer()
    const page = await get(html)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = page.headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/)
    expect(policy).not.toContain('unsafe')
    const answer = await get(html, '?query={__typename}')
    expect(await answer.json()).toEqual({ data: { __typename: 'Query' } })
    expect((await get({ accept: '*/*' })).status).toBe(400)
  })

  it('gets no page through a proxy, and none in production, unless playgroundAlways asks for it', async () => {
    running = await recordedServer()
    expect((await get({ ...html, 'x-forwarded-for': '203.0.113.7' })).status).toBe(400)
    await running.close()
    vi.stubEnv('NODE_ENV', 'production')
    vi.stubEnv('OCTAVO_JWT_SECRET', 'a secret of this test, used nowhere else')
    running = await recordedServer()
    expect((await get(html)).status).toBe(400)
    expect((await fetch(`${running.url}/graphql/graphiql.js`)).status).toBe(404)
    await running.close()
    running = await recordedServer({ playgroundAlways: true })
    expect((await get({ ...html, 'x-forwarded-for': '203.0.113.7' })).status).toBe(200)
  })
})

describe.skipIf(chromiumPath() === undefined)('GraphiQL in Chromium', () => {
  let running: RecordedServer
  let browser: Browser
  let page: Page
  const problems: string[] = []
  const hosts = new Set<string>()

  beforeAll(async () => {
    running = await recordedServer()
    browser = await chromium.launch(chromiumOptions())
  })
  afterAll(async () => {
    await browser.close()
    await running.close()
  })
  afterEach(() => page.close())

  async function open(theme: 'light' | 'dark', width = 1_200): Promise<void> {
    problems.length = 0
    page = await browser.newPage({ colorScheme: theme, viewport: { width, height: 800 } })
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto(`${running.url}/graphql`)
    await page.waitForSelector('.graphiql-execute-button')
    // The editors come after the button, which does nothing without them.
    for (const place of ['.graphiql-query-editor', '.result-window'])
      await page.waitForSelector(`${place} .CodeMirror`)
  }

  async function ask(query: string): Promise<string> {
    // The editor of GraphiQL, which Chromium has and this program has not.
    await page.evaluate(
      `document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.setValue(${JSON.stringify(query)})`,
    )
    await page.click('.graphiql-execute-button')
    await page.waitForSelector('.result-window .CodeMirror-line:has-text("data")')
    return (await page.textContent('.result-window .CodeMirror-code')) ?? ''
  }

  it.each([
    ['light', 1_200],
    ['dark', 1_200],
    ['light', 400],
  ] as const)('runs a query, %s, %i pixels wide, without a message of the browser', async (theme, width) => {
    await open(theme, width)
    expect(await ask('{ authors(sort: "id") { data { attributes { name } } } }')).toContain('"name"')
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    if (process.env.OCTAVO_TEST_PICTURES !== undefined)
      await page.screenshot({ path: `${process.env.OCTAVO_TEST_PICTURES}/graphiql-${theme}-${width}.png` })
    expect(problems).toEqual([])
    expect([...hosts]).toEqual([new URL(running.url).host])
  })

  it('shows the schema, and a dialogue', async () => {
    await open('light')
    await page.click('[aria-label="Show Documentation Explorer"]')
    await page.click('a.graphiql-doc-explorer-type-name >> text=Query')
    await page.waitForSelector('.graphiql-doc-explorer-content >> text=articles')
    await page.click('[aria-label="Open settings dialog"]')
    await page.waitForSelector('.graphiql-dialog')
    if (process.env.OCTAVO_TEST_PICTURES !== undefined)
      await page.screenshot({ path: `${process.env.OCTAVO_TEST_PICTURES}/graphiql-dialogue.png` })
    expect(problems).toEqual([])
  })
})
