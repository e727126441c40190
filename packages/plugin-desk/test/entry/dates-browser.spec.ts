/** Inputs of dates and times in Chromium, with the years that the server stores. */
import { unrestricted } from '@octavo/core'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { openRoom } from '../room.ts'
import { executablePath, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('A date', () => {
  const room = openRoom()
  const articles = () => room.site.octavo.entries('article', unrestricted('fills and reads the test'))
  const stored = async (id: number) =>
    (await articles().findOne(id, { publicationState: 'preview' }))?.attributes
  const open = async (values: object) => {
    const { id } = await articles().create({
      ...{ headline: 'Dated', summary: 'By hand.', publishedAt: null },
      ...values,
    } as never)
    return { id, ...(await visit(room.browser, room.site.url, `/desk/content/articles/${id}`)) }
  }
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
  }

  it('has a year of four digits, whatever is typed', async () => {
    const { id, page, leave } = await open({})
    await page.getByLabel('First seen').focus()
    // The digits move on, and the right ones are typed behind those.
    await page.keyboard.type('030320266')
    expect(await page.getByLabel('First seen').inputValue()).toBe('0266-03-03')
    await page.keyboard.type('2026')
    expect(await page.getByLabel('First seen').inputValue()).toBe('2026-03-03')
    await page.getByLabel('Embargo').focus()
    await page.keyboard.type('030320260930A')
    expect(await page.getByLabel('Embargo').inputValue()).toBe('2026-03-03T09:30')
    await save(page)
    expect(await stored(id)).toMatchObject({ firstSeen: '2026-03-03', embargo: '2026-03-03T09:30:00.000Z' })
    await leave()
  })

  it('is shown and changed in the first and the last years', async () => {
    const { id, page, leave } = await open({ firstSeen: '0001-01-01', embargo: '9999-12-30T10:00:00.000Z' })
    expect(await page.getByLabel('First seen').inputValue()).toBe('0001-01-01')
    await page.getByLabel('First seen').fill('1066-10-14')
    await page.getByLabel('Embargo').fill('9999-12-31T10:00')
    await save(page)
    expect(await stored(id)).toMatchObject({ firstSeen: '1066-10-14', embargo: '9999-12-31T10:00:00.000Z' })
    await leave()
  })

  it('of a filter has a year of four digits, and is typed where another field had a text or a time', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/content/articles')
    await page.getByRole('button', { name: '+ Filter' }).click()
    await page.getByLabel('Field').selectOption({ label: 'Summary' })
    await page.getByLabel('Value').fill('river')
    for (const [field, typed, value] of [
      ['Embargo', '030320260930A', '2026-03-03T09:30'],
      ['First seen', '0303202662026', '2026-03-03'],
    ] as const) {
      await page.getByLabel('Field').selectOption({ label: field })
      await page.getByLabel('Condition', { exact: true }).selectOption('$gt')
      await page.getByLabel('Value').focus()
      await page.keyboard.type(typed)
      expect(await page.getByLabel('Value').inputValue()).toBe(value)
    }
    // Days in lines are no day.
    await page.getByLabel('Condition', { exact: true }).selectOption('$in')
    await page.getByLabel('Values, one per line').fill('2026-03-03\n2026-03-04')
    await page.getByLabel('Condition', { exact: true }).selectOption('$lt')
    await page.getByLabel('Value').focus()
    await page.keyboard.type('04042026')
    expect(await page.getByLabel('Value').inputValue()).toBe('2026-04-04')
    await leave()
  })
})
