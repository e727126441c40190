/** Files on their way to the library, and files that are gone from it. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { executablePath, launch, visit } from '../entry/visit.ts'
import { openRooms } from '../routes/site.ts'
import type { Site } from '../site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

describe.runIf(executablePath)('Files of the library', () => {
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    site = await openRooms()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const file = (name: string, text = 'Text.') => ({
    ...{ name, mimeType: 'text/plain', buffer: Buffer.from(text) },
  })

  it('are uploaded and replaced from files whose names have signs that the server does not take', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/media')
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([file('What "is" it?.txt'), file('a<b>: 1|2.txt'), file('plain.txt')])
    for (const name of ['What -is- it-.txt', 'a-b-- 1-2.txt', 'plain.txt'])
      await page.locator('.media li').filter({ hasText: name }).waitFor()
    expect(await page.locator('.uploads').count()).toBe(0)
    await page.getByRole('button', { name: 'plain.txt' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=file]').setInputFiles(file('other?.txt', 'Another text.'))
    await dialog.getByText('The file is replaced.').waitFor()
    expect(await dialog.getByRole('heading', { name: 'plain.txt' }).count()).toBe(1)
    await leave()
  })

  it('that were deleted after they were chosen are named in words of the person', async () => {
    const ada = await site.signIn('ada@example.org')
    const { page, leave } = await visit(browser, site.url, '/desk/content/articles/new')
    await page.locator('#field-title').fill('With a file')
    await page.getByRole('button', { name: 'Choose from the library' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'plain.txt' }).click()
    await page.locator('.chip', { hasText: 'plain.txt' }).waitFor()
    const { body } = await site.send(ada, 'GET', 'files')
    const { id } = body.find(({ name }: { name: string }) => name === 'plain.txt')
    expect((await site.send(ada, 'DELETE', `files/${id}`)).status).toBe(200)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('has something that was deleted meanwhile').waitFor()
    expect(await page.getByText('plugin::upload.file').count()).toBe(0)
    await page.getByRole('button', { name: 'Remove plain.txt' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await leave()
  })
})
