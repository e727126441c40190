/** Large entries in Chromium: what a key draws, a thousand linked entries, dragging, and saves without a network. */
import { unrestricted } from '@octavo/core'
import { takeDrawn } from '@octavo/testing'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { openRoom } from '../room.ts'
import { executablePath, nextFrame, visit, withoutLongTimers, withoutPausesBeforeAttempts } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('Large entries of the desk', () => {
  const room = openRoom()
  const state = unrestricted('fills the tests')

  const open = (id: number) => visit(room.browser, room.site.url, `/desk/content/articles/${id}`)
  const create = (data: object) =>
    room.site.octavo
      .entries('article', state)
      .create({ headline: 'Large', summary: 'Of many parts.', publishedAt: null, ...data } as never)
  interface Stored {
    readonly summary: string
    readonly sections: readonly { readonly text?: string }[]
    readonly categories: { readonly data: readonly { readonly id: number }[] }
  }
  const stored = async (id: number): Promise<Stored> => {
    const entry = await room.site.octavo
      .entries('article', state)
      .findOne(id, { populate: '*', publicationState: 'preview' } as never)
    return entry?.attributes as unknown as Stored // with all that is populated
  }
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
  }

  /** Once the page is still: an editor of texts that arrives between the press and the drop moves what is below it. */
  const drag = async (from: Locator, to: Locator) => {
    await from.page().waitForLoadState('networkidle')
    let before = ''
    const isStill = async () => {
      const now = JSON.stringify([await from.boundingBox(), await to.boundingBox()])
      const isSame = now === before
      before = now
      return isSame
    }
    await expect.poll(isStill, { interval: 500 }).toBe(true)
    await from.dragTo(to)
  }

  it('a key draws one field anew, in a zone of many parts that are all open', async () => {
    const sections = Array.from({ length: 60 }, (_, i) => ({
      ...{ __component: 'section.quote', text: `Quote ${i + 1}` },
    }))
    const { id } = await create({ sections })
    const { page, leave } = await open(id)
    await page.getByRole('button', { name: 'Open all' }).click()
    const text = page.locator('.part').nth(30).getByLabel('Text')
    await text.focus()
    await page.keyboard.press('End')
    // The first key makes the entry changed: its buttons are drawn anew.
    await page.keyboard.press('!')
    await page.evaluate(takeDrawn)
    await page.keyboard.type('spoken')
    await expect.poll(() => text.inputValue()).toBe('Quote 31!spoken')
    const { fields } = await page.evaluate(takeDrawn)
    const own = (await text.getAttribute('id')) ?? ''
    expect([...new Set(fields)]).toEqual([own])
    expect(fields).toHaveLength('spoken'.length)
    await page.getByRole('button', { name: 'Close all' }).click()
    await page.getByText('Quote 31!spoken').waitFor()
    expect(await page.locator('.part-body').count()).toBe(0)
    await save(page)
    expect((await stored(id)).sections[30]?.text).toBe('Quote 31!spoken')
    await leave()
  })

  it('a thousand linked entries are shown, moved and saved in their order', async () => {
    const made = await room.site.octavo.store.query(
      `insert into categories (name) select 'Subject ' || i from generate_series(0, 999) i returning id`,
    )
    const ids = made.map(([id]) => Number(id))
    const order = ids.toSorted((one, other) => ((one * 7_919) % 1_009) - ((other * 7_919) % 1_009))
    const { id } = await create({ categories: order })
    const { page, leave } = await open(id)
    const field = page.getByRole('group', { name: 'Categories' })
    await expect.poll(() => field.locator('.chip').count()).toBe(1_000)
    const shown = () =>
      field.locator('.grip').evaluateAll((grips) => grips.map((grip) => Number(grip.id.split('-').at(-1))))
    expect(await shown()).toEqual(order)
    await page.waitForLoadState('networkidle')
    await page.evaluate(takeDrawn)
    await field.locator('.grip').first().press('End')
    await page.getByText('is at place 1000 of 1000').waitFor({ state: 'attached' })
    // The moved item gets the focus back, which would take it from the item that is pressed next.
    await nextFrame(page)
    await field.locator('.grip').first().press('PageDown')
    await page.getByText('is at place 11 of 1000').waitFor({ state: 'attached' })
    // Only the moved entries are drawn anew.
    expect((await page.evaluate(takeDrawn)).components).toBeLessThan(200)
    const [first = 0, second = 0, ...others] = order
    const wanted = [...others.slice(0, 10), second, ...others.slice(10), first]
    expect(await shown()).toEqual(wanted)
    await save(page)
    expect((await stored(id)).categories.data.map((one) => one.id)).toEqual(wanted)
    await leave()
  })

  it('a text of thousands of lines scrolls in its field, whose lines begin each at their own side', async () => {
    const { id } = await create({})
    const { page, leave } = await open(id)
    const summary = page.getByLabel('Summary')
    // Key by key, the browser would lay the field out 3,000 times.
    await summary.evaluate((one, text) => {
      const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {}
      set?.call(one, text)
      one.dispatchEvent(new Event('input', { bubbles: true }))
    }, 'a line\n'.repeat(3_000))
    const look = () =>
      summary.evaluate((one) => [
        one.clientHeight < innerHeight,
        one.getAttribute('dir'),
        getComputedStyle(one).unicodeBidi,
      ])
    await expect.poll(look).toEqual([true, 'ltr', 'plaintext'])
    await summary.fill('a line')
    await expect.poll(look).toEqual([true, 'auto', 'plaintext'])
    await leave()
  })

  it('letters have the size that the person has chosen in the browser', async () => {
    const { page, leave } = await open(room.site.quiet)
    const devTools = await page.context().newCDPSession(page)
    const size = () => page.getByLabel('Summary').evaluate((one) => getComputedStyle(one).fontSize)
    expect(await size()).toBe('14px')
    await devTools.send('Page.setFontSizes', { fontSizes: { standard: 24 } })
    await expect.poll(size).toBe('21px')
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await leave()
  })

  it('parts, linked entries and files are dragged to another place', async () => {
    const sections = ['One', 'Two', 'Three'].map((text) => ({ __component: 'section.quote', text }))
    const { id } = await create({ sections, categories: [1, 2, 3] })
    const { page, leave } = await open(id)
    const zone = page.getByRole('group', { name: 'Sections' })
    await drag(zone.locator('.grip').nth(2), zone.locator('.part').nth(0))
    await expect.poll(() => zone.locator('.sum').allTextContents()).toEqual(['Three', 'One', 'Two'])
    const field = page.getByRole('group', { name: 'Categories' })
    await drag(field.locator('.grip').nth(0), field.locator('.chip').nth(2))
    await expect
      .poll(() => field.locator('.name').allTextContents())
      .toEqual(['Science', 'Letters', 'Rivers'])
    // A part is not taken by a list of another field.
    await drag(zone.locator('.grip').nth(0), field.locator('.chip').nth(1))
    await save(page)
    const { sections: parts, categories } = await stored(id)
    expect(parts.map(({ text }) => text)).toEqual(['Three', 'One', 'Two'])
    expect(categories.data.map((one) => one.id)).toEqual([2, 3, 1])

    await page.goto(`${room.site.url}/desk/media`)
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByLabel('Name of the folder').fill('Dragged')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Path to this folder' }).getByText('Dragged').waitFor()
    await page.goto(`${room.site.url}/desk/media`)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'dragged.txt', mimeType: 'text/plain', buffer: Buffer.from('dragged') })
    const tile = page.locator('.media li').filter({ hasText: 'dragged.txt' })
    await tile.waitFor()
    await drag(tile, page.getByRole('button', { name: 'Dragged', exact: true }))
    await page.getByText('There are no files yet').waitFor()
    await page.getByRole('button', { name: 'Dragged', exact: true }).click()
    await page.getByRole('button', { name: 'dragged.txt', exact: true }).waitFor()
    await leave()
  })

  it('a save without a network is sent again when the network returns', async () => {
    const { id } = await create({})
    const { page, leave } = await open(id)
    await page.getByLabel('Summary').fill('Typed in a tunnel.')
    // Fields of relations are a file of their own, which a page without a network cannot load.
    await page.locator('.waiting').first().waitFor({ state: 'detached' })
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('The server cannot be reached').first().waitFor()
    expect((await stored(id)).summary).toBe('Of many parts.')
    // The browser tells the page before its requests pass again.
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect((await stored(id)).summary).toBe('Typed in a tunnel.')
    await leave()
  })

  it('a save is sent again when the network has returned before it failed', async () => {
    const { id } = await create({})
    const { page, leave } = await open(id)
    await page.evaluate(withoutLongTimers)
    let isBack = false
    await page.route('**/desk/api/content/articles/*', async (route) => {
      if (route.request().method() !== 'PUT' || isBack) return route.fallback()
      isBack = true
      await page.evaluate(() => dispatchEvent(new Event('online')))
      await route.abort('internetdisconnected')
    })
    await page.getByLabel('Summary').fill('Typed at the end of a tunnel.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect((await stored(id)).summary).toBe('Typed at the end of a tunnel.')
    expect(await page.getByText('The server cannot be reached').count()).toBe(0)
    await leave()
  })

  it('a save whose answers are lost is sent again by itself', async () => {
    const { id } = await create({})
    const { page, leave } = await open(id)
    await page.evaluate(withoutPausesBeforeAttempts)
    let lost = 0
    await page.route('**/desk/api/content/articles/*', async (route) => {
      if (route.request().method() !== 'PUT' || lost === 2) return route.fallback()
      lost += 1
      return route.abort('connectionreset')
    })
    await page.getByLabel('Summary').fill('Typed on a bad line.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect((await stored(id)).summary).toBe('Typed on a bad line.')
    await leave()
  })

  it.each(['/desk/media', '/desk/content/categories/1', '/desk/people', '/desk/content/categories'])(
    'what the document of %s names ahead is asked for once',
    async (address) => {
      const { page, leave } = await visit(room.browser, room.site.url, 'about:blank')
      const document = await (await fetch(`${room.site.url}${address}`)).text()
      const ahead = [...document.matchAll(/<link rel="(?:module)?preload"[^>]* href="([^"]*)"/g)].map(
        ([, href = '']) => href.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
      )
      expect(ahead).toContain('/desk/api/me')
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url().slice(room.site.url.length)))
      await page.goto(`${room.site.url}${address}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
      await page.waitForLoadState('networkidle')
      await expect.poll(() => asked.filter((path) => ahead.includes(path)).sort()).toEqual(ahead.toSorted())
      await leave()
    },
  )

  it('a page whose files are gone says so, and is there after a reload', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk')
    await page.route('**/assets/roles-page-*', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: 'Roles' }).click()
    await page.getByRole('alert').getByText('This did not work').waitFor()
    // The other pages go on.
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByText('ada@example.org').waitFor()
    await page.getByRole('link', { name: 'Roles' }).click()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/assets/roles-page-*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Roles' }).waitFor()
    await leave()
  })
})
