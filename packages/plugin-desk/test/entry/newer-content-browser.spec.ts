/** Entries that are open while the server is started again with other definitions of the content. */
import { type ContentTypeDefinition, silentLogger, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { createEditor, editors } from '@octavo/plugin-editors'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { password } from '../site.ts'
import { executablePath, launch, openParts, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const attributes = {
  title: { type: 'string' },
  text: { type: 'text' },
  form: { type: 'enumeration', enum: ['ode', 'song'] },
  links: { type: 'component', component: 'poem.link', repeatable: true },
  zone: { type: 'dynamiczone', components: ['poem.link', 'poem.verse'] },
  tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
} as const
const link = { uid: 'poem.link', attributes: { address: { type: 'string' } } } as const
const verse = { uid: 'poem.verse', attributes: { words: { type: 'string' } } } as const

interface Content {
  readonly attributes: object
  readonly components: readonly object[]
  /** The attributes of tags. Default: a name. */
  readonly tag?: object
  /** Whether there are no poems any more. Default false. */
  readonly isWithoutPoems?: boolean
}
const before: Content = { attributes, components: [link, verse] }

const typeOf = (name: string, attributes: object): ContentTypeDefinition =>
  ({
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s` },
    options: { draftAndPublish: true },
    attributes,
  }) as ContentTypeDefinition

async function start(url: string, content: Content, port = 0): Promise<{ server: Server; url: string }> {
  const tag = typeOf('tag', content.tag ?? { name: { type: 'string' } })
  const server = await createServer({
    contentTypes: content.isWithoutPoems ? [tag] : [typeOf('poem', content.attributes), tag],
    components: content.components as never,
    plugins: [draftPublish({ actions: true }), editors(), desk()],
    database: url,
    logger: silentLogger,
    rateLimit: false,
  })
  return { server, url: (await server.listen(port, '127.0.0.1')).url }
}

describe.runIf(executablePath)('An entry that is open while the content gets other definitions', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
  const note = (page: Page, words: string) => page.locator('.note.wrong', { hasText: words }).waitFor()
  const older = 'This page is older than the content or your roles. Load it again'

  /** Opens an entry, and leads on once the server is started again. */
  async function deployed(
    edit: (page: Page) => Promise<unknown>,
    later: Content,
    goOn: (page: Page) => Promise<unknown>,
  ): Promise<void> {
    const database = await createTestDatabase()
    let running = await start(database.url, before)
    try {
      const { octavo } = running.server
      await createEditor(octavo, { email: 'ada@example.org', password, firstname: 'Ada' })
      const { id } = await octavo.entries('poem', unrestricted('fills the test')).create({
        ...{ title: 'The river', text: 'Old', form: 'ode', publishedAt: null },
        ...{ links: [{ address: 'a' }], zone: [{ __component: verse.uid, words: 'Old' }] },
      } as never)
      const { page, leave } = await visit(browser, running.url, `/desk/content/poems/${id}`)
      await edit(page)
      await expect
        .poll(() =>
          page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('/draft')).length),
        )
        .toBe(1)
      await running.server.close()
      running = await start(database.url, later, Number(new URL(running.url).port))
      await goOn(page)
      await leave()
    } finally {
      await running.server.close()
      await database.drop()
    }
  }

  it('names a field that has to be filled in by now, and says that the page has to be loaded again', () =>
    deployed(
      (page) => text(page).fill('My words'),
      { ...before, attributes: { ...attributes, teaser: { type: 'string', required: true } } },
      async (page) => {
        await page.getByRole('button', { name: 'Publish' }).click()
        await note(page, older)
        await note(page, 'Teaser must be defined.')
        await page.reload()
        expect(await text(page).inputValue()).toBe('My words')
        await page.getByLabel('Teaser').fill('There is one')
        await page.getByRole('button', { name: 'Publish' }).click()
        await page.getByText('Published', { exact: true }).first().waitFor()
      },
    ))

  it('names such a field of a part', () =>
    deployed(
      async (page) => {
        await page.locator('.part-open').first().waitFor()
        const links = page.getByRole('group', { name: 'Links' })
        await links.getByRole('button', { name: 'Insert a part' }).last().click()
        await page.getByLabel('Address').fill('My address')
      },
      {
        ...before,
        components: [
          { ...link, attributes: { ...link.attributes, name: { type: 'string', required: true } } },
          verse,
        ],
      },
      async (page) => {
        await page.getByRole('button', { name: 'Publish' }).click()
        await note(page, older)
        await note(page, 'Links 2 / Name must be defined.')
      },
    ))

  it('says so beside the field where a value is none any more', () =>
    deployed(
      (page) => page.getByLabel('Form').selectOption('song'),
      { ...before, attributes: { ...attributes, form: { type: 'enumeration', enum: ['ode', 'hymn'] } } },
      async (page) => {
        await page.getByRole('button', { name: 'Save draft' }).click()
        await note(page, older)
        await page.locator('.error', { hasText: 'Form' }).waitFor()
        await page.reload()
        await page.getByLabel('Form').selectOption('hymn')
        await page.getByRole('button', { name: 'Save draft' }).click()
        await page.getByRole('button', { name: 'Saved' }).waitFor()
      },
    ))

  it('keeps what is typed after a kind of part is gone', () =>
    deployed(
      async (page) => {
        await page.locator('.part-open').first().waitFor()
        await openParts(page)
        await page.getByLabel('Words').fill('My words')
      },
      {
        attributes: { ...attributes, zone: { type: 'dynamiczone', components: [link.uid] } },
        components: [link],
      },
      async (page) => {
        await page.getByRole('button', { name: 'Save draft' }).click()
        await page.getByText('Choose which text stays').waitFor()
        await page.getByRole('button', { name: 'Keep mine' }).click()
        await page.getByRole('button', { name: 'Save draft' }).click()
        await note(page, older)
        await page.reload()
        const typed = page.getByRole('textbox', { name: 'What you have typed' })
        expect(await typed.inputValue()).toContain('My words')
        expect(await page.getByText('does not let the desk keep a copy').count()).toBe(0)
        await text(page).fill('Written later')
        await page.getByRole('button', { name: 'Save draft' }).click()
        await page.getByRole('button', { name: 'Saved' }).waitFor()
        expect(await typed.inputValue()).toContain('My words')
      },
    ))

  it('says nothing of that where a refusal has another reason', () =>
    deployed(
      (page) => page.getByLabel('Form').selectOption('song'),
      before,
      async (page) => {
        await page.route('**/desk/api/content/poems/*', (route) => {
          if (route.request().method() !== 'PUT') return route.fallback()
          const message = 'form is refused'
          const details = { errors: [{ path: ['form'], message }] }
          return route.fulfill({
            status: 400,
            json: { data: null, error: { status: 400, message, details } },
          })
        })
        await page.getByRole('button', { name: 'Save draft' }).click()
        await page.locator('.error', { hasText: 'Form' }).waitFor()
        expect(await page.getByText(older).count()).toBe(0)
      },
    ))

  it('says so in lists, and in those to choose from, whose fields are gone', () =>
    deployed(
      (page) => text(page).fill('My words'),
      {
        attributes: { title: attributes.title, text: attributes.text, tags: attributes.tags },
        components: [],
        tag: { label: { type: 'string' } },
      },
      async (page) => {
        await page.getByRole('combobox', { name: /tags/ }).focus()
        await page.keyboard.press('ArrowDown')
        const again = page.getByRole('alert').getByRole('button', { name: 'Load the page again' })
        await note(page, older)
        await page.keyboard.press('Escape')
        await again.waitFor()
        await page.getByRole('navigation').getByRole('link', { name: 'Poems' }).click()
        await page.getByText('“Poems” could not be loaded.').waitFor()
        await note(page, older)
        expect(await page.getByText('has no attribute').count()).toBe(0)
        await again.click()
        await page.getByRole('row', { name: 'The river' }).waitFor()
      },
    ))

  it('says so where the content-type is gone, and shows what was typed after the reload', () =>
    deployed(
      (page) => text(page).fill('My words'),
      { ...before, isWithoutPoems: true },
      async (page) => {
        await page.getByRole('button', { name: 'Save draft' }).click()
        await note(page, older)
        expect(await page.getByRole('button', { name: 'Go on in a new entry' }).count()).toBe(0)
        await page.getByRole('navigation').getByRole('link', { name: 'Poems' }).click()
        await page.getByText('“Poems” could not be loaded.').waitFor()
        await page.goBack()
        await page.reload()
        const typed = page.getByRole('textbox', { name: 'What you have typed' })
        expect(await typed.inputValue()).toContain('My words')
      },
    ))
})
