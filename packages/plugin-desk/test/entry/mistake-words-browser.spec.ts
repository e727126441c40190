/** Refusals at a desk in another language than that of the server's sentences. */
import { unrestricted } from '@octavo/core'
import { describe, expect, it, vi } from 'vitest'
import { languageCodes, textsFor } from '../../src/browser/text/index.ts'
import { openRoom } from '../room.ts'
import { executablePath, nothingUnsaved, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const program = unrestricted('fills the tests')

describe.runIf(executablePath)('What is wrong is said in the language of the person', () => {
  const room = openRoom()
  const open = (address: string, language: string) =>
    visit(room.browser, room.site.url, address, 'ada@example.org', language)
  const articles = () => room.site.octavo.entries('article', program)

  it.each(languageCodes)('at the fields of an entry, in a list, and in a dialog: %s', async (language) => {
    const text = await textsFor([language])
    const headline = `Without a summary, ${language}`
    const { id } = await articles().create({ headline, slug: `taken-${language}`, publishedAt: null })
    const address = `/desk/content/articles/${id}`
    const { page, leave } = await open(address, language)
    const said = async (label: string, words: string) => {
      const shown = page.getByText(words, { exact: false }).first()
      await shown.waitFor()
      expect(await shown.textContent()).toContain(label)
    }
    await page.getByRole('button', { name: text.publish, exact: true }).click()
    await said('Summary', text.mistakes.missing)
    // A mistake that only the server finds.
    await page.getByLabel('Summary').fill('There is one now')
    await page.getByLabel('Slug').fill('the-quiet-river')
    await page.getByRole('button', { name: text.saveDraft }).click()
    await said('Slug', text.mistakes.unique)
    await page.getByLabel('Price').fill('9'.repeat(19))
    await page.getByLabel('Facts').fill('"\\u0000"')
    await page.getByRole('button', { name: text.saveDraft }).click()
    await said('Price', text.mistakes.digitsBefore('18'))
    await said('Facts', text.mistakes.nul)
    await page.getByLabel('Price').fill('')
    await page.getByLabel('Facts').fill('')
    await page.getByLabel('Slug').fill(`free-${language}`)
    await page.getByLabel('Summary').fill('')
    await page.getByRole('button', { name: text.saveDraft }).click()
    await page.getByRole('button', { name: text.saved, exact: true }).waitFor()
    await nothingUnsaved(page)
    await page.goto(`${room.site.url}/desk/content/articles?q=${encodeURIComponent(headline)}`)
    await page.getByRole('checkbox', { name: text.select(headline) }).check()
    await page.getByRole('button', { name: text.publish, exact: true }).click()
    await said('Summary', text.mistakes.missing)
    await page.goto(`${room.site.url}/desk/content/articles?filters[words][$gt]=many`)
    await page.getByText(text.refusals.badFilter).waitFor()
    await page.goto(`${room.site.url}/desk/people`)
    await page.getByRole('button', { name: text.invite, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(text.email).fill('ada@example.org')
    await dialog.getByRole('button', { name: text.inviteNow }).click()
    await dialog.getByText(text.refusals.personTaken).waitFor()
    await leave()
  })
})
