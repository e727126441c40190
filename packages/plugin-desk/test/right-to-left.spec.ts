import path from 'node:path'
import { chromiumPath, runs } from '@octavo/testing'
import { violationsOf } from '@octavo/testing/violations'
import type { Locator } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { checkFits } from './accessible.ts'
import { password } from './reading-room.ts'
import { openReadingRoom } from './reading-room-pages.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

/** A folder in which pictures of the pages are put, to look at. */
const pictures = process.env.OCTAVO_TEST_PICTURES

describe.runIf(chromiumPath())('The desk in a language from right to left', () => {
  const room = openReadingRoom()

  const middleOf = async (element: Locator): Promise<number> => {
    const { x, width } = (await element.boundingBox()) ?? { x: Number.NaN, width: 0 }
    return x + width / 2
  }

  it('is mirrored, accessible and fits, at 1,280 and at 360 pixels', async () => {
    const width = 1280
    const context = await room.browser.newContext({ locale: 'ar-EG', viewport: { width, height: 900 } })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    const look = async (name: string): Promise<void> => {
      for (const wide of [360, width]) {
        await page.setViewportSize({ width: wide, height: 900 })
        if (pictures) await page.screenshot({ path: path.join(pictures, `${name}-${wide}.png`) })
        // Of the wide pages those of a language from left to right have the same rules, and each night these as well.
        if (wide === 360 || name === 'entry' || runs(0, 1) === 1)
          expect([name, wide, ...(await violationsOf(page))]).toEqual([name, wide])
        await checkFits(page, `${name}, ${wide}`)
      }
    }
    await page.goto(`${room.site.url}/desk`)
    await page.getByRole('button', { name: 'تسجيل الدخول' }).waitFor()
    await expect
      .poll(() => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]))
      .toEqual(['ar', 'rtl'])
    await look('sign-in')
    await page.getByLabel('البريد الإلكتروني').fill('ada@example.org')
    await page.getByLabel('كلمة المرور').fill(password)
    await page.getByRole('button', { name: 'تسجيل الدخول' }).click()
    await page.getByRole('heading', { name: /مرحبًا/ }).waitFor()
    // The navigation is at the side at which lines begin.
    expect(await middleOf(page.getByRole('banner'))).toBeGreaterThan(width / 2)
    expect(await middleOf(page.getByRole('main'))).toBeLessThan(width / 2)
    await page.goto(`${room.site.url}/desk/content/articles`)
    await page.getByRole('link', { name: 'The quiet river' }).waitFor()
    await look('list')
    await page.goto(`${room.site.url}/desk/content/articles/${room.site.quiet}`)
    await page.locator('.part-open', { hasText: 'Quote' }).click()
    const summary = page.locator('#field-summary')
    const direction = (element: Locator) => element.evaluate((one) => getComputedStyle(one).direction)
    expect(await direction(summary)).toBe('ltr')
    await summary.fill('نهر يبدأ بالكلام.')
    expect(await direction(summary)).toBe('rtl')
    // An empty field begins as the page does, so that its placeholder does.
    await summary.fill('')
    expect(await direction(summary)).toBe('rtl')
    expect(await direction(page.locator('#field-contact'))).toBe('ltr')
    // Addresses have no letters from right to left, and a dash at their end stands at their end.
    expect(await direction(page.locator('#field-slug'))).toBe('ltr')
    const mark = page.locator('.part-open .mark').first()
    expect(await mark.evaluate((one) => getComputedStyle(one).transform)).toBe('matrix(-1, 0, 0, 1, 0, 0)')
    await look('entry')
    for (const [name, address] of [
      ['media', 'media'],
      ['roles', 'roles?role=new'],
      ['layouts', 'layouts?type=api::article.article'],
      ['settings', 'settings'],
    ] as const) {
      await page.goto(`${room.site.url}/desk/${address}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await look(name)
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})
