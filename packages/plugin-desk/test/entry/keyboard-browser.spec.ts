/** The way from the door to a saved entry by keyboard alone. Creating, publishing and translating are in writing-browser.spec.ts and beside this. */
import { unrestricted } from '@octavo/core'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { openRoom } from '../room.ts'
import { executablePath, nextFrame, tabTo, visit, withoutPauses } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('An editor without a mouse', () => {
  const room = openRoom()

  it('goes through the list to an entry, links another one, puts it first, and saves', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk')
    const { keyboard } = page
    await page.getByRole('link', { name: 'Articles', exact: true }).waitFor()
    await tabTo(page, /^Articles$/)
    await keyboard.press('Enter')
    await page.getByRole('link', { name: 'The quiet river' }).waitFor()
    await tabTo(page, /^The quiet river$/)
    await keyboard.press('Enter')
    await page.getByRole('combobox', { name: /categories/ }).waitFor()
    await tabTo(page, /^Find or create: categories$/)
    await keyboard.type('Lett')
    await page.getByRole('option', { name: 'Letters' }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Open Letters here' }).waitFor()
    // The field, and below what is moved, get the focus back.
    await nextFrame(page)
    await tabTo(page, /^Move Letters/, 'Shift+Tab')
    await keyboard.press('Home')
    await page.getByText('Letters is at place 1 of 3.').waitFor({ state: 'attached' })
    await nextFrame(page)
    await tabTo(page, /^Save draft$/, 'Shift+Tab')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const stored = await room.site.octavo
      .entries('article', unrestricted('reads what was saved'))
      .findOne(room.site.quiet, { populate: 'categories', publicationState: 'preview' } as never)
    const names = ['Letters', 'Rivers', 'Science'].map((name) => ({ attributes: { name } }))
    expect(stored?.attributes.categories).toMatchObject({ data: names })
    await leave()
  })

  it('keeps the place in the bar while an entry is made, published, withdrawn and changed back', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/content/articles/new')
    const { keyboard } = page
    const press = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true })
      await button.focus()
      await keyboard.press('Enter')
    }
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.getByRole('textbox', { name: 'Headline' }).fill('A place to keep')
    await page.getByRole('textbox', { name: /^Summary/ }).fill('Of a focus.')
    await press('Save draft')
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await nextFrame(page)
    expect(await focused()).toBe('Saved')
    // A button that does nothing now is announced as one, and sends nothing.
    expect(await page.getByRole('button', { name: 'Saved' }).getAttribute('aria-disabled')).toBe('true')

    await press('Publish')
    await page.getByRole('button', { name: 'Unpublish' }).waitFor()
    await nextFrame(page)
    // Not at Unpublish, which a second press of the key would carry out.
    expect(await focused()).toBe('Saved')
    await press('Unpublish')
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
    await nextFrame(page)
    expect(await focused()).toBe('Saved')

    await page.getByRole('textbox', { name: 'Headline' }).fill('A place that was kept')
    const undo = page.getByRole('button', { name: 'Undo', exact: true })
    await undo.focus()
    for (let i = 0; i < 20 && (await undo.getAttribute('aria-disabled')) === null; i++) {
      await keyboard.press('Enter')
      await nextFrame(page)
    }
    expect(await undo.getAttribute('aria-disabled')).toBe('true')
    expect(await focused()).toBe('Undo')
    await leave()
  })

  const focusedOn = (page: Page) =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null
      return element?.labels?.[0]?.textContent ?? element?.ariaLabel ?? element?.textContent
    })

  it('chooses files, puts them in order and takes one away, and keeps the place', async () => {
    const { page, leave } = await visit(
      room.browser,
      room.site.url,
      `/desk/content/articles/${room.site.quiet}?locale=en`,
    )
    const { keyboard } = page
    const gallery = page.getByRole('group', { name: /^Gallery/ })
    const library = page.getByRole('dialog')
    const opener = 'Choose from the library'
    const press = async (target: Locator) => {
      await target.focus()
      await keyboard.press('Enter')
    }
    await press(gallery.getByRole('button', { name: opener }))
    await library.locator('input[type=file]').setInputFiles(
      ['one', 'two', 'three'].map((name) => ({
        ...{ name: `${name}.txt`, mimeType: 'text/plain', buffer: Buffer.from(name) },
      })),
    )
    await library.getByLabel('Select three.txt').focus()
    await keyboard.press('Space')
    await library.getByLabel('Select one.txt').focus()
    await keyboard.press('Space')
    await press(library.getByRole('button', { name: /^Add / }))
    await gallery.getByText('one.txt').waitFor()
    await nextFrame(page)
    expect(await focusedOn(page)).toBe(opener)
    await keyboard.press('Enter')
    await press(library.getByRole('button', { name: 'two.txt', exact: true }))
    await gallery.getByText('two.txt').waitFor()
    await nextFrame(page)
    expect(await focusedOn(page)).toBe(opener)

    await tabTo(page, /^Move two\.txt/, 'Shift+Tab')
    await keyboard.press('Home')
    await page.getByText('two.txt is at place 1 of 3.').waitFor({ state: 'attached' })
    await nextFrame(page)
    expect(await focusedOn(page)).toBe('Move two.txt. Use the arrow keys.')
    await press(gallery.getByRole('button', { name: 'Remove three.txt' }))
    await nextFrame(page)
    expect(await focusedOn(page)).toBe(opener)
    await press(page.getByRole('button', { name: 'Save draft' }))
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const stored = await room.site.octavo
      .entries('article', unrestricted('reads what was saved'))
      .findOne(room.site.quiet, { populate: 'gallery', publicationState: 'preview' } as never)
    expect(stored?.attributes.gallery).toMatchObject({
      data: ['two.txt', 'one.txt'].map((name) => ({ attributes: { name } })),
    })

    // A folder that is left takes the way to it along.
    await press(gallery.getByRole('button', { name: opener }))
    await press(library.getByRole('button', { name: 'New folder' }))
    await keyboard.type('Letters')
    await keyboard.press('Enter')
    await press(library.getByRole('navigation').getByRole('button').first())
    await library.getByLabel('Select one.txt').waitFor()
    await nextFrame(page)
    expect(await library.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    await leave()
  })

  it('puts a picture into a text and goes on writing there', async () => {
    const { page, leave } = await visit(
      room.browser,
      room.site.url,
      `/desk/content/articles/${room.site.quiet}?locale=en`,
    )
    const { keyboard } = page
    await page.locator('#field-body').focus()
    await tabTo(page, /^(Kind of paragraph|Paragraph)/, 'Shift+Tab')
    await keyboard.press('End')
    await keyboard.press('ArrowLeft')
    expect(await focusedOn(page)).toBe('Picture')
    await keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({
        name: 'dot.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>'),
      })
    await page.getByRole('dialog').getByRole('button', { name: 'dot.svg', exact: true }).focus()
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keyboard.type('After it')
    expect(await page.locator('#field-body').textContent()).toMatch(/!\[.*\)\s*After it/)
    await leave()
  })

  it('removes parts, and is at what takes their place', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/content/articles/new')
    const { keyboard } = page
    const links = page.getByRole('group', { name: /^Links/ })
    const expectFocus = async (name: RegExp) => {
      await nextFrame(page)
      await expect.poll(() => focusedOn(page)).toMatch(name)
    }
    for (const label of ['First', 'Second']) {
      await links.getByRole('button', { name: 'Insert a part' }).last().focus()
      await keyboard.press('Enter')
      await expectFocus(/^Label/)
      await keyboard.type(label)
    }
    const remove = links.getByRole('button', { name: 'Remove link' })
    await remove.first().focus()
    await keyboard.press('Enter')
    await expectFocus(/^Link 1/)
    await remove.focus()
    await keyboard.press('Enter')
    await expectFocus(/Insert a part$/)

    await page.getByRole('button', { name: 'Add seo' }).focus()
    await keyboard.press('Enter')
    await expectFocus(/^Meta title/i)
    await page.getByRole('button', { name: 'Remove seo' }).focus()
    await keyboard.press('Enter')
    await expectFocus(/^Add seo/)
    await leave()
  })

  it('is at the field again after a new related entry that is not made', async () => {
    const { page, leave } = await visit(
      room.browser,
      room.site.url,
      `/desk/content/articles/${room.site.quiet}?locale=en`,
    )
    const { keyboard } = page
    const categories = page.getByRole('combobox', { name: /categories/ })
    await categories.focus()
    await keyboard.type('Estuaries')
    await page.getByRole('option', { name: /Estuaries/ }).waitFor()
    await keyboard.press('ArrowUp')
    await keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await nextFrame(page)
    await nextFrame(page)
    expect(await focusedOn(page)).toBe('Find or create: categories')
    await leave()
  })

  it('redoes a step in Markdown by Ctrl Shift Z, also with Caps Lock', async () => {
    const address = `/desk/content/articles/${room.site.quiet}`
    const { page, leave } = await visit(room.browser, room.site.url, 'about:blank')
    await page.addInitScript(withoutPauses)
    await page.goto(`${room.site.url}${address}`)
    const body = page.getByRole('textbox', { name: 'Body' })
    await body.focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Written ')
    const line = page.locator('.cm-line').first()
    const isWritten = () => line.textContent().then((text) => text?.startsWith('Written '))
    // With Shift and Caps Lock together, a key has a small letter.
    for (const key of ['Control+Shift+Z', 'Control+Shift+z']) {
      await page.keyboard.press('Control+z')
      await expect.poll(isWritten).toBe(false)
      await page.keyboard.press(key)
      await expect.poll(isWritten).toBe(true)
    }
    await leave()
  })

  it('reads that a date or time is not complete, and saves none in its place', async () => {
    const { page, leave } = await visit(
      room.browser,
      room.site.url,
      `/desk/content/articles/${room.site.quiet}?locale=en`,
    )
    const { keyboard } = page
    const told = page.getByText('This is not complete yet: fill in each part.')
    const errors = page.getByText('is not complete yet: fill in each part.')
    for (const [name, part, rest] of [
      ['First seen', '0203', '2026'],
      ['Opens', '0930', '15AM'],
      ['Embargo', '02032026', undefined],
    ] as const) {
      const input = page.getByLabel(name)
      await input.focus()
      await keyboard.type(part)
      // Nothing is said while the person still types.
      expect([name, await told.count()]).toEqual([name, 0])
      await page.getByRole('textbox', { name: 'Headline' }).focus()
      await told.waitFor()
      if (rest === undefined) continue
      await input.focus()
      for (let i = 0; i < 3; i++) await keyboard.press('ArrowLeft')
      await keyboard.type(`${part}${rest}`)
      await told.waitFor({ state: 'detached' })
    }
    await page.getByRole('textbox', { name: 'Headline' }).fill('The quieter river')
    await keyboard.press('Control+s')
    await errors.first().waitFor()
    expect(await errors.allTextContents()).toContainEqual(expect.stringContaining('Embargo'))
    await leave()
  })
})
