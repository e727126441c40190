import { chromiumOptions, chromiumPath, runs } from '@octavo/testing'
import { violationsOf } from '@octavo/testing/violations'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSite } from './site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const executablePath = chromiumPath()

describe.runIf(executablePath)('The pages in Chromium', () => {
  let site: Awaited<ReturnType<typeof openSite>>
  let browser: Browser

  beforeAll(async () => {
    site = await openSite({}, { limits: { manySteps: 3 } })
    browser = await chromium.launch(chromiumOptions())
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  interface Visit {
    readonly page: Page
    /** Errors and warnings of the console, and violations of the policy. */
    readonly complaints: readonly string[]
    /** Other hosts that received requests of the page. */
    readonly strangers: readonly string[]
  }

  async function visit(address: string): Promise<Visit> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    const complaints: string[] = []
    const strangers: string[] = []
    // Not by a route, which would leave the cache of the browser unused.
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== site.url) strangers.push(origin)
    })
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`policy: ${violatedDirective} ${blockedURI}`),
      )
    })
    await page.goto(`${site.url}${address}`)
    return { page, complaints, strangers }
  }

  /** Ends a visit that had nothing to complain about. */
  async function leave({ page, complaints, strangers }: Visit): Promise<void> {
    expect(complaints).toEqual([])
    expect(strangers).toEqual([])
    await page.context().close()
  }

  async function checkAccessible(page: Page): Promise<void> {
    expect(await violationsOf(page, { more: ['best-practice'] })).toEqual([])
  }

  const scrollsSideways = (page: Page): Promise<boolean> =>
    page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

  /** A query with everything: filters, sort, population, pages, and an omitted part. */
  const full = {
    path: '/api/articles',
    filters: [
      { path: 'title', operator: '$containsi', value: 'light' },
      { path: 'author.articles.title', operator: '$containsi', value: 'light' },
    ],
    sort: [{ path: 'title', direction: 'desc' }],
    populate: ['author', 'author.articles', 'diary'],
    pageSize: '5',
  }
  const linkTo = (state: object): string => `/docs/query#${encodeURIComponent(JSON.stringify(state))}`
  const answered = (page: Page) =>
    page
      .getByRole('status')
      .filter({ hasText: /^\d{3} / })
      .waitFor()

  // The first two have both colours and both widths.
  const looks = [
    ['light', 1280],
    ['dark', 360],
    ['dark', 1280],
    ['light', 360],
  ] as const
  const checkInEachLook = async (page: Page): Promise<void> => {
    for (const [colorScheme, width] of looks.slice(0, runs(2, 4))) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await checkAccessible(page)
      expect([colorScheme, width, await scrollsSideways(page)]).toEqual([colorScheme, width, false])
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      expect(ground).toBe(colorScheme === 'dark' ? 'rgb(23, 22, 21)' : 'rgb(251, 250, 247)')
    }
  }
  it('/ is accessible and fits in both schemes of the system and widths', async () => {
    const visited = await visit('/')
    const { page } = visited
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await checkInEachLook(page)
    await leave(visited)
  })

  it('/docs/query is accessible and fits in both schemes and widths, with an answer', async () => {
    const visited = await visit(linkTo(full))
    const { page } = visited
    await answered(page)
    await page.getByText('SQL', { exact: true }).click()
    await checkInEachLook(page)
    await leave(visited)
  })

  it('/ leads to the query of a content-type, and copies requests', async () => {
    const visited = await visit('/')
    const { page } = visited
    const copy = page.getByRole('button', { name: 'Copy the first request' })
    // The word is shown for a moment, which does not pass here however long the test takes.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await copy.click()
    await copy.filter({ hasText: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`curl '${site.url}/api/articles'`)
    await page.clock.runFor(2_000)
    await copy.filter({ hasNotText: 'Copied' }).waitFor()
    await page.clock.resume()
    await page.getByRole('link', { name: 'Query author' }).click()
    await page.getByRole('heading', { name: 'Query', level: 1 }).waitFor()
    await answered(page)
    expect(await page.getByLabel('Content-type').inputValue()).toBe('/api/authors')
    await leave(visited)
  })

  it('a query is built by clicking; its address, code and answer follow', async () => {
    const visited = await visit('/docs/query')
    const { page } = visited
    await page.getByLabel('title', { exact: true }).check()
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByLabel('Attribute of filter 1').selectOption('author')
    await page.getByLabel('Attribute of filter 1, in author').selectOption('name')
    await page.getByLabel('Operator of filter 1').selectOption('$in')
    await page.getByLabel('Value of filter 1').fill('Ada, Bob')
    await page.getByRole('button', { name: 'Add a filter' }).click()
    await page.getByLabel('Value of filter 2').fill('First light')
    await page.getByLabel('Entries meet').selectOption('or')
    await page.getByRole('button', { name: 'Add a sort' }).click()
    await page.getByLabel('Sort 1 by').selectOption('title')
    await page.getByLabel('Direction of sort 1').selectOption('desc')
    await page.getByLabel('author', { exact: true }).check()
    await page.getByLabel('articles', { exact: true }).check()
    await page.getByLabel('Entries per page').fill('1')
    await page.getByLabel('Publication state').selectOption('preview')

    const texts = await page.locator('#code code').allTextContents()
    expect(texts[0]).toBe(
      `${site.url}/api/articles?filters[$or][0][author][name][$in][0]=Ada&filters[$or][0][author][name][$in][1]=Bob&filters[$or][1][title][$eq]=First%20light&sort[0]=title%3Adesc&fields[0]=title&populate[author][populate][articles]=true&pagination[pageSize]=1&publicationState=preview`,
    )
    expect(texts[1]).toContain("import qs from 'qs'")
    expect(texts[2]).toContain("await api.entries('articles').find({")
    await page.getByRole('button', { name: 'Run' }).click()
    await answered(page)
    expect(await page.getByRole('status').textContent()).toMatch(
      /^200 OK in \d+ ms, \d+ bytes, 1 of 2 entries$/,
    )
    const body = JSON.parse((await page.locator('#body').textContent()) ?? '')
    expect(body.data[0].attributes).toMatchObject({
      title: 'Second light',
      author: { data: { attributes: { name: 'Ada' } } },
    })
    expect(body.data[0].attributes).not.toHaveProperty('createdAt')

    // The link has all of it.
    const shared = await visit(page.url().slice(site.url.length))
    await answered(shared.page)
    expect(await shared.page.locator('#code code').allTextContents()).toEqual(texts)
    expect(await shared.page.getByLabel('Value of filter 1').inputValue()).toBe('Ada, Bob')
    await leave(shared)
    await leave(visited)
  })

  it('a query runs as it is typed, and its error is beside the button', async () => {
    const visited = await visit(
      linkTo({ path: '/api/articles', filters: [{ path: 'id', operator: '$eq', value: '1' }] }),
    )
    const { page } = visited
    await answered(page)
    await page.getByLabel('Value of filter 1').fill('2')
    await page.locator('#body').getByText('Second light').waitFor()
    expect(await page.locator('#problem').isVisible()).toBe(false)
    await page.getByLabel('Value of filter 1').fill('none')
    await page.locator('#problem').getByText('filters[id][$eq]').waitFor()
    // In sight, also where the form is longer than the window.
    const box = await page.locator('#problem').boundingBox()
    expect((box?.y ?? 9999) + (box?.height ?? 0)).toBeLessThanOrEqual(900)
    await page.getByLabel('Value of filter 1').fill('1')
    await page.locator('#problem').waitFor({ state: 'hidden' })
    await page.context().close()
  })

  it('filters and sorts reach attributes through several relations, each step with the keyboard', async () => {
    const visited = await visit('/docs/query')
    const { page } = visited
    const focused = () => page.evaluate(() => document.activeElement?.id)
    await page.getByLabel('Content-type').selectOption('/api/authors')
    await page.getByRole('button', { name: 'Add a filter' }).focus()
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('filter-0')
    await page.keyboard.type('articles')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('filter-0-1')
    await page.keyboard.type('author')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('filter-0-2')
    await page.keyboard.type('name')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ada')
    await page.getByRole('button', { name: 'Add a sort' }).click()
    const step = (name: string) => page.getByRole('combobox', { name, exact: true })
    await step('Sort 1 by').selectOption('articles')
    await step('Sort 1 by, in articles').selectOption('author')
    await step('Sort 1 by, in articles › author').selectOption('id')
    expect(await page.locator('#code code').first().textContent()).toBe(
      `${site.url}/api/authors?filters[articles][author][name][$eq]=Ada&sort[0]=articles.author.id%3Aasc`,
    )
    await page.getByRole('button', { name: 'Run' }).click()
    await answered(page)
    expect(await page.getByRole('status').textContent()).toMatch(/^200 OK .* 1 of 1 entries$/)
    expect(await page.locator('#body').textContent()).toContain('"name": "Ada"')

    // A shorter path again.
    await step('Attribute of filter 1, in articles').selectOption('title')
    expect(await step('Attribute of filter 1, in articles › author').count()).toBe(0)
    await checkAccessible(page)
    await leave(visited)
  })

  it('offers relations up to the limits of the server', async () => {
    const visited = await visit(
      linkTo({
        path: '/api/authors',
        filters: [{ path: 'articles.author.articles.author.articles.title', operator: '$eq', value: 'x' }],
      }),
    )
    const { page } = visited
    await answered(page)
    const step = (place: string) =>
      page.getByRole('combobox', { name: `Attribute of filter 1, in ${place}`, exact: true })
    const optionsOf = (place: string): Promise<readonly string[]> =>
      step(place).locator('option').allTextContents()
    expect(await optionsOf('articles › author')).toContain('articles ›')
    // `manySteps` of the server is 3.
    const third = 'articles › author › articles › author › articles'
    await step(third).selectOption('author')
    expect(await optionsOf(`${third} › author`)).toContain('name')
    expect(await optionsOf(`${third} › author`)).not.toContain('articles ›')
    await leave(visited)
  })

  it('lists the omitted parts with their plugins, and draws the plan', async () => {
    const visited = await visit(linkTo(full))
    const { page } = visited
    await answered(page)
    const pruned = (await page.locator('#pruned').textContent()) ?? ''
    expect(pruned).toContain(
      'draft-publish reads only entries of api::article.article whose publishedAt is at most now',
    )
    expect(pruned).toContain(
      'users-permissions permits this caller no entry of api::diary.diary at populate[diary].',
    )
    expect(pruned).toContain(
      'users-permissions hides note, publishedAt, createdAt, updatedAt of api::article.article from this caller.',
    )
    const steps = page.getByRole('list', { name: 'Steps of PostgreSQL' })
    expect(await steps.textContent()).toMatch(/on articles.*estimated \d/)
    await page.getByText('SQL', { exact: true }).click()
    await page
      .getByRole('region', { name: 'SQL' })
      .getByText(/^select /)
      .waitFor()
    await leave(visited)
  })

  it('a draft that is not found is explained, and a token reads as its user', async () => {
    const visited = await visit(linkTo({ path: '/api/articles', id: '3' }))
    const { page, complaints } = visited
    await answered(page)
    expect(await page.getByRole('status').textContent()).toMatch(/^404/)
    await page.getByText('1 entry is left out.').waitFor()
    // Chromium reports the expected 404.
    expect(complaints).toEqual([expect.stringContaining('404')])

    await page.getByLabel('Id of one entry').fill('1')
    await page.getByLabel('Token of the caller').fill(await site.login('reader'))
    await page.getByRole('button', { name: 'Run' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^200 OK/ })
      .waitFor()
    expect(await page.locator('#body').textContent()).toContain('"note": "a"')
    expect(page.url()).not.toContain(await page.getByLabel('Token of the caller').inputValue())
    await page.context().close()
  })

  it('a content-type is chosen with the keyboard: the select stays, and the rest of the form follows', async () => {
    const visited = await visit('/docs/query')
    const { page } = visited
    const select = page.getByLabel('Content-type')
    await select.focus()
    const last = (await select.locator('option').last().getAttribute('value')) ?? ''
    // A select that is rebuilt forgets the letters of a name that were typed before.
    await select.evaluate((node) => node.setAttribute('data-first', ''))
    const fields = await page.getByRole('group', { name: 'Fields' }).textContent()
    await page.keyboard.press('End')
    expect(await select.inputValue()).toBe(last)
    expect(await select.getAttribute('data-first')).toBe('')
    expect(decodeURIComponent(new URL(page.url()).hash)).toContain(last)
    expect(await page.getByRole('group', { name: 'Fields' }).textContent()).not.toBe(fields)
    await leave(visited)
  })

  it('works with the keyboard only', async () => {
    const visited = await visit('/docs/query')
    const { page } = visited
    await page.getByLabel('Content-type').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
    await page.getByRole('button', { name: 'Add a filter' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('filter-0')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('First light')
    await page.keyboard.press('Enter')
    await answered(page)
    expect(await page.getByRole('status').textContent()).toContain('1 of 1 entries')
    await page.getByRole('button', { name: 'Remove filter 1' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('add-filter')
    await leave(visited)
  })
})
