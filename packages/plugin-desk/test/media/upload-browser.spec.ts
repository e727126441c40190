/** Files on their way to the library, and files that are gone from it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { executablePath, launch, visit } from '../entry/visit.ts'
import { holdMethod } from '../rooms/filled-room.ts'
import { openRooms, pixel } from '../routes/site.ts'
import type { Site } from '../site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** Drops files, or a link, where the middle of an element is. @param isTaken Waits for what the page makes of it. */
const dropperOn =
  (page: Page, isTaken: () => Promise<void> = async () => undefined) =>
  async (
    place: Locator,
    given: { readonly files?: string[]; readonly items: { mimeType: string; data: string }[] },
  ): Promise<void> => {
    const cdp = await page.context().newCDPSession(page)
    await place.scrollIntoViewIfNeeded()
    const box = await place.boundingBox()
    if (!box) throw new Error('the place is not shown')
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const data = { ...given, dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await cdp.send('Input.dispatchDragEvent', { type, ...at, data })
    await isTaken()
  }

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
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'a-b-- 1-2.txt', exact: true }).click()
    await dialog.getByLabel('Name').fill('What <else>.txt')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'What -else-.txt', exact: true }).waitFor()
    await leave()
  })

  it('are taken out of folders that are dropped, and the name of a new folder is composed of several keys', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-drop-'))
    await mkdir(path.join(folder, 'pictures', 'of rivers'), { recursive: true })
    const [outer, inner] = [path.join(folder, 'pictures', 'outer.txt'), 'of rivers/inner.txt'] as const
    await writeFile(outer, 'Outer.')
    await writeFile(path.join(folder, 'pictures', inner), 'Inner.')
    const { page, leave } = await visit(browser, site.url, '/desk/media')
    await page.getByRole('button', { name: 'Upload' }).waitFor()
    const cdp = await page.context().newCDPSession(page)
    const data = { items: [], files: [path.join(folder, 'pictures')], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await cdp.send('Input.dispatchDragEvent', { type, x: 800, y: 400, data })
    for (const name of ['outer.txt', 'inner.txt'])
      await page.getByRole('button', { name, exact: true }).waitFor()
    expect(await page.locator('.uploads').count()).toBe(0)
    await page.getByRole('button', { name: 'New folder' }).click()
    const name = page.getByLabel('Name of the folder')
    const pressEscape = (isComposing: boolean) =>
      name.dispatchEvent('keydown', { key: 'Escape', isComposing, bubbles: true, cancelable: true })
    await pressEscape(true)
    expect(await name.count()).toBe(1)
    await pressEscape(false)
    await name.waitFor({ state: 'detached' })
    await rm(folder, { recursive: true })
    await leave()
  })

  it('are shown when they were stored before their upload was cancelled', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/media')
    const stored = Promise.withResolvers<void>()
    await page.route(/api\/files$/, async (route) => {
      // The answer does not arrive.
      await route.fetch()
      stored.resolve()
    })
    await page.locator('input[type=file]').setInputFiles(file('cancelled.txt'))
    await stored.promise
    await page.getByRole('button', { name: 'Cancel the upload of cancelled.txt' }).click()
    await page.getByRole('button', { name: 'cancelled.txt', exact: true }).waitFor()
    expect(await page.locator('.uploads').count()).toBe(0)
    await leave()
  })

  it('of types that browsers do not show have the name of their type in place of a picture', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/media')
    const buffer = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
    const input = page.locator('input[type=file]').first()
    await input.setInputFiles({ name: 'photo.heic', mimeType: 'image/heic', buffer })
    const tile = page.locator('.media li').filter({ hasText: 'photo.heic' })
    await tile.waitFor()
    expect([await tile.locator('img').count(), await tile.locator('.kind').textContent()]).toEqual([
      0,
      'HEIC',
    ])
    await tile.getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: 'photo.heic' })
    await dialog.getByText('image/heic').waitFor()
    expect(await dialog.locator('img').count()).toBe(0)
    await leave()
  })

  it('are asked about when they are many, and all of them can be cancelled', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/media')
    const input = page.locator('input[type=file]').first()
    const many = Array.from({ length: 101 }, (_, i) => file(`many ${i}.txt`))
    const posts = await holdMethod(page, 'POST', /api\/files$/)
    const rows = page.locator('.uploads li')
    const dialog = page.getByRole('dialog', { name: 'Upload 101 files?' })
    await input.setInputFiles(many)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await rows.count()).toBe(0)
    await input.setInputFiles(many)
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await expect.poll(() => posts.held.length).toBe(2)
    await page.getByText('0 of 101 files uploaded').waitFor()
    expect([await rows.count(), await rows.last().textContent()]).toEqual([11, 'and 91 more'])
    await page.getByRole('button', { name: 'Cancel all uploads' }).click()
    await page.locator('.uploads').waitFor({ state: 'detached' })
    await posts.open()
    // The first ones may have been on the server already.
    await input.setInputFiles(file('after many.txt'))
    await page.getByRole('button', { name: 'after many.txt', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^many / }).count()).toBeLessThan(3)
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
    await page.getByText('contains something that was deleted meanwhile').waitFor()
    expect(await page.getByText('plugin::upload.file').count()).toBe(0)
    await page.getByRole('button', { name: 'Remove plain.txt' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await leave()
  })

  it('on their way from the field of an entry are not lost sight of without a question', async () => {
    const { page, complaints } = await visit(browser, site.url, '/desk/content/articles/new')
    await page.getByRole('button', { name: 'Choose from the library' }).first().click()
    const dialog = page.getByRole('dialog')
    const input = dialog.locator('input[type=file]')
    await input.setInputFiles(file('first.txt'))
    const first = dialog.getByRole('button', { name: 'first.txt', exact: true })
    await first.waitFor()
    const posts = await holdMethod(page, 'POST', /api\/files$/)
    await input.setInputFiles(file('second.txt'))
    await posts.begun()
    const question = expect.stringContaining('Files are still being uploaded.')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('Escape')
    await first.click()
    expect(complaints).toEqual([question, question, question])
    expect(await dialog.count()).toBe(1)
    await posts.open()
    await dialog.getByRole('button', { name: 'second.txt', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(complaints).toHaveLength(3)
    await page.context().close()
  })

  it('that are dropped beside a place for them leave the page as it is, and Markdown takes the text of one', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-drop-'))
    const dropped = path.join(folder, 'dropped.txt')
    await writeFile(dropped, 'Dropped.')
    const { page, leave } = await visit(browser, site.url, '/desk/content/articles/new')
    const text = page.locator('#field-markdown')
    await text.and(page.locator('[contenteditable=true]')).waitFor()
    // The last page that hears of it tells whether the browser would open the file.
    await page.evaluate(() => {
      window.addEventListener('dragover', (event) => {
        document.body.dataset.isTaken = String(event.defaultPrevented)
      })
    })
    const drop = dropperOn(page, () =>
      expect.poll(() => page.locator('body').getAttribute('data-is-taken')).toBe('true'),
    )
    const link = { mimeType: 'text/uri-list', data: `${site.url}/desk/accept` }
    const files = { files: [dropped], items: [] }
    for (const place of ['#field-title', '#field-blocks', '.bar'])
      await drop(page.locator(place).first(), files)
    // Browsers would open the address in the place of the page.
    await drop(page.locator('.bar').first(), { items: [link] })
    await drop(text, files)
    await expect.poll(() => text.textContent()).toBe('Dropped.')
    expect(page.context().pages()).toHaveLength(1)
    expect(new URL(page.url()).pathname).toBe('/desk/content/articles/new')
    await rm(folder, { recursive: true })
    await leave()
  })

  it('that are dropped onto a text are its pictures by way of the library, and others are named', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-drop-'))
    const write = async (name: string, content: Buffer | string): Promise<string> => {
      await writeFile(path.join(folder, name), content)
      return path.join(folder, name)
    }
    const other = await write('other.pdf', '%PDF-1.7')
    const { page, leave } = await visit(browser, site.url, '/desk/content/articles/new')
    const dialog = page.getByRole('dialog')
    const drop = dropperOn(page)
    for (const [kind, pictures] of [
      ['blocks', 'img[src*="/uploads/"]'],
      ['markdown', ':text("/uploads/")'],
    ] as const) {
      const text = page.locator(`#field-${kind}`)
      await text.and(page.locator('[contenteditable=true]')).waitFor()
      await drop(text, { files: [other], items: [] })
      const told = page.getByRole('alert').filter({ hasText: 'Not taken: other.pdf.' })
      await told.waitFor()
      expect(await dialog.count()).toBe(0)
      const names = [`one of ${kind}.png`, `two of ${kind}.png`] as const
      const [one, two] = [await write(names[0], pixel), await write(names[1], pixel)]
      await drop(text, { files: [one, other, two], items: [] })
      // Both have arrived: a choice before would ask whether to leave the other one on its way.
      for (const name of names) await dialog.getByRole('button', { name, exact: true }).waitFor()
      await dialog.getByRole('button', { name: names[0], exact: true }).click()
      await text.locator(pictures).first().waitFor()
      expect(await told.count()).toBe(0)
    }
    await rm(folder, { recursive: true })
    await leave()
  })

  it('that the page shows are not uploaded again when they are dragged onto a text', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/content/articles/new')
    const text = page.locator('#field-blocks')
    await text.and(page.locator('[contenteditable=true]')).waitFor()
    const picture = page.locator('img.picture')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Choose from the library' }).first().click()
    const file = { name: 'dragged.png', mimeType: 'image/png', buffer: pixel }
    await dialog.locator('input[type=file]').setInputFiles(file)
    await dialog.getByRole('button', { name: file.name, exact: true }).click()
    await picture.first().waitFor()
    await page.evaluate(() =>
      document.addEventListener('drop', () => document.body.classList.add('dropped'), true),
    )
    await picture.first().dragTo(text)
    expect(await page.locator('body.dropped').count()).toBe(0)
    expect(await dialog.count()).toBe(0)
    await leave()
  })

  it('that a person may not upload are not dropped onto a text without a word', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-drop-'))
    const picture = path.join(folder, 'picture.png')
    await writeFile(picture, pixel)
    const content = (['create', 'read', 'update'] as const).map((action) => ({
      action,
      type: 'api::article.article',
    }))
    await site.hire('reads', [...content, { action: 'read', type: 'plugin::upload.file' }])
    const { page, leave } = await visit(browser, site.url, '/desk/content/articles/new', 'reads@example.org')
    const text = page.locator('#field-blocks')
    await text.and(page.locator('[contenteditable=true]')).waitFor()
    await dropperOn(page)(text, { files: [picture], items: [] })
    await page.getByText('Your roles do not let you upload pictures.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await rm(folder, { recursive: true })
    await leave()
  })
})
