/** Work that a page has begun, or is about to do, when the session of the person ends. */
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { executablePath, visit } from './entry/visit.ts'
import { password } from './reading-room.ts'
import { openRoom } from './room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('The end of a session', () => {
  const room = openRoom()
  const open = (address: string) => visit(room.browser, room.site.url, address)
  const formOver = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })

  it('is followed by a form that no key closes, nor the dialog below it with what is written there', async () => {
    const { page, leave } = await open('/desk/media')
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes on rivers') }
    await page.locator('input[type=file]').setInputFiles(notes)
    await page.getByRole('button', { name: notes.name, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: notes.name })
    await dialog.getByLabel('Caption').fill('Written before')
    await page.context().clearCookies()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await formOver(page).waitFor()
    for (let presses = 0; presses < 6; presses++) await page.keyboard.press('Escape')
    const areOpen = () => page.locator('dialog').evaluateAll((all) => all.map((one) => one.matches(':modal')))
    expect(await areOpen()).toEqual([true, true])
    await formOver(page).getByText('If you can no longer sign in').click()
    const typed = formOver(page).getByRole('textbox', { name: 'What you have typed' })
    expect(await typed.inputValue()).toBe('Caption\nWritten before')
    await formOver(page).getByLabel('Password').fill(password)
    await formOver(page).getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: notes.name, exact: true }).click()
    expect(await dialog.getByLabel('Caption').inputValue()).toBe('Written before')
    await leave()
  })

  it('leaves the words in a list to choose from, and the focus at them', async () => {
    const { page, leave } = await open(`/desk/content/articles/${room.site.quiet}`)
    const list = page.getByRole('combobox', { name: /categories/ })
    await list.press('ArrowDown')
    await page.getByRole('option', { name: 'Letters' }).waitFor()
    await page.context().clearCookies()
    // At once: what is typed after the answer goes to the form.
    await page.keyboard.insertText('lett')
    await formOver(page).getByLabel('Password').fill(password)
    await formOver(page).getByRole('button', { name: 'Sign in' }).click()
    await formOver(page).waitFor({ state: 'detached' })
    expect(await list.inputValue()).toBe('lett')
    await expect.poll(() => list.evaluate((input) => input.matches(':focus'))).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Letters' }).click()
    await page.locator('.chip', { hasText: 'Letters' }).waitFor()
    await leave()
  })

  it('is over on each page once the person has signed in on one of them, and comes back', async () => {
    const { page, leave } = await open(`/desk/content/articles/${room.site.quiet}`)
    const other = await page.context().newPage()
    await page.getByLabel('Summary').fill('Written on the first page')
    await page.context().clearCookies()
    await page.getByLabel('Secret').fill('never-shown-1')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await formOver(page).waitFor()
    // A person who is blocked by now cannot sign in again.
    await formOver(page).getByText('If you can no longer sign in').click()
    const typed = formOver(page).getByRole('textbox', { name: 'What you have typed' })
    expect(await typed.inputValue()).toBe('Summary\nWritten on the first page')
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    })
    await formOver(page).getByRole('button', { name: 'Copy' }).click()
    await formOver(page).getByText('The browser has refused to copy it.').waitFor()
    await other.goto(`${room.site.url}/desk`)
    await other.getByLabel('Email address').fill('ada@example.org')
    await other.getByLabel('Password').fill(password)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('button', { name: 'Sign out' }).waitFor()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await formOver(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(await page.getByLabel('Summary').inputValue()).toBe('Written on the first page')
    await leave()
  })

  it('is the end of a page too that the browser brings back as it was, and what was typed there is kept', async () => {
    const { page, leave } = await open(`/desk/content/articles/${room.site.quiet}`)
    await page.getByLabel('Summary').fill('Written before the page was left')
    await page.context().clearCookies()
    // The browser of the tests keeps no pages: these are the events of one that does.
    await page.evaluate(() => {
      for (const name of ['pagehide', 'pageshow'])
        window.dispatchEvent(new PageTransitionEvent(name, { persisted: true }))
    })
    await page.getByLabel('Email address').fill('ada@example.org')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('that were not saved are back').waitFor()
    expect(await page.getByLabel('Summary').inputValue()).toBe('Written before the page was left')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await leave()
  })

  it('by a sign-out carries out the deletions that could still be undone', async () => {
    const { page, leave } = await open('/desk/content/authors')
    await page.getByRole('checkbox', { name: /Li Wei/ }).check()
    await page.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Email address').waitFor()
    const rows = await room.site.octavo.store.query('select "name" from "authors"')
    expect(JSON.stringify(rows)).not.toContain('Li Wei')
    await leave()
  })
})
