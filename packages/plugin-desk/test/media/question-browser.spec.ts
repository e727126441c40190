/** The order of the files of a folder, and the limits by kind and age, which the server applies. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { executablePath, launch, visit } from '../entry/visit.ts'
import { openRooms } from '../routes/site.ts'
import type { Site } from '../site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

describe.runIf(executablePath)('The files of the library', () => {
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    site = await openRooms()
    browser = await launch()
    const cookie = await site.signIn('ada@example.org')
    for (const [name, type, size] of [
      ['b.txt', 'text/plain', 3_000],
      ['a.svg', 'image/svg+xml', 9_000],
      ['c.txt', 'text/plain', 6_000],
    ] as const) {
      const body = new FormData()
      body.append(
        'files',
        new Blob([`<svg xmlns="http://www.w3.org/2000/svg"/>`.padEnd(size)], { type }),
        name,
      )
      const headers = { origin: site.url, cookie }
      const { ok } = await fetch(`${site.url}/desk/api/files`, { method: 'POST', headers, body })
      expect(ok).toBe(true)
    }
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  it('are in folders that are made, renamed and deleted by keyboard, which keeps its place', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/media')
    const { keyboard } = page
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    const press = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true })
      await button.waitFor()
      await button.focus()
      await keyboard.press('Enter')
    }
    await press('New folder')
    await keyboard.press('Escape')
    await expect.poll(focused).toBe('New folder')
    await press('New folder')
    await press('Cancel')
    await expect.poll(focused).toBe('New folder')
    await press('New folder')
    await keyboard.type('Old papers')
    await keyboard.press('Enter')
    await page.locator('.way b', { hasText: 'Old papers' }).waitFor()
    await expect.poll(focused).toBe('New folder')
    await press('Rename the folder')
    await keyboard.press('Control+a')
    await keyboard.type('Papers')
    await keyboard.press('Enter')
    await expect.poll(focused).toBe('Rename the folder')
    await press('Delete the folder')
    const sure = page.getByRole('dialog').getByRole('button', { name: 'Delete for good' })
    await expect.poll(() => sure.isEnabled()).toBe(true)
    await sure.focus()
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The button that was pressed is gone with the folder.
    await expect.poll(focused).toBe('New folder')
    await leave()
  })

  it('are put in order and narrowed by name, day, size and kind, on the server', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/media')
    const shown = (...names: readonly string[]) =>
      expect.poll(() => page.locator('.media .name').allTextContents()).toEqual(names)
    const choose = (label: string, option: string) => page.getByLabel(label).selectOption(option)
    await shown('c.txt', 'a.svg', 'b.txt')
    await choose('Order of the files', 'Oldest first')
    await shown('b.txt', 'a.svg', 'c.txt')
    await choose('Order of the files', 'Name, A to Z')
    await shown('a.svg', 'b.txt', 'c.txt')
    await choose('Order of the files', 'Largest first')
    await shown('a.svg', 'c.txt', 'b.txt')
    await choose('Order of the files', 'By type')
    await shown('a.svg', 'c.txt', 'b.txt')
    await choose('Kind of files', 'Other files')
    await shown('c.txt', 'b.txt')
    await choose('Added', 'Added in the last 7 days')
    await shown('c.txt', 'b.txt')
    await choose('Kind of files', 'Videos')
    await page.getByText('Nothing matches.').waitFor()
    await choose('Kind of files', 'All kinds')
    await site.server.octavo.store.query(
      `update "files" set "created_at" = '2020-01-01' where "name" = 'b.txt'`,
    )
    await choose('Added', 'Added in the last 30 days')
    await shown('a.svg', 'c.txt')
    await leave()
  })
})
