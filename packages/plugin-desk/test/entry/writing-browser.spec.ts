/** Ways through the form of an entry, from its first word until it is published: by mouse and keyboard, with others, and when sessions, tabs and answers are lost. */
import { unrestricted } from '@octavo/core'
import { chromiumPath } from '@octavo/testing'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { checkAccessible } from '../accessible.ts'
import { password } from '../reading-room.ts'
import { articlePath, leave, openReadingRoom, signIn } from '../reading-room-pages.ts'
import { nextFrame, tabTo, withoutLongTimers } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(chromiumPath())('Writing at the desk', () => {
  const room = openReadingRoom()

  it('an editor signs in, finds an article, writes, is led to a mistake, and publishes', async () => {
    const visited = await room.visit('/desk', { ahead: 3_600_000 })
    const { page } = visited
    await signIn(page)
    await page.getByRole('link', { name: 'Articles' }).click()
    await page.getByLabel('Search articles').fill('salt')
    await page.getByText('1 entry', { exact: true }).first().waitFor()
    await page.getByRole('link', { name: 'What the salt remembers' }).click()
    await page.getByLabel('Headline').fill('What the salt keeps')
    await page.getByLabel('Summary').fill('')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Summary must be defined.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-summary')
    await page.keyboard.type('Of salt and memory.')
    await page.getByRole('combobox', { name: 'Find or create: categories' }).fill('Lett')
    await page.getByRole('option', { name: 'Letters' }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Published', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const entry = await room.stored('What the salt keeps')
    expect(entry?.attributes).toMatchObject({ summary: 'Of salt and memory.' })
    // By the clock of the server, since a later time would only schedule the entry.
    expect(Date.parse(String(entry?.attributes.publishedAt))).toBeLessThanOrEqual(Date.now())
    expect(JSON.stringify(entry?.attributes.categories)).toContain('Letters')
    await leave(visited)
  })

  it('an article is created, ordered and published by keyboard alone', async () => {
    const visited = await room.visit('/desk/content/articles/new')
    const { page } = visited
    const { keyboard } = page
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await keyboard.press(key)
    }
    await page.getByLabel('Email address').waitFor()
    await tabTo(page, /^Email address/)
    await keyboard.type('ada@example.org')
    await tabTo(page, /^Password/)
    await keyboard.type(password)
    await press('Enter')
    await page.getByLabel('Headline').waitFor()
    await tabTo(page, /^Headline/)
    await keyboard.type('By keyboard')
    await tabTo(page, /^Summary/)
    await keyboard.type('Without a mouse.')
    await tabTo(page, /^\+ Insert a part$/)
    // The first one is that of the links: a list of one kind inserts at once.
    await press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toContain('/label')
    await keyboard.type('First')
    await tabTo(page, /^\+ Insert a part$/)
    await press('Enter')
    const second = page.getByLabel('Label').nth(1)
    await expect.poll(() => second.evaluate((field) => field === document.activeElement)).toBe(true)
    await keyboard.type('Second')
    await tabTo(page, /^Move Link 2/, 'Shift+Tab')
    await press('ArrowUp')
    await page.getByText('Link 2 is at place 1 of 2.').waitFor({ state: 'attached' })
    // A part that is moved gets the focus back.
    await nextFrame(page)
    await tabTo(page, /^Publish/, 'Shift+Tab')
    await press('Enter')
    await page.waitForURL(/articles\/\d+$/)
    await page.getByText('Published', { exact: true }).first().waitFor()
    const entry = await room.stored('By keyboard')
    const links = (entry?.attributes.links ?? []) as { label: string }[]
    expect(links.map(({ label }) => label)).toEqual(['Second', 'First'])
    await leave(visited)
  })

  it('a session that ended signs in again over the form, and nothing typed is lost', async () => {
    const visited = await room.signedIn(articlePath(room.site.quiet))
    const { page } = visited
    await page.getByLabel('Summary').fill('Typed before the session ended.')
    await page.context().clearCookies()
    // On a busy machine another request of the page may learn first that the session has ended, and the form covers the button.
    await Promise.any([
      page.getByRole('button', { name: 'Save draft' }).click(),
      page.getByRole('heading', { name: 'Your session has ended' }).waitFor(),
    ])
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect((await room.stored('The quiet river'))?.attributes.summary).toBe('Typed before the session ended.')
    // A closed tab keeps what was typed on the device.
    await page.getByLabel('Summary').fill('Typed before the tab was closed.')
    await page.reload()
    await page.getByText(/that were not saved are back/).waitFor()
    expect(await page.getByLabel('Summary').inputValue()).toBe('Typed before the tab was closed.')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect.poll(() => page.getByLabel('Summary').inputValue()).toBe('Typed before the session ended.')
    await leave(visited)
  })

  it('of two editors who change the same text, the second one sees both', async () => {
    const visited = await room.signedIn(articlePath(room.site.quiet))
    const { page, complaints } = visited
    await page.getByLabel('Summary').fill('Mine in words')
    await page.getByLabel('Rating').fill('3')
    await room.site.octavo
      .entries('article', unrestricted('another editor'))
      .update(room.site.quiet, { summary: 'Theirs in other words', words: 12 })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Choose which text stays').waitFor()
    await page
      .getByRole('definition')
      .filter({ hasText: /^Theirs in other words$/ })
      .waitFor()
    // Words that the other text lacks are marked.
    expect(await page.locator('mark').allTextContents()).toEqual(['Mine', 'Theirs', 'other '])
    expect(await page.getByLabel('Words').inputValue()).toBe('12')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    // The choice takes its buttons away; writing goes on in the field.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-summary')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect((await room.stored('The quiet river'))?.attributes).toMatchObject({
      summary: 'Mine in words',
      rating: 3,
      words: 12,
    })
    expect(complaints.filter((text) => !text.includes('412'))).toEqual([])
    await page.context().close()
  })

  it('two tabs have copies of their own, and neither is lost', async () => {
    const visited = await room.signedIn(articlePath(room.site.quiet))
    const { page } = visited
    const copies = (from: Page) =>
      from.evaluate(
        () => Object.keys(localStorage).filter((key) => key.startsWith('octavo-desk/draft')).length,
      )
    await page.getByLabel('Summary').fill('Typed in the first tab.')
    await expect.poll(() => copies(page)).toBe(1)
    const second = await page.context().newPage()
    await second.goto(`${room.site.url}${articlePath(room.site.quiet)}`)
    expect(await second.getByLabel('Summary').inputValue()).not.toBe('Typed in the first tab.')
    await second.getByLabel('Copies').fill('5')
    await expect.poll(() => copies(second)).toBe(2)
    await page.close()
    await second.close()
    const third = await visited.page.context().newPage()
    // A tab is closed for the others once its lock has ended, which may be later. The address has no page with a lock of its own.
    await third.goto(`${room.site.url}/desk/api/me`)
    const locks = () => third.evaluate(async () => (await navigator.locks.query()).held?.length)
    await expect.poll(locks).toBe(0)
    await third.goto(`${room.site.url}${articlePath(room.site.quiet)}`)
    await third.getByText(/that were not saved are back/).waitFor()
    expect(await third.getByLabel('Summary').inputValue()).toBe('Typed in the first tab.')
    expect(await third.getByLabel('Copies').inputValue()).toBe('5')
    await third.getByRole('button', { name: 'Save draft' }).click()
    await third.getByRole('button', { name: 'Saved' }).waitFor()
    await expect.poll(() => copies(third)).toBe(0)
    await leave(visited)
  })

  it('a new entry whose answer is lost is repeated, and exists once', async () => {
    const visited = await room.signedIn('/desk/content/articles/new')
    const { page } = visited
    const keys: (string | undefined)[] = []
    await page.route('**/desk/api/content/articles?*', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.fallback()
      await route.fetch()
      return route.abort()
    })
    await page.getByLabel('Headline').fill('Sent twice')
    await page.getByLabel('Summary').fill('And made once.')
    // The page does not send it again by itself before it is closed.
    await page.evaluate(withoutLongTimers)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('The server cannot be reached').waitFor()
    // A tab that is closed now has kept the request with its key.
    await page.reload()
    await page.getByText(/that were not saved are back/).waitFor()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/articles\/\d+$/)
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(keys).toEqual([keys[0], keys[0]])
    expect(keys[0]).toBeDefined()
    const state = unrestricted('counts what the desk has written')
    const found = { filters: { headline: { $eq: 'Sent twice' } }, publicationState: 'preview' }
    expect((await room.site.octavo.entries('article', state).find(found as never)).data).toHaveLength(1)
    await page.context().close()
  })

  it('a translation is begun from an entry, and found again when its answer is lost', async () => {
    const visited = await room.signedIn(articlePath(room.site.quiet))
    const { page } = visited
    await page.getByRole('navigation', { name: 'Languages' }).getByRole('link', { name: /^fr/ }).click()
    await page.getByRole('heading', { name: 'Headline' }).waitFor({ state: 'attached' })
    // The language that the translation is made of is beside its fields.
    await page.getByRole('button', { name: 'Take over Headline: ' }).click()
    expect(await page.locator('#field-headline').inputValue()).toBe('The quiet river')
    await page.locator('#field-headline').fill('La rivière tranquille')
    await page.locator('#field-summary').fill('Une rivière.')
    await checkAccessible(page)
    await page.route(
      '**/localizations',
      async (route) => {
        await route.fetch()
        return route.abort()
      },
      { times: 1 },
    )
    // The page does not send it again by itself before more is written.
    await page.evaluate(withoutLongTimers)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('The server cannot be reached').waitFor()
    await page.locator('#field-summary').fill('Une rivière parle.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/articles\/\d+\?beside=en$/)
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await page.getByRole('navigation', { name: 'Languages' }).getByRole('link', { name: /^en/ }).click()
    await expect.poll(() => page.getByLabel('Headline').inputValue()).toBe('The quiet river')
    expect(await room.stored('La rivière tranquille', 'fr')).toMatchObject({
      attributes: { summary: 'Une rivière parle.', locale: 'fr' },
    })
    await page.context().close()
  })

  it('related entries are made and changed in a panel, and put in order', async () => {
    const visited = await room.signedIn(articlePath(room.site.quiet))
    const { page } = visited
    await page.getByRole('combobox', { name: 'Find or create: categories' }).fill('Weather')
    await page.getByRole('option', { name: 'Create the category “Weather”' }).click()
    const panel = page.getByRole('dialog', { name: 'New category' })
    await expect.poll(() => panel.getByLabel('Name').inputValue()).toBe('Weather')
    await checkAccessible(page)
    await page.keyboard.press('Control+s')
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Open Weather here' }).click()
    await page.getByRole('dialog', { name: 'Weather' }).getByLabel('Name').fill('Tides')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Open Tides here' }).waitFor()
    await page.getByRole('button', { name: /^Move Tides/ }).press('Home')
    await page.getByText('Tides is at place 1 of 3.').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const { categories } = ((await room.stored('The quiet river'))?.attributes ?? {}) as {
      readonly categories: { readonly data: readonly { readonly attributes: { readonly name: string } }[] }
    }
    expect(categories.data.map(({ attributes }) => attributes.name)).toEqual(['Tides', 'Rivers', 'Science'])
    await leave(visited)
  })

  it('a refused save opens the parts that hide the first mistake, however deep', async () => {
    const visited = await room.signedIn(articlePath(room.site.quiet))
    const { page } = visited
    await page.getByRole('button', { name: /^Steps/ }).click()
    await page.getByRole('button', { name: /^Link 1/ }).click()
    await page.getByLabel('Label').fill('')
    // Closed again, both hide the field.
    await page.getByRole('button', { name: /^Link 1/ }).click()
    await page.getByRole('button', { name: /^Steps/ }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Label must be defined.').first().waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id))
      .toMatch(/^field-sections\/.*\/steps\/.*\/label$/)
    await page.keyboard.type('Listen')
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await leave(visited)
  })

  it('a part is copied into another entry, whose address follows its title', async () => {
    const visited = await room.signedIn(articlePath(room.site.quiet))
    const { page } = visited
    await page.getByRole('button', { name: /^Quote It spoke/ }).click()
    await page.getByRole('button', { name: 'Copy quote' }).click()
    await page.getByText('Copied. It can be inserted').waitFor()
    await page.goto(`${room.site.url}/desk/content/articles/new`)
    const sections = page.getByRole('group', { name: 'Sections' })
    await sections.getByRole('button', { name: 'Insert a part' }).click()
    await page.getByRole('button', { name: 'Paste quote' }).click()
    expect(await sections.getByLabel('Text').inputValue()).toBe('It spoke.')
    const slug = page.getByLabel('Slug')
    await page.getByLabel('Headline').fill('A copied quote')
    await expect.poll(() => slug.inputValue()).toBe('a-copied-quote')
    // A slug that somebody writes stays.
    await slug.fill('quoted')
    await page.getByLabel('Headline').fill('A quote, copied')
    await page.getByLabel('Summary').fill('It has a part of another article.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const entry = await room.stored('A quote, copied')
    expect(entry?.attributes).toMatchObject({
      slug: 'quoted',
      sections: [{ __component: 'section.quote', text: 'It spoke.' }],
    })
    await leave(visited)
  })
})
