/** Actions that are requested while another one is under way run after it. */
import { describe, expect, it, vi } from 'vitest'
import { executablePath, nothingUnsaved, visit } from '../entry/visit.ts'
import { holdMethod, openFilledRoom } from './filled-room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('A press before the answer to another one', () => {
  const room = openFilledRoom()
  const open = (address: string) => visit(room.browser, room.site.url, address)
  const stored = async (path: string) => (await room.site.send(room.ada, 'GET', path)).body

  it('makes the last of two languages the default', async () => {
    const { page, leave } = await open('/desk/locales')
    const puts = await holdMethod(page, 'PUT', /api\/locales\//)
    for (const name of ['German (de)', 'Locale'])
      await page.getByRole('button', { name: `Make it the default: ${name}` }).click()
    await puts.begun()
    await puts.open()
    const isDefault = async () =>
      (await stored('locales')).find((one: { isDefault: boolean }) => one.isDefault).code
    await expect.poll(isDefault).toBe('fr')
    await leave()
  })

  it('saves a webhook whose test is under way', async () => {
    const { page, leave } = await open('/desk/webhooks')
    await page.getByRole('button', { name: 'Webhook', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const tests = await holdMethod(page, 'POST', /\/test$/)
    await dialog.getByRole('button', { name: 'Send a test' }).click()
    await tests.begun()
    await dialog.getByLabel('Name of the webhook').fill('Renamed')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await Promise.all(tests.held.splice(0).map((route) => route.fulfill({ json: { error: null } })))
    await dialog.waitFor({ state: 'detached' })
    expect((await stored('webhooks')).webhooks[0].name).toBe('Renamed')
    await leave()
  })

  it('saves the roles of a person whose new link is under way', async () => {
    await room.site.hire('turn', [{ action: 'read', type: 'api::tag.tag' }])
    const { page, complaints } = await open('/desk/people')
    await page.getByRole('button', { name: 'turn', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const links = await holdMethod(page, 'POST', /\/link$/)
    await dialog.getByRole('button', { name: 'New link for a password' }).click()
    await links.begun()
    await dialog.getByRole('checkbox', { name: /^Role/ }).check()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await links.open()
    const people = async () =>
      (await stored('people')).find(({ firstname }: { firstname: string }) => firstname === 'turn').roles
    await expect.poll(people).toHaveLength(2)
    // The link is shown only once.
    await dialog.getByLabel(/^Link to set a password/).waitFor()
    await page.context().close()
    expect(complaints).toEqual([])
  })

  it('moves further files that are dragged onto a folder', async () => {
    const { page, leave } = await open('/desk/media')
    const files = ['first.txt', 'second.txt'].map((name) => ({
      ...{ name, mimeType: 'text/plain', buffer: Buffer.from(name) },
    }))
    await page.locator('input[type=file]').setInputFiles(files)
    const tile = (name: string) => page.locator('.media li').filter({ hasText: name })
    for (const { name } of files) await tile(name).waitFor()
    const folder = page.locator('.folders').getByRole('button', { name: 'Folder', exact: true })
    const moves = await holdMethod(page, 'POST', /api\/folders\/move$/)
    for (const { name } of files) await tile(name).dragTo(folder)
    await moves.begun()
    await moves.open()
    for (const { name } of files) await tile(name).waitFor({ state: 'detached' })
    await leave()
  })

  it('saves a file whose replacement is under way', async () => {
    const { page, leave } = await open('/desk/media')
    const file = { name: 'replaced.txt', mimeType: 'text/plain', buffer: Buffer.from('1') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'replaced.txt', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const posts = await holdMethod(page, 'POST', /api\/files/)
    await dialog.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from('2') })
    await posts.begun()
    await dialog.getByLabel('Caption').fill('A caption')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await posts.open()
    await dialog.waitFor({ state: 'detached' })
    const caption = async () =>
      (await stored('files')).find(({ name }: { name: string }) => name === 'replaced.txt').caption
    await expect.poll(caption).toBe('A caption')
    await leave()
  })

  it('saves what was written since the entry was sent', async () => {
    const { page, leave } = await open('/desk/content/tags/1')
    const name = page.getByRole('textbox', { name: 'Name' })
    const puts = await holdMethod(page, 'PUT', /content\/tags\/1/)
    await name.fill('First')
    await page.keyboard.press('Control+s')
    await puts.begun()
    await name.fill('Second')
    await page.keyboard.press('Control+s')
    await puts.open()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect((await stored('content/tags/1')).data.attributes.name).toBe('Second')
    await leave()
  })

  it('saves a layout that is about to be the usual one, and what was written since its save began', async () => {
    const path = 'layouts/api::tag.tag'
    const { page, leave } = await open('/desk/layouts?type=api::tag.tag')
    const label = page.getByLabel('Label', { exact: true }).first()
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const deletions = await holdMethod(page, 'DELETE', /api\/layouts/)
    const labels = async () =>
      Object.values<{ label: string }>((await stored(path)).fields).map((look) => look.label)
    await page.locator('form.layout summary').first().click()
    await label.fill('Before')
    await press('Back to the usual layout')
    await deletions.begun()
    await label.fill('First')
    await press('Save')
    await deletions.open()
    await expect.poll(labels).toContain('First')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await label.inputValue()).toBe('First')

    const saves = await holdMethod(page, 'PUT', /api\/layouts/)
    await label.fill('Second')
    await press('Save')
    await saves.begun()
    await label.fill('Third')
    await press('Save')
    await saves.open()
    await expect.poll(labels).toContain('Third')
    await nothingUnsaved(page)
    await leave()
  })

  it('saves what was changed in a role since its save began', async () => {
    const { page, leave } = await open('/desk/roles')
    const made = await room.site.send(room.ada, 'POST', 'roles', { name: 'In turn', rights: [] })
    await page.reload()
    await page
      .getByRole('link', { name: 'In turn' })
      .or(page.getByRole('button', { name: 'In turn' }))
      .click()
    const saves = await holdMethod(page, 'PUT', /api\/roles/)
    const description = page.getByLabel('Description')
    for (const words of ['First', 'Second']) {
      await description.fill(words)
      await page.getByRole('button', { name: 'Save the role', exact: true }).click()
      await saves.begun()
    }
    await saves.open()
    const described = async () => (await stored(`roles/${made.body.id}`)).description
    await expect.poll(described).toBe('Second')
    await nothingUnsaved(page)
    await leave()
  })

  it('saves a name that was changed back since its save began', async () => {
    const { page, leave } = await open('/desk/settings')
    const saves = await holdMethod(page, 'PUT', /api\/me$/)
    const form = page.getByRole('region', { name: 'About me' })
    const last = page.waitForResponse((answer) => answer.request().postData() === '{"firstname":"Ada"}')
    for (const name of ['Adele', 'Ada']) {
      await form.getByLabel('First name').fill(name)
      await form.getByRole('button', { name: 'Save', exact: true }).click()
      await saves.begun()
    }
    await saves.open()
    await last
    expect((await stored('me')).person.firstname).toBe('Ada')
    await nothingUnsaved(page)
    await leave()
  })
})
