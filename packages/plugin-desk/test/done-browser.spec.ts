/** A page shows a change as done once it is: a person who goes on at once has the new state, and no click is lost. */
import type { Locator } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { executablePath, hold, pass, visit } from './entry/visit.ts'
import { openRoom } from './room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** The places of the buttons in a part of the page, and its own. */
const placesIn = async (part: Locator) =>
  Promise.all([part, ...(await part.getByRole('button').all())].map((one) => one.boundingBox()))

describe.runIf(executablePath)('What is shown as done', () => {
  const room = openRoom()

  it('the dialog of a file stays until the library has what was saved, and has it when it is opened again', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/media')
    const dialog = page.getByRole('dialog')
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes on rivers') }
    await page.locator('input[type=file]').setInputFiles(notes)
    const tile = page.getByRole('button', { name: notes.name, exact: true })
    await tile.click()
    await dialog.getByLabel('Caption').fill('By the river')
    const lists = await hold(page, /api\/files\?(?!id=)/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await lists.some()
    const before = await placesIn(dialog)
    await dialog.getByText('One moment').waitFor()
    expect(await placesIn(dialog)).toEqual(before)
    await lists.each(pass)
    await dialog.waitFor({ state: 'detached' })
    await tile.click()
    expect(await dialog.getByLabel('Caption').inputValue()).toBe('By the river')
    await leave()
  })

  it('the dialog of a person stays until the list has the roles that were saved, and has them when it is opened again', async () => {
    for (const email of ['bea@example.org', 'cleo@example.org']) await room.site.hire(email, [])
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/people')
    const dialog = page.getByRole('dialog')
    const bea = page.getByRole('listitem').filter({ hasText: 'bea@example.org' }).getByRole('button')
    await bea.click()
    const role = dialog.getByRole('checkbox', { name: 'cleo@example.org' })
    expect(await role.isChecked()).toBe(false)
    await role.check()
    const lists = await hold(page, /api\/people$/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await lists.some()
    // A dialog that closed without waiting would be gone when the page was drawn twice.
    const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
    for (let n = 0; n < 2; n++) await drawn()
    expect(await dialog.isVisible()).toBe(true)
    await lists.each(pass)
    await dialog.waitFor({ state: 'detached' })
    await bea.click()
    expect(await role.isChecked()).toBe(true)
    await leave()
  })

  it('a language is shown as the default once another one can be made so', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/locales')
    const isDefault = (name: string) =>
      page.getByRole('listitem').filter({ hasText: name }).getByText('Default', { exact: true })
    const makeDefault = (name: RegExp) => page.getByRole('button', { name }).click()
    await isDefault('English').waitFor()
    const models = await hold(page, /api\/model$/)
    await makeDefault(/default: French/)
    await models.some()
    const before = await placesIn(page.getByRole('main'))
    await page.getByText('One moment').waitFor()
    expect(await placesIn(page.getByRole('main'))).toEqual(before)
    expect(await isDefault('French').count()).toBe(0)
    await models.each(pass)
    await isDefault('French').waitFor()
    await makeDefault(/default: English/)
    await isDefault('English').waitFor()
    await leave()
  })
})
