/** The choice of a part among more kinds than are looked through at a glance. */
import type { ContentTypeDefinition } from '@octavo/core'
import { violationsOf } from '@octavo/testing/violations'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSite, type Site } from '../site.ts'
import { executablePath, launch, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const kinds = Array.from({ length: 40 }, (_, i) => ({
  uid: `block.kind-${i + 1}`,
  info: { displayName: `${i % 2 === 0 ? 'Price list' : 'Quote'} ${i + 1}` },
  attributes: { heading: { type: 'string' } },
})) as Parameters<typeof openSite>[1]

const quote = (uid: string) =>
  ({ uid, info: { displayName: 'Quote' }, attributes: { text: { type: 'string' } } }) as const
const quotes = ['block.quote', 'block.pull-quote', 'page.quote'].map(quote)

const landing: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'landing', pluralName: 'landings' },
  attributes: {
    title: { type: 'string' },
    zone: { type: 'dynamiczone', components: kinds.map(({ uid }) => uid) },
    quotes: { type: 'dynamiczone', components: quotes.map(({ uid }) => uid) },
  },
}

describe.runIf(executablePath)('A zone of many kinds of parts', () => {
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    site = await openSite([landing], [...kinds, ...quotes])
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  it('has a list of them that is open at once, narrowed by typing, and left by Escape', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/content/landings/new')
    const { keyboard } = page
    const insert = page.getByRole('button', { name: 'Insert a part' }).first()
    const options = page.getByRole('option')
    await insert.press('Enter')
    await expect.poll(() => options.count()).toBe(40)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Which part?')
    await keyboard.type('LIST 1')
    await expect
      .poll(() => options.allInnerTexts())
      .toEqual([1, 11, 13, 15, 17, 19].map((number) => `Price list ${number}`))
    // While the list is open, screen readers have nothing else, which keeps its controls all the same.
    expect(await violationsOf(page, { without: ['aria-hidden-focus'] })).toEqual([])
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Price list 11', expanded: true }).waitFor()
    // The person writes on in the new part.
    await expect
      .poll(() => page.getByLabel('Heading').evaluate((field) => field.matches(':focus')))
      .toBe(true)
    await insert.press('Enter')
    await keyboard.type('no such part')
    await page.getByText('Nothing found').waitFor()
    await keyboard.press('Escape')
    await expect.poll(() => insert.evaluate((button) => button.matches(':focus'))).toBe(true)
    expect(await page.getByRole('combobox', { name: 'Which part?' }).count()).toBe(0)
    // Kinds of one name are told apart, where one is chosen and in the form.
    await page.getByRole('button', { name: 'Insert a part' }).last().click()
    const choice = page.getByRole('group', { name: 'Which part?' }).getByRole('button')
    expect(await choice.allTextContents()).toEqual(['Quote', 'Quote (Pull quote)', 'Quote (Page)'])
    await choice.last().click()
    await page.getByRole('button', { name: 'Quote (Page)', expanded: true }).waitFor()
    await leave()
  })
})
