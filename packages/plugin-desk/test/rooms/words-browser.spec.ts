/** The words of the rooms about things that were deleted or changed elsewhere. */
import { describe, expect, it, vi } from 'vitest'
import { de } from '../../src/browser/text/de.ts'
import { executablePath, visit } from '../entry/visit.ts'
import { openFilledRoom } from './filled-room.ts'

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
