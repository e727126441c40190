/** Where a file is used, in Chromium: in parts of entries too, with the fields on the way. */
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { upload } from '@octavo/plugin-upload'
import { storedFile } from '@octavo/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { executablePath, launch, visit } from '../entry/visit.ts'
import { openSite, type Site } from '../site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

describe.runIf(executablePath)('The uses of a file', () => {
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    const story = {
      kind: 'collectionType',
      info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string' },
        cover: { type: 'media' },
        sections: { type: 'dynamiczone', components: ['text.gallery'] },
      },
    } as const
    const gallery = {
      uid: 'text.gallery',
      attributes: { pictures: { type: 'media', multiple: true } },
    } as const
    const plugins = [draftPublish({ actions: true }), upload(), editors(), desk()]
    site = await openSite([story], [gallery], { plugins })
    browser = await launch()
    const { octavo } = site.server
    for (const name of ['used.txt', 'free.txt'])
      await octavo.entries('plugin::upload.file').create(storedFile(name) as never)
    const stories = octavo.entries('api::story.story')
    await stories.create({ title: 'By the river', cover: 1 } as never)
    await stories.create({
      title: 'In the hills',
      publishedAt: null,
      sections: [{ __component: 'text.gallery', pictures: [1] }],
    } as never)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  it('are shown beside it with the fields on the way to it, and before it is deleted', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/media')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'used.txt', exact: true }).click()
    await dialog.getByRole('link', { name: 'By the river' }).waitFor()
    const uses = dialog.locator('section.uses p').first()
    expect(await uses.textContent()).toBe('By the river, In the hills (Sections › Pictures)')
    const address = await dialog.getByRole('link', { name: 'In the hills' }).getAttribute('href')
    expect(address).toMatch(/\/content\/stories\/2$/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'free.txt', exact: true }).click()
    await dialog.getByText('No entry uses this file').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Select used.txt').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('In the hills').waitFor()
    expect(await dialog.textContent()).toContain('(Sections › Pictures)')
    await leave()
  })
})
