import { unrestricted } from '@octavo/core'
import { chromiumPath } from '@octavo/testing'
import { describe, expect, it, vi } from 'vitest'
import { openRoom } from '../room.ts'
import { visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(chromiumPath())('Titles of entries in the desk', () => {
  const room = openRoom()

  it('an address is made of a title in another script, and stays where none can be made', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/content/articles/new')
    const [title, slug] = [page.getByLabel('Headline'), page.getByLabel('Slug')]
    const ofTitle = page.getByRole('button', { name: 'From the title' })
    await title.fill('Привет, Straße')
    await expect.poll(() => slug.inputValue()).toBe('privet-strasse')
    await slug.fill('')
    const before = await ofTitle.boundingBox()
    await slug.fill('my-own')
    await title.fill('明日')
    await ofTitle.click()
    await page.getByText('The title has no letters from which an address can be made.').waitFor()
    expect(await slug.inputValue()).toBe('my-own')
    await slug.fill('my-own-2')
    await page.getByText('No other entry that your roles show has this address.').waitFor()
    // A button that moves between press and release is not pressed.
    expect(await ofTitle.boundingBox()).toEqual(before)
    await leave()
  })

  it('a name of the other direction is isolated in the sentences about it', async () => {
    const { octavo, url } = room.site
    const name = '\u05d4\u05d9\u05dd!'
    const { id } = await octavo.entries('author', unrestricted('adds a name')).create({ name })
    const { page, leave } = await visit(room.browser, url, `/desk/content/authors/${id}`)
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: `Delete \u2068${name}\u2069?` }).waitFor()
    await leave()
  })

  it('a version that goes live later has a mark of its own in the row of languages and in lists, until it does', async () => {
    const { octavo, url } = room.site
    const articles = octavo.entries('article', unrestricted('adds an entry that goes live later'))
    const publishedAt = new Date(Date.now() + 86_400_000).toISOString()
    const { id } = await articles.create({ headline: 'Tomorrow', summary: 'S', publishedAt })
    const { page, leave } = await visit(room.browser, url, 'about:blank')
    await page.clock.install()
    await page.goto(`${url}/desk/content/articles/${id}`)
    const mark = page.getByRole('navigation', { name: 'Languages' }).locator('[aria-current] .dot')
    await page.getByRole('link', { name: /^en ?Goes live on/ }).waitFor()
    expect(await mark.getAttribute('class')).toBe('dot soon')
    await page.getByRole('complementary').getByText('Goes live', { exact: true }).waitFor()
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('This cannot be undone.').waitFor()
    expect(await page.getByText('It is published: readers will no longer find it.').count()).toBe(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.goto(`${url}/desk/content/articles?search=Tomorrow`)
    await page.getByRole('img', { name: /^English \(en\): Goes live on/ }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: /^en ?Goes live on/ }).waitFor()
    await page.clock.runFor(86_400_000)
    await page.getByRole('link', { name: /^en ?Published/ }).waitFor()
    expect(await mark.getAttribute('class')).toBe('dot live')
    await leave()
  })

  it('an entry without a title that is seen has a name everywhere', async () => {
    const { octavo, url } = room.site
    const state = unrestricted('adds entries without a title')
    const authors = octavo.entries('author', state)
    const { id } = await authors.create({ name: '\u200b \u2060' })
    const { id: article } = await octavo
      .entries('article', state)
      .create({ headline: ' ', summary: 'S', writtenBy: id })
    const name = `Untitled author ${id}`
    const { page, leave } = await visit(room.browser, url, '/desk/content/authors')
    await page.getByRole('link', { name }).waitFor()
    await page.getByRole('checkbox', { name: `Select ${name}` }).waitFor()
    await page.goto(`${url}/desk/content/authors/${id}`)
    await expect.poll(() => page.title()).toBe(name)
    await page.goto(`${url}/desk/content/articles`)
    await page.getByText('Columns').click()
    await page.getByRole('checkbox', { name: 'Written by' }).check()
    await page.getByRole('cell', { name, exact: true }).waitFor()
    await page.goto(`${url}/desk/content/articles/${article}`)
    // The heading that screen readers find is never empty.
    await page.getByRole('heading', { level: 1, name: 'Headline' }).waitFor()
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
    await leave()
  })
})
