/** The words of the rooms about things that were deleted or changed elsewhere. */
import { describe, expect, it, vi } from 'vitest'
import { de } from '../../src/browser/text/de.ts'
import { executablePath, visit } from '../entry/visit.ts'
import { acceptQuestions, openFilledRoom } from './filled-room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const picture = { name: 'late.txt', mimeType: 'text/plain', buffer: Buffer.from('Late.') }

describe.runIf(executablePath)('A room', () => {
  const room = openFilledRoom()
  const send = (method: string, path: string, body?: object) => room.site.send(room.ada, method, path, body)

  it('says in the language of the person that a folder was deleted, and takes files at the place outside of it', async () => {
    const { body: folder } = await send('POST', 'folders', { name: 'Short lived', parent: null })
    const address = `/desk/media?folder=${folder.id}`
    const { page, leave } = await visit(room.browser, room.site.url, address, undefined, 'de-DE')
    await page.locator('.way b').filter({ hasText: 'Short lived' }).waitFor()
    await send('DELETE', `folders/${folder.id}`)
    await page.locator('input[type=file]').first().setInputFiles(picture)
    await page.locator('.uploads .error').filter({ hasText: de.folderGone }).waitFor()
    await page.locator('.note').filter({ hasText: de.folderGone }).waitFor()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ ...picture, name: 'later.txt' })
    await page.locator('.media li').filter({ hasText: 'later.txt' }).waitFor()
    if (process.env.OCTAVO_SCREENSHOTS)
      await page.screenshot({ path: `${process.env.OCTAVO_SCREENSHOTS}/folder-gone.png` })
    await leave()
  })

  it('says in the language of the person that a name of a folder is taken', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/media', undefined, 'de-DE')
    await page.getByRole('button', { name: de.newFolder }).click()
    await page.getByLabel(de.folderName).fill('Folder')
    await page.getByRole('button', { name: de.save, exact: true }).click()
    await page.getByRole('alert').filter({ hasText: de.folderTaken }).waitFor()
    await leave()
  })

  it('says in the language of the person, with the labels of its fields, what is wrong in a form', async () => {
    const { mistakes } = de
    const { page } = await visit(room.browser, room.site.url, '/desk/locales', undefined, 'de-DE')
    const dialog = page.getByRole('dialog')
    const said = (...words: readonly string[]) =>
      expect.poll(() => dialog.getByRole('alert').textContent()).toContain(words.join(' '))
    const open = async (address: string, button: string) => {
      acceptQuestions(page)
      await page.goto(`${room.site.url}/desk/${address}`)
      await page.getByRole('button', { name: button, exact: true }).click()
    }
    const send = () => dialog.locator('button[type=submit]').click()
    await page.getByRole('button', { name: de.newLocale, exact: true }).click()
    await dialog.getByLabel(de.localeCode).fill('no code')
    await dialog.getByLabel(de.fileName, { exact: true }).fill('x'.repeat(101))
    await send()
    await said(de.localeCode, mistakes.languageCode('pt-BR'), de.fileName, mistakes.length('100'))

    await open('webhooks', de.newWebhook)
    const url = dialog.getByLabel(de.webhookUrl)
    await dialog.getByLabel(de.webhookName).fill('One\u202eTwo')
    await url.fill('ftp://example.org')
    for (const box of await dialog.getByRole('group', { name: de.webhookEvents }).getByRole('checkbox').all())
      await box.uncheck()
    await send()
    await said(
      ...[de.fileName, mistakes.invisible, de.webhookUrl, mistakes.webAddress('2000')],
      ...[de.webhookEvents, mistakes.noChoice],
    )
    await url.fill('https://ada:word@example.org')
    await send()
    await said(de.webhookUrl, mistakes.noPassword)

    await open('tokens', de.newToken)
    await dialog.getByLabel(de.tokenName).fill('Late')
    await dialog.getByLabel(de.tokenEnds).fill('2020-01-01')
    await send()
    await said(de.tokenEnds, mistakes.future)
    await page.context().close()
  })

  it('does not name somebody else where only the fields of a layout have changed', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, 'about:blank')
    // The page was loaded before the server was started with another field.
    const layout = /api\/layouts\/api%3A%3Aarticle/
    await page.route(layout, async (route) => {
      const answer = await route.fetch()
      const { kind: _, ...fields } = (await answer.json()).fields
      const json = { ...(await answer.json()), fields }
      await route.fulfill({ response: answer, json, headers: { ...answer.headers(), etag: '"older"' } })
    })
    await page.goto(`${room.site.url}/desk/layouts?type=api::article.article`)
    await page.getByLabel('Entries on a page').fill('30')
    await page.unroute(layout)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    for (let n = 0; n < 2; n++) {
      await save.click()
      await page.getByRole('alert').filter({ hasText: 'fields of the content have changed' }).waitFor()
      expect(await page.getByText('Somebody else').count()).toBe(0)
    }
    await leave()
  })
})
