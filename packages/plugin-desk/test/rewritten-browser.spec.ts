/** Pages that a browser or an extension translates: it puts elements of its own in the place of texts. */
import { unrestricted } from '@octavo/core'
import { describe, expect, it, vi } from 'vitest'
import { executablePath, visit } from './entry/visit.ts'
import { openRoom } from './room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** In the page: puts two elements in the place of each text, as Chromium's translation does, and of each that comes later. */
function translate(): void {
  const isOpen = (text: Node): boolean =>
    text.textContent?.trim() !== '' && !text.parentElement?.closest('[translate=no], textarea, select, font')
  const all = (): void => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: Text[] = []
    while (texts.nextNode()) if (isOpen(texts.currentNode)) found.push(texts.currentNode as Text)
    for (const text of found) {
      const font = document.createElement('font')
      font.append(document.createElement('font'))
      font.firstElementChild?.append(text.data)
      text.replaceWith(font)
    }
  }
  all()
  new MutationObserver(all).observe(document.body, { childList: true, subtree: true, characterData: true })
}

describe.runIf(executablePath)('A page that is translated', () => {
  const room = openRoom()

  it('goes on, with the words of now', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/content/articles')
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    const cell = (of: string, name: string) =>
      page.getByRole('row').filter({ hasText: of }).locator(`.col-${name}`)
    await cell('The quiet river', 'form').getByText('Review').waitFor()
    await page.evaluate(translate)
    const { octavo, quiet } = room.site
    await octavo.entries('article', unrestricted('changes the test')).update(quiet, { form: null, rating: 2 })
    await page.getByRole('button', { name: /^Headline/ }).click()
    await expect.poll(() => cell('The quiet river', 'rating').textContent()).toBe('2')
    expect(await cell('The quiet river', 'form').textContent()).toBe('')
    await page.getByRole('link', { name: 'The quiet river' }).click()
    await page.getByRole('button', { name: 'Insert a part' }).last().click()
    await page.getByRole('button', { name: 'Hero', exact: true }).click()
    await page.getByLabel('Heading').last().fill('A new part')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(faults).toEqual([])
    await leave()
  })
})
