/** Related entries of an entry in Chromium: the list to choose from, and the panel over the page. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unrestricted } from '@octavo/core'
import type { Browser, Locator, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDesk } from '../reading-room.ts'
import { executablePath, launch, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('Related entries', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-desk-related-'))
  let site: Awaited<ReturnType<typeof openDesk>>
  let browser: Browser

  beforeAll(async () => {
    site = await openDesk(folder)
    const categories = site.octavo.entries('category', unrestricted('fills the tests'))
    for (let i = 1; i <= 20; i += 1) await categories.create({ name: `Wanted ${i}` })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const article = () => visit(browser, site.url, `/desk/content/articles/${site.quiet}`)

  it('the list to choose from stays at its field while the page and the list itself are scrolled', async () => {
    const { page, leave } = await article()
    const field = page.getByRole('combobox', { name: /categories/ })
    const list = page.getByRole('listbox')
    const topOf = async (one: Locator): Promise<number> => (await one.boundingBox())?.y ?? Number.NaN
    /** The page hears of it in the next frame, and what it does then is drawn in the one after it. */
    const scroll = (one: Locator) =>
      one.evaluate(async (element) => {
        element.scrollBy(0, 60)
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        return element.scrollTop
      })
    await page.setViewportSize({ width: 1280, height: 500 })
    await field.fill('Wanted')
    await list.getByRole('option').nth(9).waitFor()
    const place = await topOf(field)
    const distance = (await topOf(list)) - place
    const root = page.locator('html')
    const before = await root.evaluate(({ scrollTop }) => scrollTop)
    const moved = (await scroll(root)) - before
    expect(moved).toBeGreaterThan(0)
    expect(await topOf(field)).toBeCloseTo(place - moved, 0)
    expect((await topOf(list)) - (await topOf(field))).toBeCloseTo(distance, 0)
    expect(await scroll(list)).toBeGreaterThan(0)
    expect(await list.getByRole('option').count()).toBe(11)
    // Escape, and a step to another field, close it as ever.
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await field.fill('Wanted 1')
    await list.waitFor()
    await page.keyboard.press('Tab')
    await list.waitFor({ state: 'detached' })
    await leave()
  })

  it('the list says of an entry that it is chosen already, before a second one of the name is made', async () => {
    const { page, leave } = await article()
    const field = page.getByRole('combobox', { name: /categories/ })
    await field.fill('rivers')
    const options = page.getByRole('option')
    await options.getByText('Rivers (chosen already)').waitFor()
    expect(await options.first().getAttribute('aria-disabled')).toBe('true')
    expect(await options.last().textContent()).toBe('Create the category “rivers”')
    // The keys pass it by.
    await page.keyboard.press('ArrowDown')
    await options.last().and(page.locator('[data-focused]')).waitFor()
    await page.keyboard.press('Escape')
    await leave()
  })

  it('the list offers others where the entries that it finds first are linked already', async () => {
    const made = await site.octavo.store.query(
      `insert into categories (name, updated_at) select 'Many ' || i, now() + i * interval '1 minute' from generate_series(1, 260) i returning id`,
    )
    const ids = made.map(([id]) => Number(id))
    const { id } = await site.octavo.entries('article', unrestricted('fills the tests')).create({
      ...{ headline: 'Of many subjects', summary: 'One.', publishedAt: null },
      categories: [...ids.slice(0, 150), ...ids.slice(-50)],
    } as never)
    const { page, leave } = await visit(browser, site.url, `/desk/content/articles/${id}`)
    const field = page.getByRole('combobox', { name: /categories/ })
    const names = async () => (await page.getByRole('option').allTextContents()).slice(0, -1)
    const many = (first: number, step: 1 | -1) =>
      Array.from({ length: 10 }, (_, i) => `Many ${first + i * step}`)
    await field.focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(names).toEqual(many(210, -1))
    await page.keyboard.type('many')
    await expect.poll(names).toEqual(many(151, 1))
    await page.getByRole('option', { name: 'Many 155' }).click()
    await page.keyboard.type('any')
    await expect.poll(names).toEqual(
      many(151, 1)
        .filter((name) => name !== 'Many 155')
        .concat('Many 161'),
    )
    await page.keyboard.press('Escape')
    await leave()
  })

  it('the panel of a related entry says why it cannot be loaded, and tries again', async () => {
    const { page, leave } = await article()
    const asks = /api\/content\/authors\/\d+\?/
    const busy = (route: Route) => route.fulfill({ status: 429, body: '{"error":{"message":"Too many."}}' })
    await page.route(asks, busy)
    await page.getByRole('button', { name: 'Open Ada Lovelace here' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('alert').getByText('The server has no room').waitFor()
    await page.unroute(asks, busy)
    await panel.getByRole('button', { name: 'Try again' }).click()
    await panel.getByRole('heading', { name: 'Ada Lovelace' }).first().waitFor()
    await leave()
  })

  it('the panel of a related entry asks once more when its answer takes long', async () => {
    const { page, leave } = await visit(browser, site.url, 'about:blank')
    await page.clock.install()
    await page.goto(`${site.url}/desk/content/articles/${site.quiet}`)
    const held: Route[] = []
    await page.route(/api\/content\/authors\/\d+\?/, (route) =>
      held.length === 0 ? void held.push(route) : route.continue(),
    )
    await page.getByRole('button', { name: 'Open Ada Lovelace here' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByText('Loading').waitFor()
    await page.clock.runFor(8_000)
    await panel.getByRole('button', { name: 'Try again' }).click()
    await panel.getByRole('heading', { name: 'Ada Lovelace' }).first().waitFor()
    // The first answer, which comes at last, is for nobody.
    await held[0]?.continue().catch(() => undefined)
    await panel.locator('textarea.title').fill('Ada King')
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Open Ada King here' }).waitFor()
    await leave()
  })
})
