/** The texts of entries beside those of the page: their language, and what browsers and extensions may write into them. */
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { openRoom } from '../room.ts'
import { executablePath, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('The texts of an entry', () => {
  const room = openRoom()
  const open = (address: string) => visit(room.browser, room.site.url, address)
  const attribute = (page: Page, name: string, label: string) =>
    page.getByLabel(label, { exact: true }).first().getAttribute(name)

  it('have the language of the entry, for spelling and for screen readers, and its name and its comparison as well', async () => {
    const { page, leave } = await open(`/desk/content/articles/new?locale=fr&from=${room.site.quiet}`)
    await page.locator('.cm-content').waitFor()
    for (const label of ['Headline', 'Contact'])
      expect([label, await attribute(page, 'lang', label)]).toEqual([label, 'fr'])
    expect(await page.locator('[id="field-summary"]').getAttribute('lang')).toBe('fr')
    expect(await page.locator('.cm-content').getAttribute('lang')).toBe('fr')
    await page.locator('.beside-text[lang=en]').first().waitFor()
    await leave()
  })

  it('are filled in by no browser from the addresses and passwords of the person', async () => {
    const { page, leave } = await open(`/desk/content/articles/${room.site.quiet}`)
    await page.locator('.cm-content').waitFor()
    const offered = await page
      .locator('.sheet :is(input, textarea, select)[id^=field-]')
      .evaluateAll((all) =>
        all
          .map((one) => [one.id, one.getAttribute('autocomplete')])
          .filter(([, given]) => given !== 'off' && given !== 'new-password'),
      )
    expect(offered).toEqual([])
    expect(await attribute(page, 'autocomplete', 'Secret')).toBe('new-password')
    await leave()
  })

  it('are left alone by those who translate the page', async () => {
    const { page, leave } = await open(`/desk/content/articles/${room.site.quiet}?beside=en`)
    const body = page.locator('.cm-content')
    await body.waitFor()
    await page.getByRole('button', { name: /^Open.*Ada Lovelace/ }).waitFor()
    const isTranslated = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => (element as HTMLElement).translate)
    expect(await isTranslated('.cm-content')).toBe(false)
    expect(await isTranslated('.chip .name')).toBe(false)
    expect(await isTranslated('.field label')).toBe(true)
    await page.goto(`${room.site.url}/desk/content/articles`)
    await page.getByRole('link', { name: 'The quiet river' }).waitFor()
    expect(await isTranslated('.ti')).toBe(false)
    await leave()
  })
})
