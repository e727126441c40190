/** Conflicts of parts, relations and times: both sides are told apart, and each choice does what it says. */
import { unrestricted } from '@octavo/core'
import { describe, expect, it, vi } from 'vitest'
import { openRoom } from '../room.ts'
import { holdMethod } from '../rooms/filled-room.ts'
import { aMinuteAgo, executablePath, openParts, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** The values of an article that these tests read. */
interface Stored {
  readonly publishedAt: string | null
  readonly summary: string
  readonly links: readonly { readonly address: string }[]
  readonly writtenBy: { readonly data: { readonly id: number } }
  readonly sections: readonly { readonly id: number }[]
}

const program = unrestricted('writes beside the editors')

describe.runIf(executablePath)('A conflict', () => {
  const room = openRoom()
  const articles = () => room.site.octavo.entries('article', program)
  const make = (values: object) =>
    articles().create({ headline: 'A conflict', summary: 'Of two people', publishedAt: null, ...values })
  const stored = async (id: number) => {
    const found = await articles().findOne(id, {
      publicationState: 'preview',
      populate: { links: true, seo: true, writtenBy: true, sections: true },
    })
    return found?.attributes as unknown as Stored
  }

  it.each([
    ['before the save of a draft', false],
    ['while the save of a draft is lost', true],
  ])('with a publication %s is told, and readers see the text after another save', async (_, isLost) => {
    const { id } = await make({})
    const { page, leave } = await visit(room.browser, room.site.url, `/desk/content/articles/${id}`)
    await page.getByLabel('Summary').fill('Half a sent')
    const publish = () => articles().update(id, { publishedAt: aMinuteAgo() })
    let isNext = isLost
    await page.route(/content\/articles\/\d+/, async (route) => {
      if (!isNext || route.request().method() !== 'PUT') return route.fallback()
      isNext = false
      await publish()
      await route.abort()
    })
    if (!isLost) await publish()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Somebody else has published this meanwhile').waitFor()
    expect(await stored(id)).toMatchObject({ summary: 'Of two people' })
    await page.getByLabel('Summary').fill('A whole sentence.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(await stored(id)).toMatchObject({ summary: 'A whole sentence.' })
    await leave()
  })

  it('with the end of a publication is told until more is written, as is a change that was combined with the own one', async () => {
    const { id } = await make({ publishedAt: aMinuteAgo() })
    const { page, leave } = await visit(room.browser, room.site.url, `/desk/content/articles/${id}`)
    await page.getByLabel('Summary').fill('Written meanwhile.')
    await articles().update(id, { publishedAt: null, headline: 'Changed beside' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const told = page.getByText('Somebody else has unpublished this meanwhile')
    const combined = page.getByText('Both changes have been combined')
    await told.waitFor()
    await combined.waitFor()
    expect(await stored(id)).toMatchObject({ summary: 'Written meanwhile.', publishedAt: null })
    if (process.env.OCTAVO_SCREENSHOTS)
      await page.screenshot({ path: `${process.env.OCTAVO_SCREENSHOTS}/unpublished-meanwhile.png` })
    await page.getByLabel('Summary').fill('Written later.')
    await told.waitFor({ state: 'detached' })
    expect(await combined.count()).toBe(0)
    await leave()
  })

  it('of two publications keeps the date of the first', async () => {
    const { id } = await make({})
    const { page, leave } = await visit(room.browser, room.site.url, `/desk/content/articles/${id}`)
    await page.getByLabel('Summary').fill('Published by two.')
    const publishedAt = aMinuteAgo()
    await articles().update(id, { publishedAt })
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(await stored(id)).toMatchObject({ summary: 'Published by two.', publishedAt })
    await leave()
  })

  it('of parts that were removed names each with what it has, and each choice is that of its part', async () => {
    const links = [1, 2].map((n) => ({ label: 'The same', address: `https://example.org/${n}` }))
    const { id } = await make({ links })
    const { page, leave } = await visit(room.browser, room.site.url, `/desk/content/articles/${id}`)
    await page.locator('.part-open').first().waitFor()
    await openParts(page)
    const addresses = page.getByRole('textbox', { name: 'Address' })
    for (const n of [0, 1]) await addresses.nth(n).fill(`https://example.org/changed-${n + 1}`)
    await articles().update(id, { links: [] })
    await page.getByRole('button', { name: 'Save draft' }).click()
    const conflicts = page.locator('.overlap')
    await expect.poll(() => conflicts.count()).toBe(2)
    const sides = await conflicts.locator('dd').allInnerTexts()
    expect(sides).toEqual([
      expect.stringContaining('https://example.org/changed-1'),
      'removed',
      expect.stringContaining('https://example.org/changed-2'),
      'removed',
    ])
    expect(sides[0]).not.toContain('changed-2')
    if (process.env.OCTAVO_SCREENSHOTS)
      await page.screenshot({ path: `${process.env.OCTAVO_SCREENSHOTS}/conflict-parts.png`, fullPage: true })
    await conflicts.first().getByRole('button', { name: 'Take theirs' }).click()
    await expect.poll(() => conflicts.count()).toBe(1)
    await conflicts.first().getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect((await stored(id)).links).toMatchObject([{ address: 'https://example.org/changed-2' }])
    await leave()
  })

  it('of related entries of one name shows which is which', async () => {
    const authors = room.site.octavo.entries('author', program)
    const [one, two] = [await authors.create({ name: 'Twin' }), await authors.create({ name: 'Twin' })]
    const { id } = await make({})
    const { page, leave } = await visit(room.browser, room.site.url, `/desk/content/articles/${id}`)
    await page.getByRole('combobox', { name: 'Written by' }).fill('Twin')
    await page.getByRole('option', { name: /^Twin/ }).first().click()
    await page.locator('.chip', { hasText: 'Twin' }).waitFor()
    const puts = await holdMethod(page, 'PUT', /api\/content\/articles/)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await puts.begun()
    const { data } = puts.held[0]?.request().postDataJSON() ?? {}
    const [own, other] = JSON.stringify(data.writtenBy).includes(`${one.id}`)
      ? [one.id, two.id]
      : [two.id, one.id]
    await articles().update(id, { writtenBy: other })
    await puts.open()
    await page.locator('.overlap').waitFor()
    expect(await page.locator('.overlap dd').allInnerTexts()).toEqual([`Twin (${own})`, `Twin (${other})`])
    // In the margin as well, where the dates stand at the other side, each begins below its name.
    const sides = await page
      .locator('.overlap :is(dt, dd)')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).textAlign))
    expect(new Set(sides)).toEqual(new Set(['start']))
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await page.locator('.overlap').waitFor({ state: 'detached' })
    // Their entry is the stored one already, so nothing is left to save.
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect((await stored(id)).writtenBy.data.id).toBe(other)
    await leave()
  })

  it('of parts that were put in one place shows what differs in them', async () => {
    const { id } = await make({ sections: [{ __component: 'section.quote', text: 'It spoke.' }] })
    const { page, leave } = await visit(room.browser, room.site.url, `/desk/content/articles/${id}`)
    await page.locator('.part-open').first().waitFor()
    await openParts(page)
    await page.locator('.part textarea').first().fill('It sang.')
    const [part] = (await stored(id)).sections
    await articles().update(id, {
      sections: [
        { __component: 'section.hero', heading: 'Above' },
        { __component: 'section.quote', id: part?.id, text: 'It was silent.' },
      ],
    })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.locator('.overlap').waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect((await stored(id)).sections).toMatchObject([{ heading: 'Above' }, { text: 'It sang.' }])
    await leave()
  })
})
