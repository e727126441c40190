/** Parts that all languages of an entry share, while they are changed in two of them. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { openSite, type Site } from '../site.ts'
import { executablePath, launch, openParts, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const localized = { pluginOptions: { i18n: { localized: true } } }

const page: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages' },
  options: { draftAndPublish: true },
  ...localized,
  attributes: {
    title: { type: 'string', ...localized },
    links: { type: 'component', component: 'page.link', repeatable: true },
  },
}

const components = [
  { uid: 'page.link', attributes: { label: { type: 'string' }, address: { type: 'string' } } },
] as const

interface Link {
  readonly id: number
  readonly label: string
  readonly address: string
}

describe.runIf(executablePath)('Parts that all languages share', () => {
  let site: Site
  let browser: Browser
  let ada: string
  beforeAll(async () => {
    site = await openSite([page], components, {
      plugins: [i18n({ locales: ['en', 'fr'], defaultLocale: 'en' }), draftPublish(), editors(), desk()],
    })
    ada = await site.signIn('ada@example.org')
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const pages = () => site.server.octavo.entries('page', unrestricted('writes beside the editors'))
  const linksOf = async (id: number): Promise<readonly Link[]> => {
    const found = await pages().findOne(id, { publicationState: 'preview', populate: { links: true } })
    const { links = [] } = (found?.attributes ?? {}) as { readonly links?: readonly Link[] }
    return links
  }
  /** A page in both languages. @returns the ids of the English and the French entry */
  const make = async (): Promise<readonly [number, number]> => {
    const links = ['a', 'b', 'c'].map((label) => ({ label, address: `/${label}` }))
    const { id } = await pages().create({ title: 'En', links, publishedAt: null } as never)
    const { body } = await site.send(ada, 'POST', `content/pages/${id}/localizations`, {
      locale: 'fr',
      title: 'Fr',
    })
    return [id, body.id]
  }
  const openFrench = async (french: number) => {
    const visited = await visit(browser, site.url, `/desk/content/pages/${french}`)
    await visited.page.locator('.part-open').first().waitFor()
    await openParts(visited.page)
    return visited
  }
  const changeEnglish = (english: number, links: readonly object[]) =>
    pages().update(english, { links } as never)

  it('are put together when somebody changes and moves others of them in another language', async () => {
    const [english, french] = await make()
    const { page, leave } = await openFrench(french)
    await page.getByRole('textbox', { name: 'Address' }).nth(1).fill('/mine')
    const [a, b, c] = await linksOf(english)
    if (!a || !b || !c) throw new Error('three links')
    await changeEnglish(english, [{ id: c.id, label: 'theirs' }, { id: a.id }, { id: b.id }])
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(await page.locator('.overlap').count()).toBe(0)
    for (const id of [english, french])
      expect(await linksOf(id)).toMatchObject([
        { label: 'theirs', address: '/c' },
        { label: 'a', address: '/a' },
        { label: 'b', address: '/mine' },
      ])
    await leave()
  })

  it('show the field that two have changed, and the choice doubles no part', async () => {
    const [english, french] = await make()
    const { page, leave } = await openFrench(french)
    await page.getByRole('textbox', { name: 'Address' }).nth(1).fill('/mine')
    const [a, b, c] = await linksOf(english)
    if (!a || !b || !c) throw new Error('three links')
    await changeEnglish(english, [{ id: a.id }, { id: b.id, address: '/theirs' }, { id: c.id }])
    await page.getByRole('button', { name: 'Save draft' }).click()
    const sides = page.locator('.overlap dd')
    await sides.first().waitFor()
    expect(await sides.allTextContents()).toEqual(['/mine', '/theirs'])
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    for (const id of [english, french])
      expect((await linksOf(id)).map(({ address }) => address)).toEqual(['/a', '/mine', '/c'])
    await leave()
  })
})
