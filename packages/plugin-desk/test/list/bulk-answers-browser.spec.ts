/** Actions for several entries of a list whose answers are lost or late, and beside somebody else. */
import type { ContentTypeDefinition } from '@octavo/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { executablePath, launch, type Visit, visit } from '../entry/visit.ts'
import { holdMethod, loseNext } from '../rooms/filled-room.ts'
import { openSite, type Site } from '../site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const post: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'post', pluralName: 'posts' },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string', required: true }, rank: { type: 'integer' } },
}

describe.runIf(executablePath)('An action for several entries', () => {
  let site: Site
  let browser: Browser
  let ada: string
  let visited: Visit
  let page: Page
  let ids: readonly number[]
  const all = async () =>
    (await site.send(ada, 'GET', 'content/posts?publicationState=preview&sort=id')).body.data as readonly {
      readonly id: number
      readonly attributes: Readonly<Record<string, unknown>>
    }[]
  const ranks = async () => (await all()).map(({ attributes }) => attributes.rank)
  const write = async (at: number, data: object): Promise<void> => {
    expect((await site.send(ada, 'PUT', `content/posts/${ids[at]}`, { data })).status).toBe(200)
  }

  beforeAll(async () => {
    site = await openSite([post], [])
    ada = await site.signIn('ada@example.org')
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })
  beforeEach(async () => {
    for (const { id } of await all()) await site.send(ada, 'DELETE', `content/posts/${id}`)
    for (const rank of [0, 1, 2])
      await site.send(ada, 'POST', 'content/posts', {
        data: { title: `Post ${rank}`, rank, publishedAt: null },
      })
    ids = (await all()).map(({ id }) => id)
    visited = await visit(browser, site.url, '/desk/content/posts?sort=id:asc')
    page = visited.page
    await page.getByLabel('Select all on this page').check()
  })

  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
  const saying = (words: string) => page.locator('.told').filter({ hasText: words }).waitFor()
  const undo = () => page.locator('.told').getByRole('button').click()
  const dialog = () => page.getByRole('dialog')
  const openRank = async (value: string): Promise<void> => {
    await press('Change a field')
    await dialog().getByLabel('Field').selectOption('rank')
    await dialog().getByLabel('Value').fill(value)
  }
  const change = () => dialog().getByRole('button', { name: 'Change them' }).click()

  it('whose answer is lost is sent once more, and an undo takes all of it back', async () => {
    await openRank('9')
    await loseNext(page, 'PUT', /content\/posts\//)
    await change()
    await saying('3 entries changed.')
    expect(await ranks()).toEqual([9, 9, 9])
    await loseNext(page, 'PUT', /content\/posts\//)
    await undo()
    await expect.poll(ranks).toEqual([0, 1, 2])
    await expect.poll(() => page.locator('.told').textContent()).toBe('')
    await visited.leave()
  })

  it('gives back what somebody else has written after the dialog was opened', async () => {
    await openRank('9')
    await dialog().getByText('3 of 3 entries will change.').waitFor()
    await write(1, { rank: 77 })
    await change()
    await saying('3 entries changed.')
    await undo()
    await expect.poll(ranks).toEqual([0, 77, 2])
    await visited.leave()
  })

  it('says how many entries change by values of now, also where the dialog was open before', async () => {
    await press('Change a field')
    await dialog().getByLabel('Field').selectOption('rank')
    await dialog().getByText('3 of 3 entries will change.').waitFor()
    await page.keyboard.press('Escape')
    await write(1, { rank: 9 })
    const reads = await holdMethod(page, 'GET', /content\/posts\?.*filters/)
    await openRank('9')
    expect(await dialog().getByRole('button', { name: 'Change them' }).isDisabled()).toBe(true)
    await reads.open()
    await dialog().getByText('2 of 3 entries will change.').waitFor()
    await visited.page.context().close()
  })

  it('leaves those public that somebody else has published since, when it is taken back', async () => {
    const date = '2026-01-01T00:00:00.000Z'
    await write(0, { publishedAt: date })
    await press('Publish')
    await saying('2 entries published.')
    await undo()
    await expect
      .poll(async () => (await all()).map(({ attributes }) => attributes.publishedAt))
      .toEqual([date, null, null])
    await visited.leave()
  })

  it('is not left in the middle without a question', async () => {
    const writes = await holdMethod(page, 'PUT', /content\/posts\//)
    await press('Publish')
    await writes.begun()
    await expect(page.reload({ timeout: 5_000 })).rejects.toThrow()
    expect(visited.complaints).toHaveLength(1)
    await writes.open()
    await saying('3 entries published.')
    await page.reload()
    expect(visited.complaints).toHaveLength(1)
    await page.context().close()
  })

  it('that deletes is done where its answer is lost', async () => {
    await loseNext(page, 'DELETE', /content\/posts\//)
    await press('Delete')
    await saying('3 entries deleted.')
    await page.getByText('There are no posts yet.').waitFor()
    expect(await all()).toEqual([])
    expect(await page.locator('.told').textContent()).toBe('')
    await visited.leave()
  })
})
