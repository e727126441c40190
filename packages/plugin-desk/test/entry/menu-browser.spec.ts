/** What the menu of an entry does with it as a whole: copies and deletions. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { openSite, type Site } from '../site.ts'
import { aMinuteAgo, executablePath, launch, tabTo, type Visit, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const localized = { pluginOptions: { i18n: { localized: true } } }

const book: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  options: { draftAndPublish: true },
  ...localized,
  attributes: {
    title: { type: 'string', required: true, ...localized },
    slug: { type: 'uid', targetField: 'title', ...localized },
    isbn: { type: 'string', unique: true, ...localized },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', ...localized },
    subjects: { type: 'relation', relation: 'manyToMany', target: 'api::author.author', ...localized },
    shelf: {
      ...{ type: 'relation', relation: 'oneToOne', target: 'api::shelf.shelf', inversedBy: 'book' },
      ...localized,
    } as const,
    chapters: { type: 'component', component: 'book.chapter', repeatable: true, ...localized },
  },
}

const named = (singularName: string, pluralName: string, more: object = {}): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName },
  attributes: { name: { type: 'string' }, ...more },
})
const author = named('author', 'authors')
const shelf = named('shelf', 'shelves', {
  book: { type: 'relation', relation: 'oneToOne', target: 'api::book.book', mappedBy: 'shelf' },
})
const notice: ContentTypeDefinition = {
  kind: 'singleType',
  info: { singularName: 'notice', pluralName: 'notices', displayName: 'Notice' },
  attributes: { title: { type: 'string' } },
}
const chapter = { uid: 'book.chapter', attributes: { heading: { type: 'string' } } } as const

describe.runIf(executablePath)('The menu of an entry', () => {
  const state = unrestricted('fills the test')
  let site: Site
  let browser: Browser
  let visited: Visit
  let page: Page

  beforeAll(async () => {
    site = await openSite([book, author, shelf, notice], [chapter], {
      plugins: [i18n({ locales: ['en', 'fr'], defaultLocale: 'en' }), draftPublish(), editors(), desk()],
    })
    const authors = site.server.octavo.entries('author', state)
    for (const name of ['Ada', 'Ben', 'Cleo']) await authors.create({ name } as never)
    await site.server.octavo.entries('shelf', state).create({ name: 'By the door' } as never)
    browser = await launch()
    visited = await visit(browser, site.url, '/desk')
    page = visited.page
  })
  afterAll(async () => {
    await visited?.leave()
    await browser?.close()
    await site?.close()
  })

  const entries = () => site.server.octavo.entries('book', state)
  const create = async (data: object): Promise<number> => (await entries().create(data as never)).id
  const stored = async (id: number) =>
    (await entries().findOne(id, { populate: '*', publicationState: 'preview' } as never))?.attributes
  const open = async (address: string) => {
    await page.goto(`${site.url}/desk/content/${address}`)
    await page.getByLabel('More actions').waitFor()
  }
  const idInAddress = (): number => Number(/\/(\d+)(?:\?|$)/.exec(page.url())?.[1])

  it('makes a copy by keyboard, which is saved as a draft and leaves the original as it is', async () => {
    const id = await create({
      ...{ title: 'The river', slug: 'the-river', isbn: '111', author: 1, subjects: [2, 3], shelf: 1 },
      chapters: [{ heading: 'Spring' }, { heading: 'Mouth' }],
      publishedAt: aMinuteAgo(),
    })
    const before = await stored(id)
    await open(`books/${id}`)
    const { keyboard } = page
    await tabTo(page, /^More actions$/)
    await keyboard.press('Enter')
    await tabTo(page, /^Duplicate$/)
    await keyboard.press('Enter')
    await page.getByText('This is a copy of “The river”. It is not saved yet.').waitFor()
    await page.getByText('Not copied').getByText('Isbn, Shelf.').waitFor()
    // The address is free, and follows the title, in which the cursor is.
    expect(await page.getByLabel('Slug').inputValue()).toBe('the-river-2')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-title')
    await keyboard.press('Control+a')
    await keyboard.type('The lake')
    await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe('the-lake')
    await keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await page.waitForURL(/books\/\d+$/)
    const copy = await stored(idInAddress())
    expect(copy).toMatchObject({
      ...{ title: 'The lake', slug: 'the-lake', isbn: null, publishedAt: null },
      author: { data: { id: 1 } },
      subjects: { data: [{ id: 2 }, { id: 3 }] },
      shelf: { data: null },
      chapters: [{ heading: 'Spring' }, { heading: 'Mouth' }],
    })
    expect(await stored(id)).toEqual(before)
    expect(await page.getByText('This is a copy').count()).toBe(0)
  })

  it('copies what is written, saved or not, and the copy is there again after the page is loaded anew', async () => {
    const id = await create({ title: 'A draft', publishedAt: null })
    await open(`books/${id}`)
    await page.locator('textarea.title').fill('A draft, changed')
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByText('This is a copy of').waitFor()
    expect(await page.locator('textarea.title').inputValue()).toBe('A draft, changed')
    await page.locator('textarea.title').fill('The copy')
    await page.reload()
    await page.getByText('that were not saved are back').waitFor()
    expect(await page.locator('textarea.title').inputValue()).toBe('The copy')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/books\/\d+$/)
    expect(await stored(id)).toMatchObject({ title: 'A draft' })
    // A new entry begins empty again.
    await page.goto(`${site.url}/desk/content/books/new`)
    await expect.poll(() => page.locator('textarea.title').inputValue()).toBe('')
  })

  it('deletes an entry once the person has read what is lost', async () => {
    const id = await create({ title: 'To be gone', publishedAt: aMinuteAgo() })
    await open(`books/${id}`)
    await page.getByLabel('Isbn').fill('222')
    await page.getByLabel('More actions').click()
    // The menu closes by Escape, and by a click elsewhere.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete' }).waitFor({ state: 'hidden' })
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete To be gone?' })
    for (const loss of ['It is published', 'What you have written', 'This cannot be undone'])
      await dialog.getByText(loss).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await stored(id)).toMatchObject({ title: 'To be gone' })
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await page.waitForURL(/content\/books$/)
    await page.getByRole('heading', { name: 'Books' }).waitFor()
    await page.getByRole('link', { name: 'The lake' }).waitFor()
    expect(await page.getByText('To be gone').count()).toBe(0)
    expect(await stored(id)).toBeUndefined()
    // Nothing of it is left on the device.
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))
    expect(kept.filter((key) => key.includes(`|${id}|`))).toEqual([])
  })

  it('closes by Escape and by a press elsewhere at once, as the choice of columns does', async () => {
    const id = await create({ title: 'For quick people', publishedAt: null })
    for (const [address, name] of [
      [`books/${id}`, '⋯'],
      ['books', 'Columns'],
    ] as const) {
      await page.goto(`${site.url}/desk/content/${address}`)
      const summary = page.locator('summary').filter({ hasText: name })
      // All within one task: the browser tells the page of an opened element later.
      const left = await summary.evaluate((element: HTMLElement) => {
        const popup = element.closest('details')
        const openAfter = (event: Event, target: Element) => {
          element.click()
          const wasOpen = popup?.open
          target.dispatchEvent(event)
          return [wasOpen, popup?.open]
        }
        const bubbles = { bubbles: true }
        return {
          escape: openAfter(new KeyboardEvent('keydown', { key: 'Escape', ...bubbles }), element),
          focus: document.activeElement === element,
          press: openAfter(new PointerEvent('pointerdown', bubbles), document.body),
          focusElsewhere: openAfter(new FocusEvent('focusin', bubbles), document.body),
        }
      })
      const closed = [true, false]
      expect(left).toEqual({ escape: closed, focus: true, press: closed, focusElsewhere: closed })
    }
  })

  it('deletes one language and names those that stay', async () => {
    const id = await create({ title: 'In two languages', publishedAt: null })
    const { body } = await site.send(
      await site.signIn('ada@example.org'),
      'POST',
      `content/books/${id}/localizations`,
      {
        ...{ locale: 'fr', title: 'En deux langues' },
      },
    )
    await open(`books/${body.id}`)
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page
      .getByText('Only this language will be deleted: French (fr). These remain: English (en).')
      .waitFor()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await page.waitForURL(/content\/books\?locale=fr$/)
    expect(await stored(id)).toMatchObject({ title: 'In two languages' })
    expect(await stored(body.id)).toBeUndefined()
  })

  it('deletes the entry of a single type, whose page begins anew', async () => {
    await page.goto(`${site.url}/desk/content/notice`)
    await page.locator('textarea.title').fill('Closed on Monday')
    expect(await page.getByLabel('More actions').count()).toBe(0)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('More actions').click()
    expect(await page.getByRole('button', { name: 'Duplicate' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await expect.poll(() => page.locator('textarea.title').inputValue()).toBe('')
    expect(await page.getByLabel('More actions').count()).toBe(0)
  })

  it('offers what the roles of the person allow for this entry', async () => {
    const type = 'api::book.book'
    const rights = [
      { action: 'read', type },
      { action: 'update', type },
      { action: 'delete', type, where: { title: 'Allowed' } },
    ]
    await site.hire('ben', rights)
    const { page: other, leave } = await visit(browser, site.url, '/desk', 'ben@example.org')
    for (const title of ['Allowed', 'Refused']) {
      const asked = other.waitForResponse(/\/may\/books\?/)
      const id = await create({ title, publishedAt: null })
      await other.goto(`${site.url}/desk/content/books/${id}`)
      await other.getByLabel('More actions').click()
      expect(await (await asked).json()).toMatchObject({ [id]: { delete: title === 'Allowed' } })
      const button = other.getByRole('button', { name: 'Delete' })
      await expect.poll(() => button.count()).toBe(title === 'Allowed' ? 1 : 0)
      const sentence = other.getByText('Your roles do not let you change this.')
      await expect.poll(() => sentence.count()).toBe(title === 'Allowed' ? 0 : 1)
      expect(await other.getByRole('button', { name: 'Duplicate' }).count()).toBe(0)
    }
    // An answer that does not come is no refusal.
    await other.route(/\/may\/books\?/, (route) => route.fulfill({ status: 500, body: '{}' }))
    await other.reload()
    await other.getByLabel('More actions').click()
    await other.getByRole('alert').getByText('“Delete” could not be loaded.').waitFor()
    await other.unroute(/\/may\/books\?/)
    await other.getByRole('button', { name: 'Try again' }).click()
    await other.getByText('Your roles do not let you change this.').waitFor()
    await leave()
  })

  it('begins a copy with which a duplicated tab begins as well', async () => {
    const id = await create({ title: 'Of two tabs', publishedAt: null })
    await open(`books/${id}`)
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByText('This is a copy of').waitFor()
    const title = page.locator('textarea.title')
    await title.fill('The copy of two tabs')
    const isKept = () => page.evaluate(() => JSON.stringify(localStorage).includes('The copy of two tabs'))
    await expect.poll(isKept).toBe(true)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await expect.poll(() => other.locator('textarea.title').inputValue()).toBe('The copy of two tabs')
    await other.locator('textarea.title').fill('The copy of the other tab')
    for (const tab of [other, page]) {
      await tab.getByRole('button', { name: 'Save draft' }).click()
      await tab.waitForURL(/books\/\d+$/)
    }
    expect(page.url()).not.toBe(other.url())
    expect(await stored(idInAddress())).toMatchObject({ title: 'The copy of two tabs' })
    await other.close()
  })
})
