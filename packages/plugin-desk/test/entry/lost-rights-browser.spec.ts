/** Text of a person who loses rights, or whose page is older than the content, is kept and shown. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkAccessible } from '../accessible.ts'
import { openSite, type Site } from '../site.ts'
import { executablePath, launch, nothingUnsaved, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const uid = 'api::poem.poem'

const poem: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'poem', pluralName: 'poems' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string', required: true },
    text: { type: 'text' },
  },
}

const all = ['create', 'read', 'update'].map((action) => ({ action, type: uid }))
const withFields = (action: string, fields: readonly string[]) =>
  all.map((right) => (right.action === action ? { ...right, fields } : right))

describe.runIf(executablePath)('Text of a person who loses rights', () => {
  let site: Site
  let browser: Browser
  let ada: string

  beforeAll(async () => {
    site = await openSite([poem], [])
    ada = await site.signIn('ada@example.org')
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const entries = () => site.server.octavo.entries('poem', unrestricted('fills and reads the test'))
  const stored = async (id: number) =>
    (await entries().findOne(id, { publicationState: 'preview' }))?.attributes
  const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
  const typed = (page: Page) => page.getByRole('textbox', { name: 'What you have typed' })
  const save = (page: Page) => page.getByRole('button', { name: 'Save draft' }).click()
  const copies = (page: Page) =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('/draft')).length)

  /** A person with an open entry into which they have typed, and a way to change the rights of their role. */
  async function writer(name: string) {
    await site.hire(name, all)
    const roles = (await site.send(ada, 'GET', 'roles')).body as readonly {
      readonly id: number
      readonly name: string
    }[]
    const role = roles.find((one) => one.name === `${name}'s`)
    const { id } = await entries().create({ title: 'The river', publishedAt: null } as never)
    const visited = await visit(browser, site.url, `/desk/content/poems/${id}`, `${name}@example.org`)
    await text(visited.page).fill('A morning of work')
    await expect.poll(() => copies(visited.page)).toBe(1)
    return {
      ...visited,
      id,
      give: async (rights: readonly object[]) => {
        const { status } = await site.send(ada, 'PUT', `roles/${role?.id}`, { name: `${name}'s`, rights })
        expect(status).toBe(200)
      },
    }
  }

  it('is shown at the address of the entry while no role shows it, and goes on there once one does', async () => {
    const { page, id, give, leave } = await writer('ann')
    await give([])
    await save(page)
    await page.getByText('What you have typed is kept on this device.').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'There is no such page.' }).waitFor()
    expect(await typed(page).inputValue()).toBe('Text\nA morning of work')
    await page
      .getByText(/^Changes of .* are still on this device\. Your roles may no longer show it/)
      .waitFor()
    await checkAccessible(page, 'text without a place')
    await give(all)
    await page.reload()
    await page.getByText(/^Changes of .* are back\./).waitFor()
    await save(page)
    await expect.poll(async () => (await stored(id))?.text).toBe('A morning of work')
    await leave()
  })

  it('is shown where it may make no new entry, until it is discarded', async () => {
    const { page, id, give, leave } = await writer('ben')
    await give(all.filter(({ action }) => action !== 'create'))
    await page.goto(`${site.url}/desk`)
    await entries().delete(id)
    await page.goto(`${site.url}/desk/content/poems/${id}`)
    expect(await typed(page).inputValue()).toBe('Text\nA morning of work')
    expect(await page.getByRole('button', { name: 'Go on in a new entry' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await typed(page).waitFor({ state: 'hidden' })
    expect(await copies(page)).toBe(0)
    await leave()
  })

  it.each([
    ['read', 'This page is older than the content or your roles.'],
    ['update', 'may not be changed by your roles.'],
  ])('is not taken for saved where it may no longer %s the field', async (action, words) => {
    const { page, id, give, leave } = await writer(`cleo-${action}`)
    await give(withFields(action, ['title']))
    await save(page)
    await page.getByText(words).first().waitFor()
    expect((await stored(id))?.text).toBeNull()
    await page.reload()
    expect(await typed(page).inputValue()).toBe('Text\nA morning of work')
    // The other fields are written and saved.
    await page.getByRole('textbox', { name: 'Title' }).fill('The sea')
    await save(page)
    await expect.poll(async () => (await stored(id))?.title).toBe('The sea')
    await nothingUnsaved(page)
    await checkAccessible(page, 'text of a field that is not there')
    await page.reload()
    expect(await typed(page).inputValue()).toBe('Text\nA morning of work')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await typed(page).waitFor({ state: 'hidden' })
    await expect.poll(() => copies(page)).toBe(0)
    await leave()
  })
})
