/** Two tabs of one browser, in one of which another person signs in. */
import { describe, expect, it, vi } from 'vitest'
import { executablePath, visit } from './entry/visit.ts'
import { password } from './reading-room.ts'
import { openRoom } from './room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('Another account in another tab', () => {
  const room = openRoom()

  it('writes nothing for the first one, who signs in again and goes on', async () => {
    const { site, browser } = room
    const type = 'api::article.article'
    await site.hire('bea@example.org', [
      { action: 'read', type },
      { action: 'update', type },
    ])
    const { page, leave } = await visit(browser, site.url, `/desk/content/articles/${site.quiet}`)
    const summary = page.getByLabel('Summary')
    await summary.fill('Written by Ada.')
    const other = await page.context().newPage()
    await other.goto(`${site.url}/desk`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByLabel('Email address').fill('bea@example.org')
    await other.getByLabel('Password').fill(password)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.locator('.me').waitFor()

    const stored = async () => {
      const answer = await page
        .context()
        .request.get(`${site.url}/desk/api/content/articles/${site.quiet}?publicationState=preview`)
      const { summary, updatedByCaller } = (await answer.json()).data.attributes
      return [summary, updatedByCaller]
    }
    await page.getByRole('button', { name: 'Save draft' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    // Ada looks at this page again: it waits for her, and not for whoever is signed in.
    const asked = page.waitForResponse((answer) => answer.url().endsWith('/desk/api/me'))
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await asked
    expect(await dialog.isVisible()).toBe(true)
    expect(await stored()).toEqual(['A river begins to speak.', null])
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(await stored()).toEqual(['Written by Ada.', 'editor 1'])
    await leave()
  })
})
