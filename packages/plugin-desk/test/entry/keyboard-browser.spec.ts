/** The way from the door to a saved entry by keyboard alone. Creating, publishing and translating are in browser.spec.ts and beside this. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unrestricted } from '@octavo/core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDesk } from '../reading-room.ts'
import { executablePath, launch, nextFrame, tabTo, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('An editor without a mouse', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-desk-keyboard-'))
  let site: Awaited<ReturnType<typeof openDesk>>
  let browser: Browser

  beforeAll(async () => {
    site = await openDesk(folder)
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('goes through the list to an entry, links another one, puts it first, and saves', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk')
    const { keyboard } = page
    await page.getByRole('link', { name: 'Articles', exact: true }).waitFor()
    await tabTo(page, /^Articles$/)
    await keyboard.press('Enter')
    await page.getByRole('link', { name: 'The quiet river' }).waitFor()
    await tabTo(page, /^The quiet river$/)
    await keyboard.press('Enter')
    await page.getByRole('combobox', { name: /categories/ }).waitFor()
    await tabTo(page, /^Find or create: categories$/)
    await keyboard.type('Lett')
    await page.getByRole('option', { name: 'Letters' }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Open Letters here' }).waitFor()
    // The field, and below what is moved, get the focus back.
    await nextFrame(page)
    await tabTo(page, /^Move Letters/, 'Shift+Tab')
    await keyboard.press('Home')
    await page.getByText('Letters is at place 1 of 3.').waitFor({ state: 'attached' })
    await nextFrame(page)
    await tabTo(page, /^Save draft$/, 'Shift+Tab')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const stored = await site.octavo
      .entries('article', unrestricted('reads what was saved'))
      .findOne(site.quiet, { populate: 'categories', publicationState: 'preview' } as never)
    const names = ['Letters', 'Rivers', 'Science'].map((name) => ({ attributes: { name } }))
    expect(stored?.attributes.categories).toMatchObject({ data: names })
    await leave()
  })

  it('keeps the place in the bar while an entry is made, published, withdrawn and changed back', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/content/articles/new')
    const { keyboard } = page
    const press = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true })
      await button.focus()
      await keyboard.press('Enter')
    }
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.getByRole('textbox', { name: 'Headline' }).fill('A place to keep')
    await page.getByRole('textbox', { name: /^Summary/ }).fill('Of a focus.')
    await press('Save draft')
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await nextFrame(page)
    expect(await focused()).toBe('Saved')
    // A button that does nothing now is announced as one, and sends nothing.
    expect(await page.getByRole('button', { name: 'Saved' }).getAttribute('aria-disabled')).toBe('true')

    await press('Publish')
    await page.getByRole('button', { name: 'Unpublish' }).waitFor()
    await nextFrame(page)
    // Not at Unpublish, which a second press of the key would carry out.
    expect(await focused()).toBe('Saved')
    await press('Unpublish')
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
    await nextFrame(page)
    expect(await focused()).toBe('Saved')

    await page.getByRole('textbox', { name: 'Headline' }).fill('A place that was kept')
    const undo = page.getByRole('button', { name: 'Undo', exact: true })
    await undo.focus()
    for (let i = 0; i < 20 && (await undo.getAttribute('aria-disabled')) === null; i++) {
      await keyboard.press('Enter')
      await nextFrame(page)
    }
    expect(await undo.getAttribute('aria-disabled')).toBe('true')
    expect(await focused()).toBe('Undo')
    await leave()
  })
})
