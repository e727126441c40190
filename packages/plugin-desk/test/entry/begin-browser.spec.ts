/** New entries are offered where the person can save them: not where a required field may not be written. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { i18n } from '@octavo/plugin-i18n'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { checkAccessible } from '../accessible.ts'
import { openSite, type Site } from '../site.ts'
import { executablePath, launch, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const localized = { pluginOptions: { i18n: { localized: true } } }

/** It has no drafts: each save needs the seal, of each language, and the land, which all languages share. */
const deed: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'deed', pluralName: 'deeds' },
  ...localized,
  attributes: {
    title: { type: 'string', ...localized },
    seal: { type: 'string', required: true, ...localized },
    land: { type: 'string', required: true },
    state: { type: 'string', required: true, default: 'open', ...localized },
  },
}

const bill: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'bill', pluralName: 'bills' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string' },
    seal: { type: 'string', required: true },
    deed: { type: 'relation', relation: 'manyToOne', target: 'api::deed.deed' },
    clauses: { type: 'component', component: 'bill.clause', repeatable: true },
  },
}

/** Its address is made by the server, and its lists must be there, though they may be empty. */
const act: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'act', pluralName: 'acts' },
  attributes: {
    title: { type: 'string' },
    slug: { type: 'uid', targetField: 'title', generate: true, required: true },
    clauses: { type: 'component', component: 'bill.clause', repeatable: true, required: true },
    annexes: { type: 'component', component: 'bill.annex', repeatable: true },
  },
}

const notice: ContentTypeDefinition = {
  kind: 'singleType',
  info: { singularName: 'notice', pluralName: 'notices', displayName: 'Notice' },
  attributes: { title: { type: 'string' }, seal: { type: 'string', required: true } },
}

const components = [
  {
    uid: 'bill.clause',
    info: { displayName: 'Clause' },
    attributes: { words: { type: 'string' }, number: { type: 'integer', required: true } },
  },
  {
    uid: 'bill.annex',
    info: { displayName: 'Annex' },
    attributes: {
      name: { type: 'string' },
      clauses: { type: 'component', component: 'bill.clause', repeatable: true, required: true },
    },
  },
] as const

describe.runIf(executablePath)('A new entry', () => {
  let site: Site
  let browser: Browser
  let deedId: number
  let billId: number
  const state = unrestricted('fills the test')
  const writes = (type: string, fields: readonly string[]) =>
    ['create', 'update'].map((action) => ({ action, type: `api::${type}.${type}`, fields }))
  const reads = (type: string, fields?: readonly string[]) => ({
    ...{ action: 'read', type: `api::${type}.${type}` },
    ...(fields && { fields }),
  })

  beforeAll(async () => {
    site = await openSite([deed, bill, act, notice], components as never, {
      plugins: [i18n({ locales: ['en', 'fr'], defaultLocale: 'en' }), draftPublish(), editors(), desk()],
    })
    const { octavo } = site.server
    const create = async (type: string, values: object): Promise<number> =>
      (await octavo.entries(type as 'deed', state).create(values as never)).id
    deedId = await create('deed', { title: 'The meadow', seal: 'S1', land: 'north' })
    billId = await create('bill', { title: 'The hedges', publishedAt: null })
    const bills = [
      reads('bill'),
      ...writes('bill', ['title', 'deed', 'clauses.words']),
      { action: 'publish', type: 'api::bill.bill' },
    ]
    const acts = [reads('act'), ...writes('act', ['title', 'annexes.name'])]
    const notices = [reads('notice'), ...writes('notice', ['title'])]
    await site.hire('ben', [
      ...[reads('deed'), ...writes('deed', ['title', 'land'])],
      ...[...bills, ...acts, ...notices],
    ])
    await site.hire('cleo', [
      ...[reads('deed', ['title', 'land']), ...writes('deed', ['title', 'land'])],
      ...[reads('bill', ['title', 'deed']), ...bills.slice(1)],
    ])
    await site.hire('dora', [
      ...[reads('deed'), ...writes('deed', ['title', 'land', 'seal'])],
      ...[reads('bill'), ...writes('bill', ['title', 'deed', 'seal'])],
      { action: 'publish', type: 'api::bill.bill' },
      ...[reads('act'), ...writes('act', ['title', 'clauses'])],
    ])
    // Translations take over what all languages share, so that this person may make them, and no other new entry.
    await site.hire('eli', [reads('deed'), ...writes('deed', ['title', 'seal'])])
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const visitAs = (name: string, address = '') =>
    visit(browser, site.url, `/desk${address}`, `${name}@example.org`)
  const go = (page: Page, address: string) => page.goto(`${site.url}/desk${address}`)

  /** The buttons and links with which the pages of the desk offer to begin a deed. */
  async function offers(name: string) {
    const { page, leave } = await visitAs(name)
    await page.locator('main h1').waitFor()
    const count = (role: 'link' | 'button', text: string | RegExp) =>
      page.getByRole(role, { name: text }).count()
    const home = await count('link', 'New deed')
    await go(page, '/content/deeds')
    await page.getByRole('link', { name: 'The meadow' }).waitFor()
    const list = await count('link', 'New deed')
    await go(page, `/content/deeds/${deedId}`)
    await page.locator('.side dl').waitFor()
    const translation = await page.locator('.langs').getByRole('link', { name: /^fr/ }).count()
    const menu = page.getByLabel('More actions')
    const duplicate = await menu.count()
    if (duplicate > 0) {
      await menu.click()
      await page.getByRole('button', { name: 'Duplicate' }).waitFor()
    }
    await go(page, '/content/deeds/new')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    const save = await count('button', 'Save')
    await leave()
    return { home, list, translation, duplicate, save }
  }

  it('is refused by the server without what is required, and not offered there', async () => {
    for (const name of ['ben', 'cleo']) {
      const cookie = await site.signIn(`${name}@example.org`)
      const data = { title: 'The pond', land: 'south' }
      expect((await site.send(cookie, 'POST', 'content/deeds', { data })).status).toBe(400)
      expect([name, await offers(name)]).toEqual([
        name,
        { home: 0, list: 0, translation: 0, duplicate: 0, save: 0 },
      ])
    }
    expect(await offers('dora')).toEqual({ home: 1, list: 1, translation: 1, duplicate: 1, save: 1 })
  })

  it('says at its address why it cannot be made', async () => {
    const { page, leave } = await visitAs('ben', '/content/deeds/new')
    await page.getByText('so you cannot create one here: Seal.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Title' }).isEditable()).toBe(false)
    await checkAccessible(page)
    // A single type has its first entry in the same way.
    await go(page, '/content/notice')
    await page.getByText('so you cannot create one here: Seal.').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await leave()
  })

  it('is offered by a list to choose from only where it can be made', async () => {
    for (const [name, placeholder, more] of [
      ['ben', /^Find/, 0],
      ['cleo', /^Find/, 0],
      ['dora', /create/, 1],
    ] as const) {
      const { page, leave } = await visitAs(name, `/content/bills/${billId}`)
      const picker = page.getByRole('combobox')
      await picker.fill('The pond')
      await page.locator('.option').first().waitFor()
      expect(await picker.getAttribute('placeholder')).toMatch(placeholder)
      expect([name, await page.getByRole('option', { name: /The pond/ }).count()]).toEqual([name, more])
      await leave()
    }
  })

  it('is a translation where only what all languages share may not be written', async () => {
    expect(await offers('eli')).toEqual({ home: 0, list: 0, translation: 1, duplicate: 0, save: 0 })
    const { page, leave } = await visitAs('eli', `/content/deeds/new?locale=fr&from=${deedId}`)
    await page.getByRole('textbox', { name: 'Title' }).fill('Le pré')
    await page.getByRole('textbox', { name: 'Seal' }).fill('S2')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/deeds\/\d+\?beside=en$/)
    await leave()
  })

  it('is a draft that others publish, where what is required may not be written', async () => {
    const { page, leave } = await visitAs('ben', '/content/bills/new')
    const publish = page.getByRole('button', { name: 'Publish' })
    const why = page.getByText('must be filled in before this can be published: ')
    await why.waitFor()
    await page.getByRole('textbox', { name: 'Title' }).fill('The ditches')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/bills\/\d+$/)
    expect(await publish.count()).toBe(0)
    expect(await why.textContent()).toMatch(/published: Seal\.$/)
    await page
      .getByRole('group', { name: /^Clauses/ })
      .getByRole('button', { name: 'Insert a part' })
      .click()
    await page.getByLabel('Words').fill('Hedges are cut.')
    await expect.poll(() => why.textContent()).toMatch(/published: Seal, Clauses 1 \/ Number\.$/)
    await checkAccessible(page)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()

    const id = Number(/bills\/(\d+)/.exec(page.url())?.[1])
    const ada = await site.signIn('ada@example.org')
    const { body } = await site.send(ada, 'GET', `content/bills/${id}?publicationState=preview&populate=*`)
    const clauses = body.data.attributes.clauses.map((one: { id: number }) => ({ id: one.id, number: 1 }))
    const data = { seal: 'S3', clauses }
    expect((await site.send(ada, 'PUT', `content/bills/${id}`, { data })).status).toBe(200)
    await page.reload()
    await publish.click()
    await page.getByText('Published', { exact: true }).first().waitFor()
    expect(await why.count()).toBe(0)
    await leave()
  })

  it('is a draft that cannot be published, where what is required may not be read either', async () => {
    const { page, leave } = await visitAs('cleo', '/content/bills/new')
    await page.getByText('must be filled in before this can be published: Seal.').waitFor()
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Save draft' }).waitFor()
    await leave()
  })

  it('has the empty lists that it must have, and the address that the server makes', async () => {
    const { page, leave } = await visitAs('dora', '/content/acts/new')
    await page.getByRole('textbox', { name: 'Title' }).fill('The roads')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/acts\/\d+$/)
    expect(await page.getByLabel('Slug').inputValue()).toBe('the-roads')
    // A part with such a list is saved in the same way, and not offered where the list may not be written.
    await leave()
    const ben = await visitAs('ben', '/content/acts')
    await ben.page.getByRole('link', { name: 'The roads' }).click()
    await ben.page.getByRole('textbox', { name: 'Title' }).waitFor()
    expect(await ben.page.getByRole('button', { name: 'Insert a part' }).count()).toBe(0)
    await ben.leave()
    const ada = await visitAs('ada', '/content/acts')
    await ada.page.getByRole('link', { name: 'The roads' }).click()
    const annexes = ada.page.getByRole('group', { name: /^Annexes/ })
    await annexes.getByRole('button', { name: 'Insert a part' }).click()
    await ada.page.getByLabel('Name').fill('The map')
    await ada.page.getByRole('button', { name: 'Save', exact: true }).click()
    await ada.page.getByRole('button', { name: 'Saved' }).waitFor()
    await ada.leave()
  })
})
