/** Addresses of lists that have become old: those of colleagues, of bookmarks and of saved views. */
import { describe, expect, it, vi } from 'vitest'
import { executablePath, visit } from '../entry/visit.ts'
import { openRoom } from '../room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('An old address of a list', () => {
  const room = openRoom()
  const open = (search: string) => visit(room.browser, room.site.url, `/desk/content/articles?${search}`)

  it('with a language that was deleted shows the default one, and says so', async () => {
    const { page, leave } = await open('locale=pt-BR')
    await page.getByRole('link', { name: 'The quiet river' }).waitFor()
    expect(await page.getByRole('combobox').first().inputValue()).toBe('en')
    await leave()
  })

  it('with a cursor that the server refuses leads to the first page', async () => {
    const { page, leave } = await open('sort=headline%3Aasc&after=old&from=50')
    await page.getByRole('link', { name: 'The quiet river' }).waitFor()
    await page.getByText('1 to 7 of 7').waitFor()
    expect(new URL(page.url()).search).toBe('?sort=headline%3Aasc')
    await leave()
  })

  it('is where the way back from an entry leads, with its search, filters and view', async () => {
    const search = 'q=quiet&view=drafts&filters%5Bform%5D%5B%24eq%5D=review'
    const { page, leave } = await open(search)
    await page.getByRole('link', { name: 'The quiet river' }).click()
    await page.getByLabel('Summary').waitFor()
    await page.locator('.crumb').getByRole('link', { name: 'Articles' }).click()
    await page.getByText('1 to 1 of 1').waitFor()
    expect(new URLSearchParams(new URL(page.url()).search)).toEqual(new URLSearchParams(search))
    // The navigation leads to all.
    await page.getByRole('navigation').getByRole('link', { name: 'Articles' }).click()
    await page.getByText('1 to 7 of 7').waitFor()
    await leave()
  })

  it.each(['from=50', 'from=-5'])('with %s and without a cursor is the first page', async (search) => {
    const { page, leave } = await open(search)
    await page.getByText('1 to 7 of 7').waitFor()
    await leave()
  })

  it('with an order by a field that is gone has the usual one', async () => {
    const { page, leave } = await open('sort=gone:asc')
    await page.getByText('1 to 7 of 7').waitFor()
    expect(await page.getByRole('columnheader', { name: 'Changed' }).getAttribute('aria-sort')).toBe(
      'descending',
    )
    await leave()
  })

  it.each([
    ['is gone', 'filters[gone][$eq]=1', 'ada@example.org'],
    ['the roles do not show', 'filters[rating][$gt]=1', 'reader@example.org'],
  ])(
    'with a filter of a field that %s says so, and is a list once the filter is away',
    async (_, search, email) => {
      const { url, hire } = room.site
      if (email !== 'ada@example.org')
        await hire(email, [{ action: 'read', type: 'api::article.article', fields: ['headline'] }])
      const { page, leave } = await visit(room.browser, url, `/desk/content/articles?${search}`, email)
      await page
        .getByRole('alert')
        .filter({ hasText: 'A filter uses a field that no longer exists' })
        .waitFor()
      await page.getByRole('button', { name: /^Remove the filter/ }).click()
      await page.getByText('1 to 7 of 7').waitFor()
      await leave()
    },
  )
})
