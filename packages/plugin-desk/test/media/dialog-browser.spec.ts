/** Dialogs with something that was written, the focal point by keyboard, and several files that are chosen at once. */
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { executablePath, visit } from '../entry/visit.ts'
import { openRoom } from '../room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('Dialogs of the desk', () => {
  const room = openRoom()
  const question = 'dialog: There are changes that are not saved. Leave without them?'
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>`

  const open = (address: string) => visit(room.browser, room.site.url, address)
  const upload = async (page: Awaited<ReturnType<typeof open>>['page'], names: readonly string[]) => {
    await page
      .locator('input[type=file]')
      .setInputFiles(names.map((name) => ({ name, mimeType: 'image/svg+xml', buffer: Buffer.from(picture) })))
    for (const name of names) await page.getByRole('button', { name, exact: true }).waitFor()
  }

  it('ask before they are closed with a text that is not saved', async () => {
    const { page, complaints, leave } = await open('/desk/media')
    await upload(page, ['asked.svg'])
    await page.getByRole('button', { name: 'asked.svg', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'asked.svg' })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'asked.svg', exact: true }).click()
    const alternative = dialog.getByLabel('Alternative text')
    await alternative.fill('Two people at a door')
    await page.keyboard.press('Escape')
    await expect.poll(() => complaints).toEqual([question])
    // Chromium closes a dialog that refuses to be closed three times in a row.
    for (let asked = 2; asked <= 4; asked++) {
      await page.keyboard.press('Escape')
      await expect.poll(() => complaints.length).toBe(asked)
    }
    complaints.length = 0
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(complaints).toEqual([question])
    expect(await alternative.inputValue()).toBe('Two people at a door')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'asked.svg', exact: true }).click()
    expect(await alternative.inputValue()).toBe('Two people at a door')
    await dialog.locator('.focal').click({ position: { x: 3, y: 3 } })
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(complaints).toEqual([question, question])
    complaints.length = 0
    await leave()
  })

  it('take no file of another kind in the place of one', async () => {
    const { page, leave } = await open('/desk/media')
    await upload(page, ['kept.svg'])
    await page.getByRole('button', { name: 'kept.svg', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'kept.svg' })
    const replace = dialog.locator('input[type=file]')
    await replace.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('text') })
    await dialog.getByRole('alert').getByText('The new file is of another kind').waitFor()
    expect(await dialog.getByText('image/svg+xml').count()).toBe(1)
    await replace.setInputFiles({ name: 'b.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(picture) })
    await dialog.getByText('The file is replaced').waitFor()
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await leave()
  })

  it('ask before an address is lost that was typed into an invitation', async () => {
    const { page, complaints, leave } = await open('/desk/people')
    await page.getByRole('button', { name: 'Invite' }).click()
    const address = page.getByRole('dialog').getByLabel('Email')
    await address.fill('bea@example.org')
    await page.keyboard.press('Escape')
    await expect.poll(() => complaints).toEqual([question])
    expect(await address.inputValue()).toBe('bea@example.org')
    complaints.length = 0
    await leave()
  })

  it('the number of a focal point is emptied and written anew', async () => {
    const { page, leave } = await open('/desk/media')
    await upload(page, ['point.svg'])
    await page.getByRole('button', { name: 'point.svg', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'point.svg' })
    const across = dialog.getByRole('spinbutton').first()
    await across.fill('50')
    await across.press('Backspace')
    await across.press('Backspace')
    expect(await across.inputValue()).toBe('')
    await across.pressSequentially('72.5')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'point.svg', exact: true }).click()
    expect(await across.inputValue()).toBe('72.5')
    await leave()
  })

  /** Changes the texts of a file beside its dialog, as somebody else does. */
  const describeBeside = async (page: Page, name: string, info: object) => {
    const origin = room.site.url
    const { request } = page.context()
    const list = await request.get(`${origin}/desk/api/files`, { params: { 'filters[name]': name } })
    const [{ id }] = await list.json()
    const headers = { origin }
    const multipart = { fileInfo: JSON.stringify(info) }
    const answer = await request.post(`${origin}/desk/api/files?id=${id}`, { headers, multipart })
    expect(answer.status()).toBe(200)
    return async () => (await request.get(`${origin}/desk/api/files/${id}`)).json()
  }

  it('a file that is replaced keeps the name and the texts that somebody else has given it meanwhile', async () => {
    const { page, leave } = await open('/desk/media')
    await upload(page, ['replaced.svg'])
    await page.getByRole('button', { name: 'replaced.svg', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'replaced.svg' })
    const stored = await describeBeside(page, 'replaced.svg', { name: 'theirs.svg', caption: 'By them' })
    const other = { name: 'other.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(`${picture}\n`) }
    await dialog.locator('input[type=file]').setInputFiles([other])
    await dialog.getByText('The file is replaced').waitFor()
    expect(await stored()).toMatchObject({ name: 'theirs.svg', caption: 'By them' })
    await dialog.getByLabel('Caption').fill('By me')
    const save = dialog.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await dialog.getByRole('alert').filter({ hasText: 'Somebody else has changed this' }).waitFor()
    expect(await stored()).toMatchObject({ name: 'theirs.svg', caption: 'By them' })
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    expect(await stored()).toMatchObject({ name: 'theirs.svg', caption: 'By me' })
    await leave()
  })

  it('the texts of somebody else are loaded in place of those that were typed', async () => {
    const { page, leave } = await open('/desk/media')
    await upload(page, ['loaded.svg'])
    await page.getByRole('button', { name: 'loaded.svg', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'loaded.svg' })
    await dialog.getByLabel('Alternative text').fill('By me')
    await describeBeside(page, 'loaded.svg', { alternativeText: 'By them', caption: 'Theirs' })
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByRole('button', { name: 'Load their version' }).press('Enter')
    await expect.poll(() => dialog.getByLabel('Alternative text').inputValue()).toBe('By them')
    expect(await dialog.getByLabel('Caption').inputValue()).toBe('Theirs')
    // The question is answered, and its button gone: the keyboard goes on in the form.
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await expect.poll(() => page.evaluate(() => document.activeElement?.matches('dialog form *'))).toBe(true)
    await leave()
  })

  it('files that are chosen together are taken back together', async () => {
    const { page, leave } = await open('/desk/media')
    await upload(page, ['one.svg', 'two.svg'])
    await page.goto(`${room.site.url}/desk/content/articles/${room.site.quiet}`)
    const gallery = page.getByRole('group', { name: 'Gallery' })
    await gallery.getByRole('button', { name: 'Choose' }).click()
    for (const name of ['one.svg', 'two.svg'])
      await page
        .getByRole('dialog')
        .getByRole('checkbox', { name: `Select ${name}` })
        .check()
    await page.getByRole('dialog').getByRole('button', { name: 'Add 2 files' }).click()
    await expect.poll(() => gallery.locator('.chip').count()).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => gallery.locator('.chip').count()).toBe(0)
    await leave()
  })
})
