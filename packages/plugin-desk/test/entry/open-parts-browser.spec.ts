/** Parts that a person has opened stay open, and the place in the page stays, when the form is made of another answer of the server. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { openSite, type Site } from '../site.ts'
import { executablePath, launch, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const localized = { pluginOptions: { i18n: { localized: true } } }
const list = (component: string) => ({ type: 'component', component, repeatable: true }) as const

const trail: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'trail', pluralName: 'trails' },
  options: { draftAndPublish: true },
  ...localized,
  attributes: {
    title: { type: 'string', ...localized },
    stages: { ...list('trail.stage'), ...localized },
    zone: { type: 'dynamiczone', components: ['trail.stage', 'trail.note'], ...localized },
    next: { type: 'relation', relation: 'manyToOne', target: 'api::trail.trail', ...localized },
  },
}

/** It has no drafts, and no languages. */
const walk: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'walk', pluralName: 'walks' },
  attributes: { title: { type: 'string' }, stages: list('trail.stage') },
}

const components = [
  {
    uid: 'trail.stage',
    info: { displayName: 'Stage' },
    attributes: { place: { type: 'string' }, sights: list('trail.sight') },
  },
  {
    uid: 'trail.sight',
    info: { displayName: 'Sight' },
    attributes: { name: { type: 'string' }, signs: list('trail.sign') },
  },
  { uid: 'trail.sign', info: { displayName: 'Sign' }, attributes: { words: { type: 'string' } } },
  { uid: 'trail.note', info: { displayName: 'Note' }, attributes: { text: { type: 'text' } } },
] as const

describe.runIf(executablePath)('What was open in an entry', () => {
  let site: Site
  let browser: Browser
  const state = unrestricted('fills the test')
  beforeAll(async () => {
    site = await openSite([trail, walk], components as never, {
      plugins: [i18n({ locales: ['en', 'fr'], defaultLocale: 'en' }), draftPublish(), editors(), desk()],
    })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const open = (address: string) => visit(browser, site.url, `/desk/content/${address}`)
  const group = (page: Page, name: string) => page.getByRole('group', { name: new RegExp(`^${name}`) })
  const insert = async (page: Page, name: string, kind?: string) => {
    await group(page, name).last().getByRole('button', { name: 'Insert a part' }).last().click()
    if (kind !== undefined) await page.getByRole('button', { name: kind, exact: true }).click()
  }
  /** Every part that is drawn, by its words, and whether it is open. */
  const partsOf = (page: Page) =>
    page
      .locator('.part-open')
      .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('aria-expanded')]))
  /** The field with the cursor, its value, and its place in the window. */
  const placeOf = (page: Page) =>
    page.evaluate(() => {
      const field = document.activeElement as HTMLInputElement
      return { id: field.id, value: field.value, at: Math.round(field.getBoundingClientRect().y) }
    })
  const saved = (page: Page) => page.getByRole('button', { name: 'Saved' }).waitFor()
  const idIn = (page: Page): number => Number(/\/(\d+)$/.exec(page.url())?.[1])

  /** Fills a new entry with parts in parts, of which some are closed again, and leaves the cursor in the deepest. */
  async function fill(page: Page): Promise<void> {
    await page.getByRole('textbox', { name: 'Title' }).fill('The long way')
    for (const place of ['The mill', 'The weir']) {
      await insert(page, 'Stages')
      await group(page, 'Stages').first().getByLabel('Place').last().fill(place)
    }
    for (const name of ['The cairn', 'The spring']) {
      await insert(page, 'Sights')
      await page.getByLabel('Name').last().fill(name)
    }
    await page.getByRole('button', { name: /^Stage 1/ }).click()
    await page.getByRole('button', { name: /^Sight 1/ }).click()
    await insert(page, 'Signs')
    await page.getByLabel('Words').fill('No swimming')
  }
  const opened = [
    ['Stage 1The mill▸', 'false'],
    ['Stage 2▾', 'true'],
    ['Sight 1The cairn▸', 'false'],
    ['Sight 2▾', 'true'],
    ['Sign 1▾', 'true'],
  ]

  it.each([
    ['its first save', 'trails/new', 'Save draft'],
    ['its first save, of a type without drafts', 'walks/new', 'Save'],
    ['its publication as a new one', 'trails/new', 'Publish'],
  ] as const)('stays open after %s, and so does the place in the page', async (_, address, button) => {
    const { page, leave } = await open(address)
    await page.setViewportSize({ width: 1280, height: 400 })
    await fill(page)
    const before = await placeOf(page)
    const scrolled = await page.evaluate(() => document.scrollingElement?.scrollTop)
    expect(scrolled).toBeGreaterThan(0)
    expect(await partsOf(page)).toEqual(opened)
    // A key saves without taking the cursor; Publish has none, and is pressed from where the cursor is.
    if (button === 'Publish')
      await page.getByRole('button', { name: button }).evaluate((one: HTMLElement) => one.click())
    else await page.keyboard.press('Control+s')
    await page.waitForURL(/\/\d+$/)
    await saved(page)
    expect(await partsOf(page)).toEqual(opened)
    expect(await placeOf(page)).toEqual(before)
    expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(scrolled)

    // The entry is the stored one from here on: what is typed next changes it, and stays after a reload.
    await page.keyboard.type(' here')
    await page.keyboard.press('Control+s')
    await saved(page)
    expect(await placeOf(page)).toEqual({ ...before, value: 'No swimming here' })
    await page.reload()
    await page.getByRole('button', { name: /^Stage 2 ?The weir/ }).waitFor()
    const name = address.startsWith('walks') ? 'walk' : 'trail'
    const all = { populate: { stages: { populate: { sights: { populate: '*' } } } } }
    const entry = await site.server.octavo
      .entries(name, state)
      .findOne(idIn(page), { publicationState: 'preview', ...all } as never)
    expect(entry?.attributes.stages).toMatchObject([
      { place: 'The mill', sights: [] },
      {
        place: 'The weir',
        sights: [
          { name: 'The cairn', signs: [] },
          { name: 'The spring', signs: [{ words: 'No swimming here' }] },
        ],
      },
    ])
    await leave()
  })

  it('stays open after the first save of a translation, whose steps can be undone as before', async () => {
    const { id } = await site.server.octavo
      .entries('trail', state)
      .create({ title: 'The way', publishedAt: null } as never)
    const { page, leave } = await open(`trails/new?locale=fr&from=${id}`)
    await page.setViewportSize({ width: 1280, height: 400 })
    await fill(page)
    const before = await placeOf(page)
    await page.keyboard.press('Control+s')
    await page.waitForURL(/\/\d+\?beside=en$/)
    await saved(page)
    expect(await partsOf(page)).toEqual(opened)
    expect(await placeOf(page)).toEqual(before)
    expect(await page.getByRole('button', { name: 'Undo' }).isEnabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Title' }).fill('Le chemin')
    await page.keyboard.press('Control+s')
    await saved(page)
    expect(await partsOf(page)).toEqual(opened)
    await leave()
  })

  it('stays open when a save meets the changes of somebody else', async () => {
    const trails = site.server.octavo.entries('trail', state)
    const sights = [{ name: 'The cairn', signs: [{ words: 'Slow' }] }]
    const stages = [{ place: 'The mill' }, { place: 'The weir', sights }]
    const { id } = await trails.create({ title: 'The way', stages, publishedAt: null } as never)
    const { page, leave } = await open(`trails/${id}`)
    await page.getByRole('button', { name: /^Stage 2/ }).click()
    await page.getByRole('button', { name: /^Sight 1/ }).click()
    await page.getByRole('button', { name: /^Sign 1/ }).click()
    await insert(page, 'Zone', 'Note')
    await page.getByLabel('Text').fill('Bring water')
    await page.getByLabel('Words').fill('Slower')
    const before = await placeOf(page)
    const one = await trails.findOne(id, { publicationState: 'preview', populate: ['stages'] } as never)
    const [mill, weir] = (one?.attributes.stages ?? []) as unknown as readonly { readonly id: number }[]
    await trails.update(id, { stages: [{ id: weir?.id }, { id: mill?.id, place: 'The old mill' }] } as never)
    await page.keyboard.press('Control+s')
    await page.getByText('Somebody else').first().waitFor()
    await saved(page)
    expect(await partsOf(page)).toEqual([
      ['Stage 1▾', 'true'],
      ['Sight 1▾', 'true'],
      ['Sign 1▾', 'true'],
      ['Stage 2The old mill▸', 'false'],
      ['Note▾', 'true'],
    ])
    expect(await placeOf(page)).toMatchObject({ id: before.id, value: 'Slower' })
    await leave()
  })

  it('stays open when changes are discarded, where the part is still there', async () => {
    const stages = [{ place: 'The mill', sights: [{ name: 'The cairn' }] }, { place: 'The weir' }]
    const { id } = await site.server.octavo
      .entries('trail', state)
      .create({ title: 'The way', stages, publishedAt: null } as never)
    const { page, leave } = await open(`trails/${id}`)
    await page.getByRole('textbox', { name: 'Title' }).fill('The way back')
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.includes('trail')))
    await page.reload()
    await page.getByRole('button', { name: /^Stage 1/ }).click()
    await page.getByRole('button', { name: /^Sight 1/ }).click()
    await insert(page, 'Zone', 'Note')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await saved(page)
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('The way')
    expect(await partsOf(page)).toEqual([
      ['Stage 1▾', 'true'],
      ['Sight 1▾', 'true'],
      ['Stage 2The weir▸', 'false'],
    ])
    await leave()
  })

  it('does not lead back to the entry, when the person has left before it was stored', async () => {
    const { page, leave } = await open('trails/new')
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/desk/api/content/trails?*', async (route) => {
      if (route.request().method() === 'POST') await promise
      await route.fallback()
    })
    await page.getByRole('textbox', { name: 'Title' }).fill('The lost way')
    const asked = page.waitForRequest((request) => request.method() === 'POST')
    await page.keyboard.press('Control+s')
    await asked
    await page.getByRole('link', { name: 'Walks' }).first().click()
    await page.getByRole('heading', { name: 'Walks' }).waitFor()
    const answered = page.waitForResponse((response) => /trails\/\d+/.test(response.url()))
    resolve()
    await answered
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(page.url()).toMatch(/\/content\/walks$/)

    // The next new entry is another one.
    await page.getByRole('link', { name: 'Trails' }).first().click()
    await page.getByRole('link', { name: 'New trail' }).first().click()
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('')
    await leave()
  })
})
