/** The desk in Chromium: sentences about a save, and the place of the keyboard, are in sight wherever the page is scrolled to. */
import { unrestricted } from '@octavo/core'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { checkAccessible } from '../accessible.ts'
import { openRoom } from '../room.ts'
import { executablePath, type Visit, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** In the page: whether the element can be read, or pressed, where it is: within the window, and below nothing else. */
function isInSight(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  return top >= 0 && bottom <= innerHeight && at !== null && (element.contains(at) || at.contains(element))
}

describe.runIf(executablePath)('A scrolled entry', () => {
  const room = openRoom()
  const open = (): Promise<Visit> =>
    visit(room.browser, room.site.url, `/desk/content/articles/${room.site.quiet}`)
  const refuse = (page: Page, status: number) =>
    page.route(/api\/content\/articles\/\d+/, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status, body: '{}' }),
    )
  const typeAtTheEnd = async (page: Page, words: string): Promise<void> => {
    await page.getByRole('toolbar').first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Contact').fill(words)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.keyboard.press('Control+s')
  }

  it.each([
    ['wide', 1280, 900],
    ['of a page that is enlarged fourfold', 320, 256],
  ])('says what became of a save in sight of the field, in a window that is %s', async (_, width, height) => {
    const { page, leave } = await open()
    await page.setViewportSize({ width, height })
    await refuse(page, 413)
    await typeAtTheEnd(page, `${width}@example.org`)
    const told = page.getByText('larger than the server')
    await expect.poll(() => told.evaluate(isInSight)).toBe(true)
    await checkAccessible(page, `a refused save, ${width}`)
    await page.unrouteAll()
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(await told.count()).toBe(0)
    await leave()
  })

  it('asks in sight of the field which of two texts stays', async () => {
    const { page, leave } = await open()
    await page.getByLabel('Contact').waitFor()
    await room.site.octavo
      .entries('article', unrestricted('somebody else'))
      .update(room.site.quiet, { contact: 'theirs@example.org' } as never)
    await typeAtTheEnd(page, 'mine@example.org')
    const asked = page.getByText('Choose which text stays')
    await expect.poll(() => asked.evaluate(isInSight)).toBe(true)
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await leave()
  })

  it('keeps what the keyboard comes to out from under its bar', async () => {
    const { page, leave } = await open()
    await page.setViewportSize({ width: 800, height: 450 })
    await page.getByRole('toolbar').first().waitFor()
    await page.waitForLoadState('networkidle')
    await refuse(page, 413)
    await typeAtTheEnd(page, 'long@example.org')
    await page.getByText('larger than the server').waitFor()
    const hidden: string[] = []
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Shift+Tab')
      const covered = await page.evaluate(() => {
        const { activeElement } = document
        if (!activeElement?.closest('#main')) return ''
        const { top, bottom } = activeElement.getBoundingClientRect()
        const bars = [...document.querySelectorAll('.bar, .pinned')]
        const over = Math.max(...bars.map((bar) => bar.getBoundingClientRect().bottom))
        const isCovered = top < over && bottom - over < 20
        return isCovered
          ? `${activeElement.id} ${activeElement.textContent} ${top} to ${bottom}, ${over}`
          : ''
      })
      if (covered !== '') hidden.push(covered)
    }
    expect(hidden).toEqual([])
    await leave()
  })
})
