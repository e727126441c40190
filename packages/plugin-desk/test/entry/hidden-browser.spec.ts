/** A required field that a layout hides can be filled in, by whoever begins an entry without it. */
import type { ComponentDefinition, ContentTypeDefinition } from '@octavo/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
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

  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
  /** Required ones have a star behind their label. */
  const field = (page: Page, label: string) => page.getByRole('textbox', { name: new RegExp(`^${label}`) })
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
