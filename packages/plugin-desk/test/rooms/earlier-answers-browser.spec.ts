/** Pages that have shown something, and are opened again after a change at another page: they show what the server stores. */
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { executablePath, visit, withoutPauses } from '../entry/visit.ts'
import { openFilledRoom } from './filled-room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('After a change elsewhere', () => {
  const room = openFilledRoom()
  const make = async (path: string, body: object): Promise<number> => {
    const answer = await room.site.send(room.ada, 'POST', path, body)
    expect([path, answer.status]).toEqual([path, 200])
    return answer.body.data?.id ?? answer.body.id
  }
  const open = async (address: string) => {
    const visited = await visit(room.browser, room.site.url, 'about:blank')
    await visited.page.addInitScript(withoutPauses)
    await visited.page.goto(`${room.site.url}${address}`)
    return visited
  }
  /** Lets the list of articles show some columns. */
  const showColumns = async (columns: readonly string[]): Promise<void> => {
    const { body } = await room.site.send(room.ada, 'GET', 'layouts/api::article.article')
    const list = { ...body.list, columns }
    await room.site.send(room.ada, 'PUT', 'layouts/api::article.article', { ...body, list })
  }
  /** Follows a link of the navigation, which asks the server for no document. */
  const goTo = (page: Page, name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).first().click()

  it('a text beside a translation is the one that was saved on its own page', async () => {
    const english = await make('content/articles', { data: { title: 'English', text: 'One', locale: 'en' } })
    const german = { title: 'Deutsch', text: 'Alter Text', locale: 'de' }
    const other = await make(`content/articles/${english}/localizations`, german)
    const { page, leave } = await open(`/desk/content/articles/${english}`)
    const text = page.locator('#field-text')
    const beside = () => page.locator('select').filter({ hasText: 'German' }).first().selectOption('de')
    const language = (code: string) => page.locator('.langs a').filter({ hasText: code }).click()
    await beside()
    await page.getByText('Alter Text', { exact: true }).waitFor()
    await language('de')
    await page.waitForURL(new RegExp(`articles/${other}$`))
    await expect.poll(() => text.inputValue()).toBe('Alter Text')
    await text.fill('Neuer Text')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await language('en')
    await page.waitForURL(new RegExp(`articles/${english}$`))
    await beside()
    await page.getByText('Neuer Text', { exact: true }).waitFor()
    expect(await page.getByText('Alter Text', { exact: true }).count()).toBe(0)
    await leave()
  })

  it('a list shows the present name of a related entry', async () => {
    const tag = await make('content/tags', { data: { name: 'Former name' } })
    await make('content/articles', { data: { title: 'With a tag', tags: [tag] } })
    await showColumns(['id', 'title', 'tags'])
    const { page, leave } = await open('/desk/content/articles')
    await page.locator('tbody').getByText('Former name').waitFor()
    await page.getByRole('link', { name: 'With a tag' }).click()
    await page.getByRole('button', { name: 'Open Former name' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Name').fill('Present name')
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.waitFor({ state: 'detached' })
    await goTo(page, 'Articles')
    await page.locator('tbody').getByText('Present name').waitFor()
    await leave()
  })

  it('a list to choose from lacks the entries that were deleted in their list', async () => {
    await make('content/tags', { data: { name: 'A tag that goes' } })
    const article = await make('content/articles', { data: { title: 'Chooses' } })
    const { page, leave } = await open(`/desk/content/articles/${article}`)
    const tags = page.getByRole('combobox', { name: /tags/ })
    await tags.fill('A tag that')
    await page.getByRole('option', { name: 'A tag that goes', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await goTo(page, 'Tags')
    await page.locator('tbody tr').filter({ hasText: 'A tag that goes' }).getByRole('checkbox').check()
    await page.locator('.foot').getByRole('button', { name: 'Delete' }).click()
    const deleted = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await goTo(page, 'Articles')
    await deleted
    await page.getByRole('link', { name: 'Chooses' }).click()
    await tags.fill('A tag that')
    await page.getByRole('option', { name: /^Create/ }).waitFor()
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await leave()
  })

  it('a list shows no picture of a file that was deleted in the library', async () => {
    await showColumns(['id', 'title', 'cover'])
    const { page, leave } = await open('/desk/content/articles')
    const pictures = page.locator('tbody img')
    await pictures.first().waitFor()
    await goTo(page, 'Media')
    const files = page.locator('.media input[type=checkbox]')
    await files.first().waitFor()
    for (const file of await files.all()) await file.check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await goTo(page, 'Articles')
    await page.locator('tbody tr').first().waitFor()
    await expect.poll(() => pictures.count()).toBe(0)
    await leave()
  })
})
