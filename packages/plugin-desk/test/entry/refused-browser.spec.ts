/** Every refused save leads to the first faulty field, of every attribute type, and opens the parts that hide it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type AttributeDefinition, type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { localDisk, upload } from '@octavo/plugin-upload'
import { runs } from '@octavo/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { openSite, type Site } from '../site.ts'
import { executablePath, launch, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

/** An attribute of every type. */
const attributes: Readonly<Record<string, AttributeDefinition>> = {
  string: { type: 'string' },
  text: { type: 'text' },
  richtext: { type: 'richtext' },
  blocks: { type: 'blocks' },
  uid: { type: 'uid' },
  email: { type: 'email' },
  password: { type: 'password' },
  enumeration: { type: 'enumeration', enum: ['one', 'two'] },
  integer: { type: 'integer' },
  biginteger: { type: 'biginteger' },
  float: { type: 'float' },
  decimal: { type: 'decimal' },
  boolean: { type: 'boolean' },
  date: { type: 'date' },
  time: { type: 'time' },
  datetime: { type: 'datetime' },
  json: { type: 'json' },
  picture: { type: 'media', multiple: false },
  files: { type: 'media', multiple: true },
  friend: { type: 'relation', relation: 'oneToOne', target: 'api::friend.friend' },
  friends: { type: 'relation', relation: 'oneToMany', target: 'api::friend.friend' },
}

/** The attributes that components may have. */
const { uid: _, ...inner } = attributes

/** Every third type, from the first, second or third on: each type is in one of three places, and each night in all of them. */
const third = (first: number): readonly string[] =>
  Object.keys(inner).filter((_, i) => i % 3 === first || runs(0, 1) === 1)

const friend: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'friend', pluralName: 'friends' },
  attributes: { name: { type: 'string' } },
}

const form: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'form', pluralName: 'forms' },
  attributes: {
    title: { type: 'string' },
    ...attributes,
    one: { type: 'component', component: 'part.outer' },
    many: { type: 'component', component: 'part.outer', repeatable: true },
    zone: { type: 'dynamiczone', components: ['part.outer'] },
  },
}

const components = [
  { uid: 'part.inner', attributes: inner },
  {
    uid: 'part.outer',
    attributes: { items: { type: 'component', component: 'part.inner', repeatable: true } },
  },
] as const

describe.runIf(executablePath)('A refused save', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-desk-refused-'))
  let site: Site
  let browser: Browser
  let id: number

  beforeAll(async () => {
    site = await openSite([form, friend], components as never, {
      plugins: [draftPublish(), upload({ provider: localDisk({ folder }) }), editors(), desk()],
    })
    browser = await launch()
    const outer = { items: [{ string: 'first' }, { string: 'second' }] }
    const entry = await site.server.octavo.entries('form', unrestricted('fills the test')).create({
      ...{ title: 'Every type', one: outer, many: [{ items: [] }, outer] },
      zone: [{ __component: 'part.outer', ...outer }],
    } as never)
    id = entry.id
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([
    ['of the entry', [], Object.keys(attributes)],
    ['of parts of a component', ['one', 'items', '1'], third(0)],
    ['of parts of a list', ['many', '1', 'items', '1'], third(1)],
    ['of parts of a zone', ['zone', '0', 'items', '1'], third(2)],
  ] as const)('leads to a field of every type, %s', async (_, before, names) => {
    const { page, leave } = await visit(browser, site.url, `/desk/content/forms/${id}`)
    await page.locator('.side dl').waitFor()
    let at: readonly string[] = []
    await page.route('**/desk/api/content/forms/*', (route) => {
      if (route.request().method() !== 'PUT') return route.fallback()
      const message = `${at.join('.')} is refused`
      const error = {
        status: 400,
        name: 'ValidationError',
        message,
        details: { errors: [{ path: at, message }] },
      }
      return route.fulfill({ status: 400, json: { data: null, error } })
    })
    const missed: string[] = []
    for (const [i, name] of names.entries()) {
      at = [...before, name]
      await page.locator('textarea.title').fill(`Attempt ${i}`)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const focused = () =>
        page.evaluate(() => {
          const field = document.activeElement?.closest('.field, [id^="field-"]')
          const inside =
            document.activeElement?.closest('[id^="field-"]') ?? field?.querySelector('[id^="field-"]')
          return (inside?.id ?? '').replace(/-label$/, '')
        })
      // A field that is never reached is named below, with all others.
      await vi
        .waitUntil(
          async () => (await focused()).endsWith(before.length === 0 ? `field-${name}` : `/${name}`),
          {
            timeout: 10_000,
          },
        )
        .catch(async () => missed.push(`${at.join('.')}: ${await focused()}`))
      await page.locator('.note.wrong').getByText('1 thing to correct').waitFor()
      for (const part of (await page.locator('.part-open[aria-expanded=true]').all()).toReversed())
        await part.click()
    }
    expect(missed).toEqual([])
    await leave()
  })

  /** Gives a role other rights, as another person does meanwhile. */
  async function allow(roleName: string, rights: readonly object[]): Promise<void> {
    const ada = await site.signIn('ada@example.org')
    const { body: roles } = await site.send(ada, 'GET', 'roles')
    const role = roles.find(({ name }: { readonly name: string }) => name === roleName)
    const { status } = await site.send(ada, 'PUT', `roles/${role.id}`, { name: roleName, rights })
    expect(status).toBe(200)
  }

  it('of a field that the roles no longer have leads to that field', async () => {
    const type = 'api::form.form'
    const rights = ['create', 'read', 'update'].map((action) => ({ action, type }))
    await site.hire('bob', rights)
    const { page, leave } = await visit(browser, site.url, `/desk/content/forms/${id}`, 'bob@example.org')
    await page.getByLabel('Text', { exact: true }).fill('My words')
    await allow(
      "bob's",
      rights.map((right) => (right.action === 'update' ? { ...right, fields: ['title'] } : right)),
    )
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.note.wrong').getByRole('button', { name: 'Text', exact: true }).waitFor()
    await page.getByText('Text may not be changed by your roles.').first().waitFor()
    await leave()
  })

  it('of an entry whose roles allow nothing any more says so, and what was typed is back with them', async () => {
    const type = 'api::form.form'
    const rights = ['create', 'read', 'update'].map((action) => ({ action, type }))
    await site.hire('eve', rights)
    const { page, leave } = await visit(browser, site.url, `/desk/content/forms/${id}`, 'eve@example.org')
    await page.getByLabel('Text', { exact: true }).fill('Words of Eve')
    await allow("eve's", [])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Your roles do not allow this, or no longer.').waitFor()
    await allow("eve's", rights)
    await page.reload()
    await page.getByText('that were not saved are back').waitFor()
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Words of Eve')
    await leave()
  })
})
