/** The desk of a person whose roles show some of the languages, without the default one. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { executablePath, visit } from '../entry/visit.ts'
import { openRoom } from '../room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const welcome: ContentTypeDefinition = {
  kind: 'singleType',
  info: { singularName: 'welcome', pluralName: 'welcomes', displayName: 'Welcome' },
  pluginOptions: { i18n: { localized: true } },
  attributes: { words: { type: 'string', pluginOptions: { i18n: { localized: true } } } },
}

describe.runIf(executablePath)('A person of some languages', () => {
  const room = openRoom([welcome])
  const open = (address: string) => visit(room.browser, room.site.url, address, 'translator@example.org')
  beforeAll(async () => {
    const { octavo, hire } = room.site
    const state = unrestricted('fills the tests')
    const river = { headline: 'La rivière', summary: 'Elle parle.', locale: 'fr' }
    await octavo.entries('article', state).create(river as never)
    const locales = ['fr', 'de']
    const types = ['api::article.article', 'api::welcome.welcome']
    const rights = types.flatMap((type) => [
      { action: 'read', type, locales } as const,
      { action: 'update', type, locales: ['fr'] } as const,
      { action: 'create', type, locales: ['fr'] } as const,
    ])
    await hire('translator@example.org', rights)
  })

  it('has a list in the first of them, and no other language to choose or to miss', async () => {
    const { page, leave } = await open('/desk/content/articles')
    await page.getByRole('link', { name: 'La rivière' }).waitFor()
    const choice = page.getByRole('combobox', { name: 'Language of the list' })
    expect(await choice.locator('option').evaluateAll((all) => all.map((one) => one.getAttribute('value'))))
      // In the order of the server.
      .toEqual(['fr', 'de'])
    expect(await choice.inputValue()).toBe('fr')
    expect(await page.locator('.dots').first().locator('.dot').count()).toBe(2)
    await page.getByRole('link', { name: 'New article' }).click()
    await page.locator('.langs [aria-current]').getByText('fr').waitFor()
    await leave()
  })

  it('has an entry of which there is one in the first of them', async () => {
    const { page, leave } = await open('/desk/content/welcome')
    await page.getByLabel('Words').fill('Bienvenue')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(await page.locator('.langs [aria-current]').textContent()).toContain('fr')
    await leave()
  })
})
