/** What the pages show while answers are on their way, when they do not come, and when a part of a page cannot be drawn. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unrestricted } from '@octavo/core'
import { webhooks } from '@octavo/plugin-webhooks'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDesk } from '../reading-room.ts'
import {
  aMinuteAgo,
  executablePath,
  hold,
  launch,
  pass,
  type Visit,
  visit,
  withoutPausesBeforeAttempts,
} from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const busy = { status: 503, body: '{"error":{"message":"The database is busy."}}' } as const

const refuse = (route: Route) => route.fulfill({ status: 429, body: '{"error":{"message":"Too many."}}' })

describe.runIf(executablePath)('Faults on the way to the desk', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-desk-faults-'))
  const state = unrestricted('fills the tests')
  let site: Awaited<ReturnType<typeof openDesk>>
  let browser: Browser

  beforeAll(async () => {
    site = await openDesk(folder, [webhooks()])
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const open = (address: string): Promise<Visit> => visit(browser, site.url, address)
  const main = (page: Page) => page.getByRole('main')
  const loading = (page: Page) => main(page).getByText('Loading').first()
  const summaryOf = async (id: number) =>
    (await site.octavo.entries('article', state).findOne(id, { publicationState: 'preview' } as never))
      ?.attributes.summary

  describe('each room says that it is loading, why it cannot, and tries again', () => {
    const rooms = [
      {
        name: 'list',
        address: '/desk/content/articles',
        asks: /api\/content\/articles\?/,
        shows: 'The quiet river',
      },
      { name: 'media', address: '/desk/media', asks: /api\/files\?/, shows: 'There are no files yet' },
      { name: 'folders', address: '/desk/media', asks: /api\/folders/, shows: 'There are no files yet' },
      { name: 'people', address: '/desk/people', asks: /api\/people/, shows: 'ada@example.org' },
      { name: 'roles of people', address: '/desk/people', asks: /api\/roles/, shows: 'ada@example.org' },
      { name: 'roles', address: '/desk/roles', asks: /api\/roles/, shows: 'Choose a role, or make one' },
      { name: 'webhooks', address: '/desk/webhooks', asks: /api\/webhooks/, shows: 'There are no webhooks' },
      { name: 'languages', address: '/desk/locales', asks: /api\/locales/, shows: 'Make it the default' },
      { name: 'sessions', address: '/desk/settings', asks: /api\/sessions/, shows: 'here, now' },
    ]
    let visited: Visit
    beforeAll(async () => {
      visited = await open('/desk')
    })
    afterAll(() => visited?.leave())

    it.each(rooms)('$name', async ({ name, address, asks, shows }) => {
      const { page } = visited
      const requests = await hold(page, asks)
      await page.goto(`${site.url}${address}`)
      await requests.some()
      await loading(page).waitFor()
      const isThere = await main(page).getByText(shows).first().isVisible()
      // Files and people are there before the folders and the roles.
      if (!['folders', 'roles of people'].includes(name)) expect(isThere).toBe(false)
      await requests.each(refuse)
      const alert = page.getByRole('alert')
      await alert.getByText('Wait a minute').waitFor()
      await loading(page).waitFor({ state: 'hidden' })
      await requests.each(pass)
      await alert.getByRole('button', { name: 'Try again' }).click()
      await main(page).getByText(shows).first().waitFor()
      await alert.waitFor({ state: 'detached' })
      await page.unroute(asks)
    })
  })

  it('an entry is loading, is refused, and comes', async () => {
    const { page, leave } = await open('about:blank')
    const requests = await hold(page, /api\/content\/articles\/\d+\?/)
    await page.goto(`${site.url}/desk/content/articles/${site.quiet}`)
    await requests.some()
    await page.getByText('Loading').waitFor()
    await requests.each((route) => route.fulfill({ ...busy, headers: { 'Retry-After': '1' } }))
    await page.getByRole('alert').getByText('The server has no room').waitFor()
    await requests.each(pass)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('Summary').waitFor()
    await leave()
  })

  it.each([
    ['an entry', 'PUT', 503],
    ['a new entry', 'POST', 429],
  ] as const)(
    'a save of %s for which the server has no room is sent again when it may, and nothing typed is lost',
    async (_, method, status) => {
      const entries = site.octavo.entries('article', state)
      const draft = { headline: 'Not busy yet', publishedAt: null }
      const address = method === 'PUT' ? (await entries.create(draft as never)).id : 'new'
      const { page, leave } = await open('about:blank')
      await page.clock.install()
      await page.goto(`${site.url}/desk/content/articles/${address}`)
      const writes: { readonly key: string | undefined; readonly body: string | null }[] = []
      const answers = [{ 'Retry-After': '20' }, { 'Retry-After': '600' }]
      await page.route(/api\/content\/articles/, (route, request) => {
        if (request.method() !== method) return route.continue()
        writes.push({ key: request.headers()['idempotency-key'], body: request.postData() })
        const headers = answers.shift()
        return headers ? route.fulfill({ ...busy, status, headers }) : route.continue()
      })
      await page.locator('textarea.title').fill(`Busy ${method}`)
      await page.getByLabel('Summary').fill('Typed before.')
      // From here on time passes only where the test lets it.
      await page.clock.pauseAt(Date.now() + 60_000)
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByText('is sent again in a moment').waitFor()
      await page.getByLabel('Summary').fill('Typed meanwhile.')
      // Not before its time, whatever the network does.
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      await page.clock.runFor(19_000)
      // A request of the page that began before this one has passed the route as well.
      await page.evaluate(() => fetch('/desk/api/me').then(({ ok }) => ok))
      expect(writes).toHaveLength(1)
      await page.clock.runFor(1_500)
      await page.getByText(/is sent again at \d\d:\d\d/).waitFor()
      await page.clock.runFor(601_000)
      await page.clock.resume()
      await page.getByRole('button', { name: 'Saved' }).waitFor()
      expect(await page.getByText('is sent again').count()).toBe(0)
      expect(await page.getByLabel('Summary').inputValue()).toBe('Typed meanwhile.')
      const { data } = await entries.find({
        filters: { headline: `Busy ${method}` },
        publicationState: 'preview',
      } as never)
      expect(data.map(({ attributes }) => attributes.summary)).toEqual(['Typed meanwhile.'])
      if (method === 'POST') {
        expect(writes[0]?.key).toBeTruthy()
        expect(writes.slice(0, 3)).toEqual(Array(3).fill(writes[0]))
      }
      await leave()
    },
  )

  it('a published entry is not sent again once more was written, since readers would see it', async () => {
    const published = { headline: 'Live', summary: 'Live.', publishedAt: aMinuteAgo() }
    const { id } = await site.octavo.entries('article', state).create(published as never)
    const { page, leave } = await open('about:blank')
    await page.clock.install()
    await page.goto(`${site.url}/desk/content/articles/${id}`)
    let writes = 0
    await page.route(/api\/content\/articles/, (route, request) => {
      if (request.method() !== 'PUT') return route.continue()
      writes += 1
      return route.fulfill({ ...busy, headers: { 'Retry-After': '20' } })
    })
    await page.getByLabel('Summary').fill('A whole sentence.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('is sent again in a moment').waitFor()
    await page.getByLabel('Summary').fill('A whole sentence. Half a')
    await page.clock.runFor(21_000)
    await page.getByText('Wait a moment, then try again').waitFor()
    expect(writes).toBe(1)
    expect(await page.getByLabel('Summary').inputValue()).toBe('A whole sentence. Half a')
    await leave()
  })

  it('loading that takes long says so, and can be begun anew', async () => {
    const { page, leave } = await open('about:blank')
    await page.clock.install()
    const requests = await hold(page, /api\/content\/articles\?/)
    await page.goto(`${site.url}/desk/content/articles`)
    await requests.some()
    await loading(page).waitFor()
    await page.clock.runFor(8_000)
    await main(page).getByText('Loading takes longer than usual').waitFor()
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await requests.each(pass)
    await main(page).getByText('The quiet river').waitFor()
    await leave()
  })

  it('a list without a connection says so, and is there when it returns', async () => {
    const { page, leave } = await open('/desk/content/articles')
    await main(page).getByText('The quiet river').waitFor()
    await page.evaluate(withoutPausesBeforeAttempts)
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Authors', exact: true }).click()
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
    await page.context().setOffline(false)
    await main(page).getByText('Virginia Woolf').waitFor()
    await leave()
  })

  it('the list of related entries says that it is loading, and why it cannot, before it says that there are none', async () => {
    const { page, leave } = await open(`/desk/content/articles/${site.quiet}`)
    const field = page.getByRole('combobox', { name: /categories/ })
    await field.waitFor()
    const requests = await hold(page, /api\/content\/categories\?/)
    await field.fill('Let')
    await requests.some()
    await page.getByRole('status').getByText('Loading').waitFor()
    expect(await page.getByText('Nothing found').isVisible()).toBe(false)
    await requests.each(refuse)
    await page.getByText('Too many attempts').first().waitFor()
    // The list without a search is refused as well, before requests pass again.
    const refused = page.waitForResponse(/api\/content\/categories\?.*sort/)
    await page.keyboard.press('Escape')
    await refused
    await requests.each(pass)
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await field.fill('Lett')
    await page.getByRole('option', { name: 'Letters' }).waitFor()
    await leave()
  })

  it('a field whose file does not come says so, and the entry is edited and saved', async () => {
    const { page, leave } = await open('about:blank')
    await page.route('**/assets/relation-*', (route) => route.abort())
    await page.goto(`${site.url}/desk/content/articles/${site.quiet}`)
    const sentence = page.getByRole('alert').filter({ hasText: 'Categories cannot be shown here' })
    await sentence.waitFor()
    await page.getByLabel('Summary').fill('Written beside a field that is missing.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(await summaryOf(site.quiet)).toBe('Written beside a field that is missing.')
    await page.unroute('**/assets/relation-*')
    await page.reload()
    await page.getByRole('combobox', { name: /categories/ }).waitFor()
    await leave()
  })

  it('a library that does not come leaves the field and the entry as they are', async () => {
    const { page, leave } = await open(`/desk/content/articles/${site.quiet}`)
    await page.route('**/assets/file-picker-*', (route) => route.abort())
    await page.getByRole('button', { name: 'Choose from the library' }).first().click()
    await page.getByRole('alert').getByText('Library cannot be shown here').waitFor()
    await page.getByLabel('Summary').fill('Written without the library.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(await summaryOf(site.quiet)).toBe('Written without the library.')
    await leave()
  })

  it('a field that throws is named in its place, keeps its value, and holds up no save', async () => {
    const { id } = await site.octavo.entries('article', state).create({
      headline: 'Faulty',
      summary: 'Whole.',
      facts: { isFaulty: true },
      publishedAt: null,
    } as never)
    const { page, leave } = await open('about:blank')
    await page.addInitScript(() => {
      const { stringify } = JSON
      // The field of JSON draws its value by this function.
      JSON.stringify = (value, ...rest) => {
        if (value?.isFaulty === true && (globalThis as { isWell?: true }).isWell !== true)
          throw new Error('a fault of a field')
        return stringify(value, ...(rest as []))
      }
    })
    await page.goto(`${site.url}/desk/content/articles/${id}`)
    const sentence = page.getByRole('alert').filter({ hasText: 'Facts cannot be shown here' })
    await sentence.waitFor()
    await page.getByLabel('Summary').fill('Whole all the same.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const stored = await site.octavo
      .entries('article', state)
      .findOne(id, { publicationState: 'preview' } as never)
    expect(stored?.attributes).toMatchObject({ summary: 'Whole all the same.', facts: { isFaulty: true } })
    await page.evaluate(() => Object.assign(globalThis, { isWell: true }))
    await sentence.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('Facts').waitFor()
    expect(await page.getByLabel('Facts').inputValue()).toContain('isFaulty')
    await leave()
  })
})
