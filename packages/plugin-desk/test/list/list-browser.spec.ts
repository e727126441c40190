/** Lists of the desk: cells that fail, and filters of any shape. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { violationsOf } from '@octavo/testing/violations'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { executablePath, launch, tabTo, type Visit, visit, withoutLongTimers } from '../entry/visit.ts'
import { openSite, type Site } from '../site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const cells = `export default {
  contract: 1,
  setup(desk) {
    const cell = (name, mount) => desk.defineCell({ name, for: 'plugin::failing.' + name, mount })
    cell('mount', () => { throw new Error('mount has failed') })
    // Changes what the other cells are drawn from, and takes the row away.
    cell('grasp', (element, { entry, attribute }) => {
      element.closest('td').replaceChildren()
      attribute.type = undefined
      entry.attributes.writtenBy = 7
    })
  },
}
`
const field = (name: string) => ({ type: 'customField', customField: `plugin::failing.${name}` }) as const

const named = (singularName: string, pluralName: string): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName },
  attributes: { name: { type: 'string' }, rank: { type: 'integer' } },
})

const book: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  attributes: {
    title: { type: 'string' },
    pages: { type: 'integer' },
    onMount: field('mount'),
    onGrasp: field('grasp'),
    writtenBy: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    seo: { type: 'component', component: 'page.seo' },
    zone: { type: 'dynamiczone', components: ['page.seo'] },
  },
}

const components = [
  { uid: 'page.social', attributes: { handle: { type: 'string' } } },
  {
    uid: 'page.seo',
    attributes: {
      heading: { type: 'string' },
      social: { type: 'component', component: 'page.social', repeatable: true },
    },
  },
] as const

describe.runIf(executablePath)('Lists in Chromium', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-lists-'))
  let site: Site
  let browser: Browser
  let visited: Visit
  let page: Page

  beforeAll(async () => {
    mkdirSync(path.join(folder, 'desk'))
    writeFileSync(path.join(folder, 'desk/cells.js'), cells)
    site = await openSite([book, named('author', 'authors'), named('tag', 'tags')], components, {
      plugins: [draftPublish(), editors(), desk({ extensions: path.join(folder, 'desk') })],
    })
    const all = unrestricted('fills the test')
    const { octavo } = site.server
    for (const name of ['Ada', 'Bob']) await octavo.entries('author', all).create({ name })
    for (const [name, rank] of [
      ['river', 1],
      ['river', 9],
      ['town', 9],
    ] as const)
      await octavo.entries('tag', all).create({ name, rank })
    const social = (handle: string) => ({ social: [{ handle: 'none' }, { handle }] })
    const books = [
      { title: 'Both in one', pages: 10, writtenBy: 1, tags: [2], seo: social('@one') },
      { title: 'One in each', pages: 20, writtenBy: 2, tags: [1, 3], seo: social('@two') },
      { title: 'Neither', pages: 30, writtenBy: 1, tags: [1], onMount: 'a', onGrasp: 'b' },
    ]
    for (const one of books) await octavo.entries('book', all).create(one as never)
    browser = await launch()
    visited = await visit(browser, site.url, '/desk')
    page = visited.page
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const show = (query = '') => page.goto(`${site.url}/desk/content/books?sort=id:asc&${query}`)
  const titles = () => page.locator('tbody .ti').allTextContents()
  const checkAccessible = async (): Promise<void> => {
    expect(await violationsOf(page)).toEqual([])
  }

  it('a cell that throws says so in its place, and is drawn again when the person asks for it', async () => {
    const columns = ['onMount', 'onGrasp', 'writtenBy', 'pages', 'tags']
    await page.evaluate(
      (names) => localStorage.setItem('octavo-desk/columns/api::book.book', JSON.stringify(names)),
      columns,
    )
    // An answer that no server gives: the cell of the relation throws.
    let isBroken = true
    await page.route(/api\/content\/books\?/, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      if (isBroken) body.data[1].attributes.writtenBy = { data: [null] }
      await route.fulfill({ response, json: body })
    })
    await show()
    const row = (title: string) => page.getByRole('row', { name: title })
    await row('One in each').getByText('Written by cannot be shown.').waitFor()
    await row('One in each').getByRole('cell', { name: '20' }).waitFor()
    await row('Neither').getByText('The extension mount (site/cells.js) does not work here.').waitFor()
    await row('Neither').getByRole('cell', { name: 'Ada' }).waitFor()
    await row('Both in one').getByRole('cell', { name: 'river' }).waitFor()
    await checkAccessible()
    await row('One in each').getByRole('button', { name: 'Try again' }).click()
    await row('One in each').getByText('Written by cannot be shown.').waitFor()
    // Another answer draws it by itself.
    isBroken = false
    await page.getByLabel('Search books').fill('each')
    await row('Neither').waitFor({ state: 'detached' })
    await row('One in each').getByRole('cell', { name: 'Bob' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('marks and searches what it shows, also after a step in the history', async () => {
    await show('filters[title][$contains]=each')
    await page.getByRole('button', { name: /^Remove the filter/ }).click()
    await page.getByLabel('Select Neither').check()
    await page.getByText('1 selected').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Neither' }).waitFor({ state: 'detached' })
    expect(await page.getByText('1 selected').count()).toBe(0)
    await page.getByLabel('Search books').fill('one')
    await page.waitForURL(/q=one/)
    await page.getByRole('link', { name: 'Books', exact: true }).click()
    await page.getByRole('link', { name: 'Neither' }).waitFor()
    expect(await page.getByLabel('Search books').inputValue()).toBe('')
  })

  it('conditions on one related entry are made by keyboard, changed and taken away', async () => {
    const { keyboard } = page
    await show()
    await page.getByRole('link', { name: 'Neither' }).waitFor()
    await page.getByRole('button', { name: '+ Filter' }).focus()
    await keyboard.press('Enter')
    await tabTo(page, /^\+ Group$/)
    await keyboard.press('Enter')
    // The new group has the focus, at what it is about.
    await keyboard.type('Tags')
    await tabTo(page, /^Field/)
    await keyboard.type('Name')
    await tabTo(page, /^Value/)
    await keyboard.type('river')
    await tabTo(page, /^\+ Condition$/)
    await keyboard.press('Enter')
    await keyboard.type('Rank')
    await tabTo(page, /^Condition/)
    await keyboard.type('is at least')
    await tabTo(page, /^Value/)
    await keyboard.type('5')
    await checkAccessible()
    // The row that was there at first stays empty, and goes.
    await page.getByRole('button', { name: /^Remove Title/ }).focus()
    await keyboard.press('Enter')
    await page.getByLabel('Value').last().press('Enter')
    const words = 'Tags with (Name contains “river” and Rank is at least “5”)'
    await page.getByRole('button', { name: `Change the filter ${words}` }).waitFor()
    await expect.poll(titles).toEqual(['Both in one'])
    await page.getByRole('button', { name: `Change the filter ${words}` }).press('Enter')
    await page.getByRole('group', { name: words }).getByLabel('Of these').selectOption('any')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect.poll(titles).toEqual(['Both in one', 'One in each', 'Neither'])
    await page.getByRole('button', { name: /^Remove the filter Tags with/ }).click()
    await expect.poll(() => new URL(page.url()).search).not.toContain('filters')
  })

  it('a view is saved, and taken away, by keyboard, which keeps its place', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/content/books?filters[pages][$gt]=1')
    const { keyboard } = page
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    const save = page.getByRole('button', { name: 'Save this view' })
    await save.waitFor()
    for (const key of ['Escape', 'Enter']) {
      await save.focus()
      await keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Name of the view' }).waitFor()
      await keyboard.type('Long ones')
      await keyboard.press(key)
      if (key === 'Escape') await expect.poll(focused).toBe('+ Save this view')
    }
    await expect.poll(focused).toMatch(/Long ones$/)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-pressed'))).toBe('true')
    await tabTo(page, /^Delete this view$/)
    await keyboard.press('Enter')
    // A deleted view does not come back, and may be that of everybody.
    await expect.poll(focused).toBe('Delete for good')
    if (process.env.OCTAVO_SCREENSHOTS)
      await page.screenshot({ path: `${process.env.OCTAVO_SCREENSHOTS}/view-end.png` })
    await keyboard.press('Enter')
    await expect.poll(focused).toBe('+ Save this view')
    await leave()
  })

  it('groups within groups are made, and are the same after the address was opened again', async () => {
    await show()
    await page.getByRole('button', { name: '+ Filter' }).click()
    await page.getByLabel('Field').selectOption('pages')
    await page.getByLabel('Condition').selectOption('$lt')
    await page.getByLabel('Value').fill('15')
    await page.getByRole('button', { name: '+ Group' }).click()
    const group = page.locator('.new-filter > .filter-group')
    await group.getByLabel('Not').last().check()
    await group.getByLabel('Field').selectOption('writtenBy.name')
    await group.getByLabel('Value').fill('Ada')
    await group.getByRole('button', { name: '+ Condition' }).click()
    await group.getByLabel('Field').last().selectOption('seo.social.handle')
    await group.getByLabel('Value').last().fill('@two')
    await page.getByLabel('Of these').first().selectOption('any')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const words =
      'Pages is less than “15” or (not Written by › Name contains “Ada” and Seo › Social › Handle contains “@two”)'
    const tag = page.getByRole('button', { name: `Change the filter ${words}` })
    await tag.waitFor()
    await expect.poll(titles).toEqual(['Both in one', 'One in each'])
    await page.reload()
    await tag.click()
    expect(await page.locator('.new-filter > .filter-group').getByLabel('Value').last().inputValue()).toBe(
      '@two',
    )
    const address = page.url()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('button', { name: 'Show', exact: true }).waitFor({ state: 'detached' })
    expect(page.url()).toBe(address)
  })

  it('a group is taken away by keyboard with all that is in it, and the focus stays in the form', async () => {
    const { keyboard } = page
    await show()
    await page.getByRole('button', { name: '+ Filter' }).press('Enter')
    await page.getByLabel('Value').fill('15')
    await page.getByRole('button', { name: '+ Group' }).press('Enter')
    const group = page.locator('.new-filter > .filter-group')
    await group.getByLabel('Value').fill('gone')
    await group.getByRole('button', { name: '+ Group' }).press('Enter')
    await group.locator('.filter-group').getByLabel('Value').fill('gone too')
    // Below the tools of its head come its conditions, each with a button of its own.
    const remove = group
      .locator('> .filter-row')
      .first()
      .getByRole('button', { name: /^Remove/ })
    expect(await remove.count()).toBe(1)
    await remove.focus()
    await keyboard.press('Enter')
    await expect.poll(() => group.count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('+ Condition')
    expect(await page.getByLabel('Value').inputValue()).toBe('15')
    await checkAccessible()
  })

  it('a condition that the page cannot make stays as it is beside one that is changed', async () => {
    const query = 'filters[$or][0][title][$not][$contains]=e&filters[$or][1][pages][$eq]=10'
    await show(query)
    await page.getByRole('button', { name: /^Change the filter/ }).click()
    await page.getByLabel('Value').fill('20')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect.poll(titles).toEqual(['One in each'])
    expect(decodeURIComponent(page.url())).toContain('[title][$not][$contains]=e')
    expect(visited.complaints).toEqual([])
  })

  it('a deletion that can be undone is carried out for all entries when the tab is closed', async () => {
    const authors = site.server.octavo.entries('author', unrestricted('reads the test'))
    for (const name of ['Cyd', 'Dan', 'Eve', 'Fay']) await authors.create({ name })
    const { page } = await visit(browser, site.url, '/desk/content/authors?filters[id][$gt]=2')
    await page.evaluate(withoutLongTimers)
    await page.getByLabel('Select all').check()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('4 entries deleted.').waitFor()
    expect((await authors.find({})).data).toHaveLength(6)
    await page.close({ runBeforeUnload: true })
    await expect.poll(async () => (await authors.find({})).data.length).toBe(2)
    await page.context().close()
  })
})
