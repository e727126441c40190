import { chromiumPath } from '@octavo/testing'
import { describe, expect, it, vi } from 'vitest'
import { openRoom } from '../room.ts'
import { visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** In the page: every access of the storage throws, and locks are refused, as where a browser gives pages no storage. */
function withoutStorage(): void {
  const refused = () => Promise.reject(new DOMException('No locks.', 'SecurityError'))
  Object.defineProperty(navigator, 'locks', { value: { request: refused, query: refused } })
  Object.defineProperty(window, 'localStorage', {
    get: () => {
      throw new DOMException('No storage.', 'SecurityError')
    },
  })
}

/** In the page: the storage can be read and takes nothing, as on a full disk and in some private windows. */
function withFullStorage(): void {
  Storage.prototype.setItem = () => {
    throw new DOMException('No room.', 'QuotaExceededError')
  }
}

describe.runIf(chromiumPath())('The desk in a browser', () => {
  const room = openRoom()

  it.each([
    ['without a storage', withoutStorage, 'This browser does not let the desk keep a copy of what you type.'],
    ['whose storage is full', withFullStorage, 'This device has no room for a copy of what you type.'],
  ])(
    '%s opens and saves entries, says that it keeps no copy, and chooses columns',
    async (_, prepare, words) => {
      const { url, quiet } = room.site
      const { page, leave } = await visit(room.browser, url, 'about:blank')
      await page.addInitScript(prepare)
      await page.goto(`${url}/desk/content/articles/${quiet}`)
      const summary = page.getByRole('textbox', { name: 'Summary' })
      await summary.fill(`Typed ${prepare.name}`)
      await page.getByText(`${words} Save often.`).waitFor()
      await page.getByRole('button', { name: 'Save draft' }).click()
      await expect.poll(() => page.getByRole('button', { name: 'Saved' }).count()).toBeGreaterThan(0)
      await page.goto(`${url}/desk/content/articles`)
      await page.getByText('Columns').click()
      await page.getByRole('checkbox', { name: 'Rating' }).check()
      await page.getByRole('columnheader', { name: 'Rating' }).waitFor()
      await page.goto(`${url}/desk/content/articles/${quiet}`)
      expect(await summary.inputValue()).toBe(`Typed ${prepare.name}`)
      await page.goto(`${url}/desk/content/articles/new`)
      await page.getByRole('textbox', { name: 'Headline' }).waitFor()
      await leave()
    },
  )
})
