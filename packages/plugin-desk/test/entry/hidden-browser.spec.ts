/** A required field that a layout hides can be filled in, by the person who begins an entry without it. A field that only programs write is shown. */
import { type ComponentDefinition, type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { editors } from '@octavo/plugin-editors'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { openSite, type Site } from '../site.ts'
import { executablePath, launch, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const parcel: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'parcel', pluralName: 'parcels' },
  attributes: {
    name: { type: 'string' },
    code: { type: 'string', required: true },
    stop: { type: 'component', component: 'way.stop' },
  },
}

const stop: ComponentDefinition = {
  uid: 'way.stop',
  attributes: { town: { type: 'string' }, street: { type: 'string', required: true } },
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
/** A field of the form: the label of a required one ends with a star. */
const field = (page: Page, label: string) => page.getByRole('textbox', { name: new RegExp(`^${label}`) })

describe.runIf(executablePath)('A required field that a layout hides', () => {
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    site = await openSite([parcel], [stop])
    const ada = await site.signIn('ada@example.org')
    for (const [uid, names] of [
      ['api::parcel.parcel', ['name', 'stop']],
      ['way.stop', ['town']],
    ] as const) {
      const { body } = await site.send(ada, 'GET', `layouts/${uid}`)
      const form = [names.map((name) => ({ name, size: 6 }))]
      const { status } = await site.send(ada, 'PUT', `layouts/${uid}`, { ...(body as object), form })
      expect([uid, status]).toEqual([uid, 200])
    }
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const focusIsIn = (page: Page, label: string) =>
    expect.poll(() => field(page, label).evaluate((one) => one === document.activeElement))

  it('is shown once it is missed, of the entry and of a part, and stays until the page is left', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/content/parcels/new')
    await field(page, 'Name').fill('A parcel')
    await page.getByRole('button', { name: 'Add stop' }).click()
    await field(page, 'Town').fill('Bath')
    for (const label of ['Code', 'Street']) expect(await field(page, label).count()).toBe(0)
    await save(page)
    await focusIsIn(page, 'Code').toBe(true)
    await field(page, 'Street').waitFor()
    await page.keyboard.type('A')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('A7')
    await save(page)
    await focusIsIn(page, 'Street').toBe(true)
    await page.keyboard.type('Gay Street')
    await save(page)
    await page.waitForURL(/parcels\/1/)
    expect(await field(page, 'Code').inputValue()).toBe('A7')
    await page.reload()
    await field(page, 'Name').waitFor()
    expect(await field(page, 'Code').count()).toBe(0)
    const { body } = await site.send(
      await site.signIn('ada@example.org'),
      'GET',
      'content/parcels/1?populate=stop',
    )
    expect(body).toMatchObject({
      data: { attributes: { code: 'A7', stop: { town: 'Bath', street: 'Gay Street' } } },
    })
    await leave()
  })
})

/** Programs write the balance, the number and the stamp of an account. */
const account: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'account', pluralName: 'accounts' },
  attributes: {
    name: { type: 'string' },
    balance: { type: 'integer', default: 0, writable: false },
    number: { type: 'string', required: true, writable: false },
    address: { type: 'uid', targetField: 'name', writable: false },
    stamp: { type: 'component', component: 'bank.stamp', writable: false },
    note: { type: 'component', component: 'bank.stamp' },
  },
}

const stamp: ComponentDefinition = {
  uid: 'bank.stamp',
  attributes: { words: { type: 'string', writable: false } },
}

const numbers = definePlugin({
  name: 'numbers',
  setup: (host) =>
    host.hook(
      'entry:input',
      (input, { action }) => (action === 'create' ? { number: 'N7', ...input } : input),
      {
        types: ['api::account.account'],
        database: false,
      },
    ),
})

describe.runIf(executablePath)('A field that only programs write', () => {
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    site = await openSite([account], [stamp], { plugins: [numbers, editors(), desk()] })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const stored = (id: number) =>
    site.server.octavo
      .entries('api::account.account', unrestricted('looks'))
      .findOne(id, { populate: { stamp: true, note: true } })

  it('is shown and cannot be changed, and the others of the entry are saved', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/content/accounts/new')
    await field(page, 'Name').fill('Ada')
    for (const label of ['Balance', 'Number', 'Address'])
      expect([label, await field(page, label).isEditable()]).toEqual([label, false])
    expect(await page.getByText('This cannot be changed here.').count()).toBeGreaterThan(2)
    expect(await page.getByRole('button', { name: 'Add stamp' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Add note' }).click()
    await field(page, 'Words').fill('Kept')
    await save(page)
    await page.waitForURL(/accounts\/1/)
    expect(await stored(1)).toMatchObject({
      attributes: {
        name: 'Ada',
        balance: 0,
        number: 'N7',
        address: null,
        stamp: null,
        note: { words: 'Kept' },
      },
    })
    const accounts = site.server.octavo.entries('api::account.account', unrestricted('pays'))
    await accounts.update(1, { balance: 5, stamp: { words: 'Paid' } })
    await page.reload()
    await field(page, 'Name').fill('Ada Lovelace')
    expect(await field(page, 'Balance').inputValue()).toBe('5')
    await save(page)
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(await stored(1)).toMatchObject({
      attributes: { name: 'Ada Lovelace', balance: 5, number: 'N7', stamp: { words: 'Paid' } },
    })
    await leave()
  })

  it('is not in a copy of the entry, whose page says so', async () => {
    const { page, leave } = await visit(browser, site.url, '/desk/content/accounts/1')
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Duplicate' }).click()
    const words = await page.getByText('This is a copy of').textContent()
    expect(words).toContain('Balance, Number')
    expect(await field(page, 'Balance').inputValue()).toBe('0')
    await leave()
  })
})
