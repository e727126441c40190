/** Text that has no place at the server any more goes on as a new entry. */
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

const poem: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'poem', pluralName: 'poems' },
  options: { draftAndPublish: true },
  ...localized,
  attributes: {
    title: { type: 'string', required: true, ...localized },
    text: { type: 'text', ...localized },
    verses: { type: 'component', component: 'poem.verse', repeatable: true, ...localized },
  },
}
const verse = { uid: 'poem.verse', attributes: { line: { type: 'string' } } } as const

describe.runIf(executablePath)('Text of an entry that is not there any more', () => {
  const state = unrestricted('fills the test')
  let site: Site
  let browser: Browser

  beforeAll(async () => {
    site = await openSite([poem], [verse], {
      plugins: [i18n({ locales: ['en', 'fr'], defaultLocale: 'en' }), draftPublish(), editors(), desk()],
    })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const entries = () => site.server.octavo.entries('poem', state)
  const make = async (data: object): Promise<number> =>
    (await entries().create({ title: 'The river', publishedAt: null, ...data } as never)).id
  const stored = async (id: number) =>
    (await entries().findOne(id, { populate: '*', publicationState: 'preview' } as never))?.attributes
  const save = (page: Page) => page.getByRole('button', { name: 'Save draft' }).click()
  const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
  const goOn = async (page: Page): Promise<number> => {
    await page.getByRole('button', { name: 'Go on in a new entry' }).click()
    await page.getByText(/^This is a copy of/).waitFor()
    await save(page)
    await page.waitForURL(/poems\/\d+/)
    return Number(/poems\/(\d+)/.exec(page.url())?.[1])
  }

  it('goes on in a new one while its page is open', async () => {
    const id = await make({ verses: [{ line: 'one' }] })
    const { page, leave } = await visit(browser, site.url, `/desk/content/poems/${id}`)
    await text(page).fill('A morning of work')
    await entries().delete(id)
    await save(page)
    await page.getByText('This entry has been deleted, or your roles no longer show it.').waitFor()
    expect(await stored(await goOn(page))).toMatchObject({
      title: 'The river',
      text: 'A morning of work',
      verses: [{ line: 'one' }],
    })
    await leave()
  })

  it('is offered at its address after the page was closed, in its language, until it is discarded', async () => {
    const id = await make({ locale: 'fr', title: 'La rivière' })
    const { page, leave } = await visit(browser, site.url, `/desk/content/poems/${id}`)
    await text(page).fill('Une matinée de travail')
    await page.goto(`${site.url}/desk/content/poems`)
    await entries().delete(id)
    await page.goto(`${site.url}/desk/content/poems/${id}`)
    await page.getByText(/^Changes of .* that were not saved are still on this device\./).waitFor()
    expect(await stored(await goOn(page))).toMatchObject({
      title: 'La rivière',
      text: 'Une matinée de travail',
      locale: 'fr',
    })
    await page.goto(`${site.url}/desk/content/poems/${id}`)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByRole('heading', { name: 'There is no such page.' }).waitFor()
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('/draft'))),
    ).toEqual([])
    await leave()
  })

  it('goes on where somebody else has begun the same translation, or has deleted its original', async () => {
    for (const [meanwhile, words] of [
      [
        async (id: number) => {
          const ada = await site.signIn('ada@example.org')
          const made = await site.send(ada, 'POST', `content/poems/${id}/localizations`, {
            locale: 'fr',
            title: 'Une autre',
          })
          expect(made.status).toBe(200)
        },
        /^Somebody else has begun this version meanwhile: French/,
      ],
      [(id: number) => entries().delete(id), /^The entry that this translates has been deleted/],
    ] as const) {
      const id = await make({})
      const { page, leave } = await visit(browser, site.url, `/desk/content/poems/new?locale=fr&from=${id}`)
      await page.getByRole('textbox', { name: 'Title' }).fill('La rivière')
      await text(page).fill('Ma traduction')
      await meanwhile(id)
      await save(page)
      await page.getByText(words).waitFor()
      expect(await stored(await goOn(page))).toMatchObject({
        title: 'La rivière',
        text: 'Ma traduction',
        locale: 'fr',
      })
      await leave()
    }
  })
})
