/** The desk with a keyboard, a screen reader, and colours that the system forces. */
import { unrestricted } from '@octavo/core'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { executablePath, visit } from './entry/visit.ts'
import { openRoom } from './room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('The desk with help', () => {
  const room = openRoom()

  const at = async (address: string, work: (page: Page) => Promise<void>) => {
    const { page, leave } = await visit(room.browser, room.site.url, `/desk/${address}`)
    await work(page)
    await leave()
  }
  const focused = (page: Page) =>
    page.evaluate(
      () => document.activeElement?.id || (document.activeElement?.getAttribute('aria-label') ?? ''),
    )

  it('the keyboard goes on in the page that a link leads to, also back again', () =>
    at('content/articles', async (page) => {
      await page.getByRole('link', { name: 'The quiet river' }).press('Enter')
      await page.locator('#field-summary').waitFor()
      await expect.poll(() => focused(page)).toBe('main')
      await page.goBack()
      await page.getByRole('link', { name: 'The quiet river' }).waitFor()
      await expect.poll(() => focused(page)).toBe('main')
      await page.getByRole('link', { name: 'New article' }).press('Enter')
      await page.locator('#field-summary').waitFor()
      await expect.poll(() => focused(page)).toBe('main')
      // A link that stays keeps its place.
      await page.getByRole('link', { name: 'People' }).press('Enter')
      await page.getByRole('heading', { name: 'People' }).waitFor()
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('People')
    }))

  it('the menu of a narrow window says whether it is open, and Escape closes it', () =>
    at('content/articles', async (page) => {
      await page.setViewportSize({ width: 320, height: 600 })
      const menu = page.getByRole('button', { name: 'Menu' })
      const isOpen = () => menu.getAttribute('aria-expanded')
      expect(await isOpen()).toBe('false')
      await menu.press('Enter')
      expect(await isOpen()).toBe('true')
      await page.getByRole('link', { name: 'Media' }).press('Escape')
      expect(await isOpen()).toBe('false')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Menu')
      await menu.press('Enter')
      await page.getByRole('link', { name: 'Media' }).press('Enter')
      await page.getByRole('heading', { name: 'Media' }).waitFor()
      expect(await isOpen()).toBe('false')
      await expect.poll(() => focused(page)).toBe('main')
    }))

  it('a save is a message of its own, and one that is refused is none', () =>
    at(`content/articles/${room.site.quiet}`, async (page) => {
      const message = page.locator('.saving [role=status]')
      expect(await message.textContent()).toBe('')
      await page.locator('#field-summary').fill('Saved by a key.')
      await page.keyboard.press('Control+s')
      await expect.poll(() => message.textContent()).toBe('Saved')
      await page.locator('#field-summary').fill('')
      expect(await message.textContent()).toBe('')
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.getByText('1 thing to correct').waitFor()
      expect(await message.textContent()).toBe('')
    }))

  it('a question that is closed gives the keyboard back to the menu that it comes from', () =>
    at(`content/articles/${room.site.quiet}`, async (page) => {
      await page.locator('summary[aria-label="More actions"]').press('Enter')
      await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await focused(page)).toBe('More actions')
    }))

  it('with forced colours, published, draft and missing languages look different, as do chosen tabs', async () => {
    const state = unrestricted('fills the test')
    await room.site.octavo
      .entries('article', state)
      .create({ headline: 'A draft', summary: 'Short.', publishedAt: null })
    const { page, leave } = await visit(room.browser, room.site.url, 'about:blank')
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto(`${room.site.url}/desk/content/articles?sort=headline:asc`)
    const dots = (title: string) => page.getByRole('row', { name: title }).locator('.dot')
    await dots('A draft').first().waitFor()
    const looks = [
      await dots('A draft').first().screenshot(),
      await dots('A mirror for the market').first().screenshot(),
      await dots('A draft').last().screenshot(),
    ].map((picture) => picture.toString('base64'))
    expect(new Set(looks).size).toBe(3)
    const line = (name: string) =>
      page
        .getByRole('button', { name, exact: true })
        .evaluate((element) => getComputedStyle(element).textDecorationLine)
    expect([await line('All'), await line('Mine')]).toEqual(['underline', 'none'])
    await leave()
  })
})
