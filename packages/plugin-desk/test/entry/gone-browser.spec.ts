/** Entries, roles, people and files that somebody else deletes while they are open at the desk. */
import { chromiumPath } from '@octavo/testing'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { password } from '../reading-room.ts'
import { openRoom } from '../room.ts'
import { visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(chromiumPath())('What is deleted meanwhile', () => {
  const room = openRoom()
  let cookie = ''

  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${room.site.url}/desk/api/${path}`, {
      method,
      headers: { origin: room.site.url, cookie, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect([path, answer.ok]).toEqual([path, true])
    cookie ||= answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return answer.json() as Promise<{ readonly id: number; readonly person?: { readonly id: number } }>
  }
  beforeAll(async () => {
    await send('POST', 'login', { email: 'ada@example.org', password })
  })

  const isToldIn = (page: Page) =>
    page.getByText('This has been deleted meanwhile, or your roles no longer show it.').first().waitFor()

  it('a role says so when it is saved, and is gone when it is deleted', async () => {
    const { id } = await send('POST', 'roles', { name: 'Gone', rights: [] })
    const { page, leave } = await visit(room.browser, room.site.url, `/desk/roles?role=${id}`)
    await page.getByLabel('Name of the role').fill('Another name')
    await send('DELETE', `roles/${id}`)
    await page.getByRole('button', { name: 'Save the role' }).click()
    await isToldIn(page)
    expect(await page.getByLabel('Name of the role').inputValue()).toBe('Another name')
    await page.getByRole('button', { name: 'Delete the role' }).click()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByLabel('Name of the role').waitFor({ state: 'hidden' })
    await leave()
  })

  it('a person, and a file, say so in their dialogs', async () => {
    const zed = await send('POST', 'people', { email: 'zed@example.org', firstname: 'Zed', roles: [1] })
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/people')
    await page.getByRole('button', { name: 'Zed' }).click()
    await send('DELETE', `people/${zed.person?.id}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await isToldIn(page)
    await page.goto(`${room.site.url}/desk/media`)
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }
    await page.locator('input[type=file][multiple]').setInputFiles(file)
    await page.getByRole('button', { name: 'a.txt', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Caption').fill('Typed')
    await send('DELETE', 'files/1')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await isToldIn(page)
    expect(await dialog.getByLabel('Caption').inputValue()).toBe('Typed')
    await leave()
  })

  it('a language says so in new entries and translations, whose text goes on in another language', async () => {
    const italian = () => send('POST', 'locales', { code: 'it', name: 'Italian', isDefault: false })
    const articles = '/desk/content/articles/new?locale=it'
    for (const [address, more] of [
      [articles, ''],
      [`${articles}&from=1`, 'and more'],
    ]) {
      const { id } = await italian()
      const { page, leave } = await visit(room.browser, room.site.url, `${address}`)
      const headline = page.getByRole('textbox', { name: 'Headline' })
      await headline.fill(`Written ${more}`)
      await page.getByRole('textbox', { name: 'Summary' }).fill('In short.')
      await send('DELETE', `locales/${id}`)
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByText('This language has been deleted meanwhile.').waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByText('This language has been deleted meanwhile.').waitFor()
      await page.getByRole('button', { name: 'Go on in a new entry' }).click()
      await page.waitForURL(/locale=en/)
      expect(await headline.inputValue()).toContain(`Written ${more}`)
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByRole('button', { name: 'Saved' }).waitFor()
      await leave()
    }
  })
})
