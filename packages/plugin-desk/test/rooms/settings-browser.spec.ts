/** The settings of a person: they change nothing else, ask before they are left, and find what a request without an answer has done. */

import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { executablePath, nextFrame, type Visit, visit } from '../entry/visit.ts'
import { password } from '../site.ts'
import { acceptQuestions, goTo, holdMethod, loseNext, openFilledRoom } from './filled-room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('The settings', () => {
  const room = openFilledRoom()
  const read = { action: 'read', type: 'api::tag.tag' }
  /** Opens the settings of a new person. */
  const open = async (name: string): Promise<Visit & { readonly cookie: string }> => {
    const cookie = await room.site.hire(name, [read])
    const visited = await visit(room.browser, room.site.url, '/desk/settings', `${name}@example.org`)
    await visited.page.getByLabel('First name').waitFor()
    return { ...visited, cookie }
  }
  /** The heading of the section that has the focus. */
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.querySelector(':scope > h2')?.textContent)
  const sheet = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  /** Tries to leave the page, which asks; the person stays. */
  const unlessLeft = async ({ page, complaints }: Visit, question: string): Promise<void> => {
    complaints.length = 0
    await page.getByRole('link', { name: 'Tags' }).click()
    await expect.poll(() => complaints).toEqual([`dialog: ${question}`])
    await nextFrame(page)
    expect(new URL(page.url()).pathname).toBe('/desk/settings')
  }
  const unsaved = 'There are changes that are not saved. Leave without them?'
  /** The code of an app, some steps of 30 seconds from now. */
  const codeOf = (secret: string, step = 0): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + step * 30_000 })
  /** The secret that the page shows. */
  const begin = async (page: Page): Promise<string> => {
    const factor = sheet(page, 'Second factor')
    await factor.getByLabel('Current password').fill(password)
    await factor.getByRole('button').click()
    return ((await page.locator('code.secret').textContent()) ?? '').replaceAll(' ', '')
  }
  /** Saves a new password by a request whose answer is lost, and then by a second one. */
  const saveTwice = async (page: Page, present: string): Promise<void> => {
    await sheet(page, 'Password').getByLabel('Current password').fill(present)
    await page.getByLabel('New password').fill('Another-1-word')
    await loseNext(page, 'POST', /api\/password$/)
    const save = page.getByRole('button', { name: 'Save the password' })
    await save.click()
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await save.click()
  }
  const turnOn = async (page: Page, secret: string, step: number): Promise<void> => {
    await page.getByLabel(/^Code/).fill(codeOf(secret, step))
    await page.getByRole('button', { name: 'Turn on' }).click()
  }

  it('end each of several sessions, also before the answer about the one before', async () => {
    const visited = await open('leaves')
    const { page } = visited
    for (let i = 0; i < 2; i += 1) await room.site.signIn('leaves@example.org')
    await page.reload()
    const ends = page.getByRole('button', { name: /^End the session/ })
    await expect.poll(() => ends.count()).toBe(3)
    const deletes = await holdMethod(page, 'DELETE', /api\/sessions\//)
    // By keys: the sentence that it goes on moves the buttons, and one that moves between press and release has no click.
    for (let i = 0; i < 3; i += 1) await ends.nth(i).press('Enter')
    await expect.poll(() => deletes.held.length).toBe(3)
    await deletes.open()
    await expect.poll(() => ends.count()).toBe(0)
    await visited.leave()
  })

  it('keep what another tab has changed', async () => {
    const { page, cookie, leave } = await open('tabs')
    await room.site.send(cookie, 'PUT', 'me', { lastname: 'Lovelace' })
    await page.getByLabel('First name').fill('Augusta')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await room.site.send(cookie, 'GET', 'me')).body.person).toMatchObject({
      firstname: 'Augusta',
      lastname: 'Lovelace',
    })
    expect(await page.getByLabel('Last name').inputValue()).toBe('Lovelace')
    await goTo(page, 'Tags')
    await leave()
  })

  it('say that they are saved in the language that was chosen', async () => {
    const { page, leave } = await open('language')
    await page.getByLabel('Language').selectOption('fr')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Enregistré', { exact: true }).waitFor()
    await leave()
  })

  it('ask before they are left with a name or a new password, and not with what a browser has filled in', async () => {
    const visited = await open('left')
    const { page } = visited
    await sheet(page, 'Password').getByLabel('Current password').fill(password)
    await goTo(page, 'Tags')
    await goTo(page, 'Settings')
    await page.getByLabel('First name').fill('Typed')
    await unlessLeft(visited, unsaved)
    await page.getByLabel('First name').fill('left')
    await page.getByLabel('New password').fill('Another-1-word')
    await unlessLeft(visited, unsaved)
    expect(await page.getByLabel('New password').inputValue()).toBe('Another-1-word')
    await page.context().close()
  })

  it('find a password that was saved by a request without an answer', async () => {
    const { page, leave } = await open('password')
    await saveTwice(page, password)
    await page.getByText('Saved. All other sessions have ended.').waitFor()
    const login = { email: 'password@example.org', password: 'Another-1-word' }
    expect((await room.site.send(undefined, 'POST', 'login', login)).status).toBe(200)
    await leave()
  })

  it('refuse a wrong present password after a request without an answer too', async () => {
    const { page, leave } = await open('wrong')
    await saveTwice(page, 'Not-1-word')
    await page.getByRole('alert').filter({ hasText: 'This is not your current password.' }).waitFor()
    acceptQuestions(page)
    await leave()
  })

  it('make new recovery codes where those of the second factor were lost, and find that it was turned off', async () => {
    const { page, leave } = await open('factor')
    const secret = await begin(page)
    await loseNext(page, 'POST', /second-factor\/confirm$/)
    await turnOn(page, secret, -1)
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('alert').filter({ hasText: 'its recovery codes did not arrive' }).waitFor()
    const factor = sheet(page, 'Second factor')
    await factor.getByLabel('Current password').fill(password)
    await factor.getByLabel(/^Code/).fill(codeOf(secret, 0))
    await factor.getByRole('button', { name: 'New recovery codes' }).click()
    await expect.poll(() => page.locator('.codes li').count()).toBe(10)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await factor.getByLabel('Current password').fill(password)
    await factor.getByLabel(/^Code/).fill(codeOf(secret, 1))
    await loseNext(page, 'POST', /second-factor\/remove$/)
    const turnOff = factor.getByRole('button', { name: 'Turn off' })
    await turnOff.click()
    await factor.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await turnOff.click()
    await turnOff.waitFor({ state: 'detached' })
    const login = { email: 'factor@example.org', password }
    expect((await room.site.send(undefined, 'POST', 'login', login)).status).toBe(200)
    await leave()
  })

  it('ask before they are left with recovery codes that are shown only now', async () => {
    const visited = await open('codes')
    const { page } = visited
    await turnOn(page, await begin(page), 0)
    await page.locator('.codes li').first().waitFor()
    expect(await focused(page)).toBe('Recovery codes')
    await unlessLeft(visited, 'The recovery codes are shown only now. Leave without them?')
    await page.getByRole('button', { name: 'I have kept them' }).press('Enter')
    await sheet(page, 'Second factor').waitFor()
    expect(await focused(page)).toBe('Second factor')
    await goTo(page, 'Tags')
    await page.context().close()
  })
})
