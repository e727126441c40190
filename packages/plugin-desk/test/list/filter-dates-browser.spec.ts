/** The value of a filter while its field is chosen. */
import { describe, expect, it, vi } from 'vitest'
import { executablePath, visit } from '../entry/visit.ts'
import { openRoom } from '../room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('A filter by a date', () => {
  const room = openRoom()

  it('keeps the day while its field is changed to another date, and while the keyboard passes a field of a text', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/content/articles')
    await page.getByRole('button', { name: '+ Filter' }).click()
    const field = page.getByLabel('Field', { exact: true })
    const value = page.getByLabel('Value')
    await field.selectOption('First seen')
    await value.fill('2026-03-02')
    await field.selectOption('Headline')
    expect(await value.inputValue()).toBe('')
    await value.fill('river')
    await field.selectOption('First seen')
    expect(await value.inputValue()).toBe('2026-03-02')
    await field.selectOption('Embargo')
    expect(await value.inputValue()).toBe('2026-03-02T00:00')
    await value.fill('2026-03-05T16:30')
    await field.selectOption('Headline')
    expect(await value.inputValue()).toBe('river')
    await field.selectOption('First seen')
    expect(await value.inputValue()).toBe('2026-03-05')
    await leave()
  })
})
