/** Translations by keyboard alone, of a type with required values that all languages share: begun, published, and taken over whole. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { openSite, type Site } from '../site.ts'
import { aMinuteAgo, executablePath, launch, nextFrame, tabTo, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const localized = { pluginOptions: { i18n: { localized: true } } }

const poem: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'poem', pluralName: 'poems' },
  options: { draftAndPublish: true },
  ...localized,
  attributes: {
    title: { type: 'string', required: true, ...localized },
    text: { type: 'text', required: true, ...localized },
    notes: { type: 'component', component: 'poem.notes', ...localized },
    form: { type: 'enumeration', enum: ['sonnet', 'ode'], required: true },
  },
}

const components = [
  {
    uid: 'poem.notes',
    attributes: {
      heading: { type: 'string' },
      source: { type: 'component', component: 'poem.source' },
    },
  },
  { uid: 'poem.source', attributes: { book: { type: 'string' } } },
] as const

describe.runIf(executablePath)('A translation', () => {
  let site: Site
  let browser: Browser
  let id: number
  let original: number
  const state = unrestricted('fills the test')

  beforeAll(async () => {
    site = await openSite([poem], components, {
      plugins: [i18n({ locales: ['en', 'fr'], defaultLocale: 'en' }), draftPublish(), editors(), desk()],
    })
    browser = await launch()
    const entry = await site.server.octavo.entries('poem', state).create({
      title: 'The river',
      text: 'It spoke.',
      form: 'ode',
      publishedAt: aMinuteAgo(),
    } as never)
    id = entry.id
    const lake = { title: 'The lake', text: 'It fell silent.', form: 'sonnet', publishedAt: null }
    original = (await site.server.octavo.entries('poem', state).create(lake as never)).id
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  it('is reached by keyboard, which keeps its place at the languages', async () => {
    const sea = { title: 'The sea', text: 'It rose.', form: 'ode', publishedAt: null }
    const own = (await site.server.octavo.entries('poem', state).create(sea as never)).id
    const { page, leave } = await visit(browser, site.url, `/desk/content/poems/${own}`)
    const { keyboard } = page
    const goTo = async (code: string, key: 'Tab' | 'Shift+Tab') => {
      await tabTo(page, new RegExp(`^${code}`), key)
      await keyboard.press('Enter')
      await isAt(code)
    }
    const isAt = async (code: string) => {
      await page.locator('.langs a[aria-current]', { hasText: code }).waitFor()
      await nextFrame(page)
    }
    const focused = () => page.evaluate(() => document.activeElement?.closest('.langs a')?.textContent)
    await page.locator('.side dl').waitFor()
    await goTo('fr', 'Tab')
    expect(await focused()).toMatch(/^fr/)
    await page.locator('#field-title').fill('La mer')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await goTo('en', 'Shift+Tab')
    expect(await focused()).toMatch(/^en/)
    await goTo('fr', 'Tab')
    expect(await focused()).toMatch(/^fr/)
    // A page that is reached in another way begins at its beginning.
    await page.goBack()
    await isAt('en')
    expect(await focused()).toBe(undefined)
    await leave()
  })

  it('is written and published by keyboard alone, and takes over what all languages share', async () => {
    const { page, leave } = await visit(browser, site.url, `/desk/content/poems/${id}`)
    const { keyboard } = page
    await page.locator('.side dl').waitFor()
    await tabTo(page, /^fr/)
    await keyboard.press('Enter')
    await page.getByRole('button', { name: /^Take over Title/ }).waitFor()
    await tabTo(page, /^Take over Title/)
    await keyboard.press('Enter')
    await expect.poll(() => page.locator('#field-title').inputValue()).toBe('The river')
    await tabTo(page, /^Title/, 'Shift+Tab')
    await keyboard.press('Control+a')
    await keyboard.type('La rivière')
    // It lacks its own text: the publishing leads there. The form that all languages share is no mistake.
    await tabTo(page, /^Publish$/, 'Shift+Tab')
    await keyboard.press('Enter')
    await page.getByText('1 thing to correct').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-text')
    await keyboard.type('Elle parla.')
    await tabTo(page, /^Publish$/, 'Shift+Tab')
    await keyboard.press('Enter')
    await page.waitForURL(/poems\/\d+\?beside=en$/)
    await page.getByText('Published', { exact: true }).first().waitFor()
    const { data } = (await site.server.octavo.entries('poem', state).find({ locale: 'fr' } as never)) as {
      readonly data: readonly { readonly attributes: object }[]
    }
    expect(data.map(({ attributes }) => attributes)).toMatchObject([
      { title: 'La rivière', text: 'Elle parla.', form: 'ode', publishedAt: expect.any(String) },
    ])
    await leave()
  })

  it('takes over all of another language at once, which one undo takes back', async () => {
    const { body } = await site.send(
      await site.signIn('ada@example.org'),
      'POST',
      `content/poems/${original}/localizations`,
      { locale: 'fr', title: 'Le lac', text: 'Il se tut.', publishedAt: null },
    )
    const { page, leave } = await visit(browser, site.url, `/desk/content/poems/${body.id}?beside=en`)
    const [title, text] = [page.locator('#field-title'), page.locator('#field-text')]
    await page.getByRole('button', { name: 'Take over all: English' }).waitFor()
    await tabTo(page, /^Take over all: English/)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Undo restores the former text').waitFor()
    expect([await title.inputValue(), await text.inputValue()]).toEqual(['The lake', 'It fell silent.'])
    await page.getByRole('button', { name: 'Undo' }).click()
    expect([await title.inputValue(), await text.inputValue()]).toEqual(['Le lac', 'Il se tut.'])
    await page.getByText('Undo restores the former text').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await page.getByRole('button', { name: 'Take over all: English' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const saved = await site.server.octavo
      .entries('poem', state)
      .findOne(body.id, { publicationState: 'preview' } as never)
    expect(saved?.attributes).toMatchObject({ title: 'The lake', text: 'It fell silent.', form: 'sonnet' })
    await leave()
  })

  it('takes over the fields of its parts that the person may write, and leaves the others as they are', async () => {
    const poems = site.server.octavo.entries('poem', state)
    const notes = { heading: 'On the hill', source: { book: 'Collected poems' } }
    const hill = { title: 'The hill', text: 'It stood.', form: 'ode', notes, publishedAt: null }
    const { id: of } = await poems.create(hill as never)
    const colline = {
      ...{ locale: 'fr', title: 'La colline', text: 'Elle se tenait là.', publishedAt: null },
      notes: { heading: 'Sur la colline', source: { book: 'Poèmes' } },
    }
    const ada = await site.signIn('ada@example.org')
    const { body } = await site.send(ada, 'POST', `content/poems/${of}/localizations`, colline)
    const uid = 'api::poem.poem'
    await site.hire('bea', [
      { action: 'read', type: uid },
      { action: 'update', type: uid, fields: ['title', 'notes.heading'] },
    ])
    const address = `/desk/content/poems/${body.id}?beside=en`
    const { page, leave } = await visit(browser, site.url, address, 'bea@example.org')
    await page.getByRole('button', { name: 'Take over all: English' }).click()
    expect(await page.getByLabel('Heading', { exact: true }).inputValue()).toBe('On the hill')
    expect(await page.getByRole('button', { name: /^Take over (Text|Book)/ }).count()).toBe(0)
    // The part would go with the source of the poem, which is not theirs to write.
    expect(await page.getByRole('button', { name: 'Remove notes' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const { body: now } = await site.send(
      ada,
      'GET',
      `content/poems/${body.id}?publicationState=preview&populate[notes][populate]=*`,
    )
    expect(now.data.attributes).toMatchObject({
      ...{ title: 'The hill', text: 'Elle se tenait là.' },
      notes: { heading: 'On the hill', source: { book: 'Poèmes' } },
    })
    await leave()
  })

  it('has the other language beside fields of parts in parts as well, with room for both', async () => {
    const notes = { heading: 'On the sea', source: { book: 'Collected poems' } }
    const sea = { title: 'The sea', text: 'It roared.', form: 'ode', notes, publishedAt: null }
    const { id: of } = await site.server.octavo.entries('poem', state).create(sea as never)
    const { page, leave } = await visit(browser, site.url, `/desk/content/poems/new?locale=fr&from=${of}`)
    await page.getByRole('button', { name: 'Take over all: English' }).click()
    const field = page.getByLabel('Book', { exact: true })
    await field.waitFor()
    const [own, beside] = await Promise.all([
      field.boundingBox(),
      page.locator('.field', { has: field }).last().locator('> .beside').boundingBox(),
    ])
    expect(own?.width).toBeGreaterThan(200)
    expect(beside?.width).toBeGreaterThan(200)
    expect(beside?.x).toBeGreaterThan((own?.x ?? 0) + (own?.width ?? 0))
    await leave()
  })
})
