/** Actions for several entries of a list of the desk. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  executablePath,
  launch,
  nothingUnsaved,
  type Visit,
  visit,
  withoutLongTimers,
} from '../entry/visit.ts'
import { openSite, type Site } from '../site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const post: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'post', pluralName: 'posts' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string', required: true },
    summary: { type: 'string', required: true },
    rank: { type: 'integer' },
  },
}

describe.runIf(executablePath)('Actions for several entries', () => {
  let site: Site
  let browser: Browser
  let visited: Visit
  let page: Page
  const posts = () => site.server.octavo.entries('post', unrestricted('fills and reads the tests'))
  /** The numbers of the entries that are there. */
  const numbers = async () => {
    const { data } = await posts().find({
      pagination: { pageSize: 100 },
      publicationState: 'preview',
    } as never)
    return data.map(({ id }) => id)
  }
  const stored = async (title: string) => {
    const { data } = await posts().find({ filters: { title }, publicationState: 'preview' } as never)
    return data[0] as { readonly id: number; readonly attributes: Record<string, unknown> }
  }

  beforeAll(async () => {
    site = await openSite([post], [])
    browser = await launch()
    visited = await visit(browser, site.url, '/desk')
    page = visited.page
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })
  beforeEach(async () => {
    // The page may still be about to hear that the last undo is done.
    await nothingUnsaved(page)
    for (const id of await numbers()) await posts().delete(id)
    // One without its summary, which may be a draft only.
    for (let i = 0; i < 27; i += 1)
      await posts().create({
        ...{ title: `Post ${i}`, rank: i, publishedAt: null },
        ...(i !== 2 && { summary: 'Short.' }),
      } as never)
    await page.goto(`${site.url}/desk/content/posts?sort=rank:asc`)
    await page.getByRole('link', { name: 'Post 0', exact: true }).waitFor()
  })

  const mark = async (...titles: readonly string[]) => {
    for (const title of titles) await page.getByLabel(`Select ${title}`, { exact: true }).check()
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().press('Enter')
  /** Takes back the action that a sentence is about. */
  const undo = (told: string) => press(`Undo: ${told}`)
  const told = () => page.locator('.told')
  const saying = (words: string) => told().filter({ hasText: words }).waitFor()
  const focusIsInFoot = () => page.evaluate(() => document.activeElement?.closest('.foot') !== null)

  it('further deletions and a publication leave a deletion that can be undone as it is', async () => {
    await page.evaluate(withoutLongTimers)
    await mark('Post 0')
    await press('Delete')
    await saying('1 entry deleted.')
    await mark('Post 1')
    await press('Delete')
    await saying('2 entries deleted.')
    await mark('Post 3')
    await press('Publish')
    await saying('1 entry published.')
    await saying('2 entries deleted.')
    await undo('2 entries deleted.')
    await page.getByRole('link', { name: 'Post 0', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Post 1', exact: true }).waitFor()
    await saying('1 entry published.')
    expect(await numbers()).toHaveLength(27)
  })

  it('entries that could not be changed stay marked, and the keyboard stays where the action was', async () => {
    await mark('Post 0', 'Post 2')
    await press('Publish')
    await saying('1 entry published. 1 entry could not be changed: Summary must be defined.')
    await page.getByText('1 selected').waitFor()
    expect(await page.getByLabel('Select Post 2', { exact: true }).isChecked()).toBe(true)
    expect(await focusIsInFoot()).toBe(true)
    await undo('1 entry published. 1 entry could not be changed: Summary must be defined.')
    await told().getByText('1 entry published.').waitFor({ state: 'detached' })
    await expect.poll(focusIsInFoot).toBe(true)
    // The sentence goes when the undo begins.
    await expect.poll(async () => (await stored('Post 0')).attributes.publishedAt).toBeNull()
  })

  it('with Shift mark and unmark all entries from the last one', async () => {
    const box = (i: number) => page.getByLabel(`Select Post ${i}`, { exact: true })
    await box(8).click()
    await box(3).click({ modifiers: ['Shift'] })
    await page.getByText('6 selected').waitFor()
    await box(5).focus()
    await page.keyboard.press('Shift+Space')
    await page.getByText('3 selected').waitFor()
    expect(await Promise.all([5, 6, 8].map((i) => box(i).isChecked()))).toEqual([false, true, true])
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
  })

  it('are those that the roles allow, and the other entries stay marked', async () => {
    const type = 'api::post.post'
    await site.hire('limited', [
      ...['read', 'update', 'publish'].map((action) => ({ action, type })),
      { action: 'delete', type, where: { rank: { $lt: 2 } } },
    ])
    const limited = await visit(browser, site.url, '/desk/content/posts?sort=rank:asc', 'limited@example.org')
    for (const i of [1, 2, 3]) await limited.page.getByLabel(`Select Post ${i}`, { exact: true }).check()
    const remove = (words: string) => limited.page.getByRole('button', { name: words, exact: true })
    await remove('Delete (1 of 3)').click()
    await limited.page.getByText('1 entry deleted.').waitFor()
    await remove('Delete (0 of 2)').and(limited.page.locator('[aria-disabled=true]')).waitFor()
    await limited.page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
    // A deletion is carried out when its list is left.
    await limited.page.getByRole('link', { name: 'Settings' }).click()
    await expect.poll(async () => (await numbers()).length).toBe(26)
    await limited.leave()
  })

  it('request what the roles allow for all newly selected entries at once', async () => {
    const type = 'api::post.post'
    await site.hire('sometimes', [
      { action: 'read', type },
      ...['update', 'publish', 'delete'].map((action) => ({ action, type, where: { rank: { $lt: 20 } } })),
    ])
    const address = '/desk/content/posts?sort=rank:asc'
    const sometimes = await visit(browser, site.url, address, 'sometimes@example.org')
    const asked: string[] = []
    sometimes.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.startsWith('/desk/api/may/')) asked.push(`${searchParams.get('ids')}`)
    })
    await sometimes.page.getByLabel('Select all on this page', { exact: true }).check()
    await sometimes.page.getByRole('button', { name: 'Delete (20 of 25)', exact: true }).waitFor()
    await sometimes.page.getByRole('button', { name: 'Publish (20 of 25)', exact: true }).waitFor()
    expect(asked.map((ids) => ids.split(',').length)).toEqual([25])
    await sometimes.leave()
  })

  it('an undo leaves values alone that somebody else has written since, and is done once', async () => {
    await mark('Post 0', 'Post 1', 'Post 3')
    await press('Publish')
    await saying('3 entries published.')
    const [other, touched] = [await stored('Post 0'), await stored('Post 1')]
    const date = '2026-01-01T00:00:00.000Z'
    await posts().update(other.id, { publishedAt: date } as never)
    // Another field of an entry is no reason to leave it public.
    await posts().update(touched.id, { summary: 'Longer.' } as never)
    const writes: string[] = []
    page.on('request', (request) => request.method() === 'PUT' && writes.push(request.url()))
    await page.getByRole('button', { name: 'Undo' }).dblclick()
    await saying('1 entry could not be changed: Somebody else has changed this meanwhile.')
    expect((await stored('Post 0')).attributes.publishedAt).toBe(date)
    expect((await stored('Post 1')).attributes.publishedAt).toBeNull()
    expect((await stored('Post 3')).attributes.publishedAt).toBeNull()
    expect(writes).toHaveLength(2)
  })

  it('a deletion that is refused after its list was left is told when the list is shown again', async () => {
    const [deletions, words] = ['**/desk/api/content/posts/*', '1 entry could not be changed: Not today.']
    await page.route(deletions, (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 403, json: { error: { status: 403, message: 'Not today.' } } })
        : route.continue(),
    )
    await mark('Post 0')
    await press('Delete')
    await saying('1 entry deleted.')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.getByRole('link', { name: 'Posts', exact: true }).click()
    await saying(words)
    expect(await numbers()).toHaveLength(27)
    // It is told once.
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.getByRole('link', { name: 'Posts', exact: true }).click()
    await page.getByLabel('Select Post 26', { exact: true }).waitFor()
    expect(await told().textContent()).toBe('')
    await page.unroute(deletions)
  })

  it('a page whose entries are all deleted is not said to be a list without entries, and leads to the page before', async () => {
    const none = page.getByText('There are no posts yet.')
    await page.evaluate(withoutLongTimers)
    await page.getByLabel('Select all on this page').check()
    await press('Delete')
    await saying('25 entries deleted.')
    expect(await none.count()).toBe(0)
    await undo('25 entries deleted.')
    await page.getByRole('link', { name: 'Post 0', exact: true }).waitFor()
    await press('Next page')
    await page.getByText('26 to 27 of 27').waitFor()
    const ids = await Promise.all(['Post 25', 'Post 26'].map(stored))
    for (const { id } of ids) await posts().delete(id)
    const address = page.url()
    await page.reload()
    await page.getByText('1 to 25 of 25').waitFor()
    expect(page.url()).not.toBe(address)
    expect(await none.count()).toBe(0)
    expect(visited.complaints).toEqual([])
  })
})
