/** The desk of an imported project, in Chromium: labels, columns, order, sizes and rights are those of Strapi. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { desk } from '@octavo/plugin-desk'
import { editors } from '@octavo/plugin-editors'
import { createServer, type Server } from '@octavo/server'
import {
  chromiumOptions,
  chromiumPath,
  createTestDatabase,
  type DumpDatabase,
  restoreDump,
  serverUrl,
  type TestDatabase,
} from '@octavo/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { importStrapi, openSource, toDefinitions } from '../src/index.ts'
import { fixture } from './fixture.ts'
import { pluginsOf } from './plugins.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const executablePath = chromiumPath()

interface StrapiLayout {
  readonly settings: {
    readonly mainField: string
    readonly pageSize: number
    readonly defaultSortBy: string
    readonly defaultSortOrder: string
  }
  readonly metadatas: Readonly<
    Record<
      string,
      {
        readonly edit: {
          readonly label?: string
          readonly description?: string
          readonly placeholder?: string
          readonly editable?: boolean
        }
        readonly list: { readonly label: string }
      }
    >
  >
  readonly layouts: {
    readonly list: readonly string[]
    readonly edit: readonly (readonly { readonly name: string; readonly size: number }[])[]
  }
}

interface Read {
  readonly as: string
  readonly type: string
  readonly locale?: string
  readonly id?: number
  readonly status: number
  readonly ids?: readonly number[]
  readonly keys?: readonly string[]
}

const { reads } = JSON.parse(readFileSync(fixture('editors-rights.json'), 'utf8')) as {
  readonly reads: readonly Read[]
}

/** A field as the page shows it. */
interface Shown {
  /** `title`, or of a part `seo/shared.seo:1/metaTitle`. */
  readonly key: string
  readonly label: string
  readonly width: number
  readonly hint: string
  readonly placeholder: string
  readonly inMargin: boolean
}

/** In the page: all fields in the order of the page. */
function shownFields(): Shown[] {
  const fields = [...document.querySelectorAll<HTMLElement>('.field')]
  return fields.map((field) => {
    const title = field.querySelector<HTMLTextAreaElement>(':scope > textarea.title')
    const words = field.querySelector(':scope > [id$="-label"]')
    const key = (title?.id ?? words?.id ?? '').replace(/^field-|-label$/g, '')
    const control = document.getElementById(`field-${key}`)
    return {
      key,
      label: (title?.getAttribute('aria-label') ?? words?.firstChild?.textContent ?? '').trim(),
      width: Number(/\bw(\d+)\b/.exec(field.className)?.[1] ?? 12),
      hint: field.querySelector(':scope > .hint:not([role])')?.textContent ?? '',
      placeholder: control?.getAttribute('placeholder') ?? '',
      inMargin: field.closest('.side') !== null,
    }
  })
}

describe.runIf(serverUrl() && executablePath)('The desk of an imported project, in Chromium', () => {
  let dump: DumpDatabase | undefined
  let database: TestDatabase
  let server: Server
  let folder: string
  let url: string
  let browser: Browser
  let layouts: ReadonlyMap<string, StrapiLayout>

  beforeAll(async () => {
    dump = await restoreDump(fixture('editors.sql.gz'))
    if (!dump) throw new Error('The dump needs a PostgreSQL server.')
    const { schemas } = await (await openSource(fixture('export.tar.gz'))).outline()
    const components = schemas.filter(({ modelType }) => modelType === 'component')
    const source = await openSource(dump.url, { components })
    const outline = await source.outline()
    const prefix = /^plugin_content_manager_configuration_(?:content_types|components)::/
    layouts = new Map(
      outline.settings.flatMap(({ key, value }) =>
        prefix.test(key) ? [[key.replace(prefix, ''), value as StrapiLayout] as const] : [],
      ),
    )
    const definitions = toDefinitions(outline.schemas)
    database = await createTestDatabase()
    folder = await mkdtemp(path.join(tmpdir(), 'octavo-imported-desk-'))
    server = await createServer({
      contentTypes: definitions.contentTypes,
      components: definitions.components,
      plugins: [...pluginsOf(definitions, folder), editors(), desk()],
      database: database.url,
      rateLimit: false,
    })
    await importStrapi(server.octavo, source, outline)
    await source.close()
    url = (await server.listen(0, '127.0.0.1')).url
    browser = await chromium.launch(chromiumOptions())
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await database?.drop()
    await dump?.drop()
    if (folder) await rm(folder, { recursive: true })
  })

  async function signedIn(name: string): Promise<Page> {
    const page = await (
      await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
    ).newPage()
    await page.goto(`${url}/desk`)
    await page.getByLabel('Email address').fill(`${name}@example.org`)
    await page.getByLabel('Password').fill('Editor-1-word')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.rail').waitFor()
    return page
  }

  /** Opens an address as a link of the desk does, from its first page, so that nothing of the page before is left. */
  async function follow(page: Page, address: string): Promise<void> {
    const go = (to: string) => page.evaluate((one) => history.pushState(null, '', one), to)
    await go('/desk')
    await page.getByRole('heading', { name: /Good to see you/ }).waitFor()
    await go(`/desk/${address}`)
  }

  const typesOfProject = () =>
    [...server.octavo.registry.contentTypes.values()].filter(
      ({ uid }) => uid.startsWith('api::') && layouts.has(uid),
    )
  const routeOf = (uid: string) => {
    const type = server.octavo.registry.contentType(uid)
    return type.kind === 'singleType' ? type.singularName : type.pluralName
  }
  const layoutOf = (uid: string): StrapiLayout => {
    const layout = layouts.get(uid)
    if (!layout) throw new Error(`Strapi has no layout of ${uid}`)
    return layout
  }

  /** The fields of the page, when those that are loaded later are there as well. */
  async function allFields(page: Page): Promise<readonly Shown[]> {
    const shown = () => page.evaluate(shownFields)
    await expect.poll(async () => (await shown()).every(({ key }) => key !== '')).toBe(true)
    return shown()
  }

  /** Attributes that forms of Strapi do not show, or whose values are in the margin of the desk. */
  const ofServer = [
    'createdAt',
    'updatedAt',
    'publishedAt',
    'createdBy',
    'updatedBy',
    'locale',
    'localizations',
  ]

  function checkFields(uid: string, shown: readonly Shown[], readable: (name: string) => boolean) {
    const { metadatas, layouts: places } = layoutOf(uid)
    const wanted = places.edit
      .flat()
      .filter(({ name }) => !ofServer.includes(name) && metadatas[name] && readable(name))
    const nameOf = ({ key }: Shown) => key.split('/').at(-1) ?? ''
    const main = shown.filter(({ inMargin }) => !inMargin)
    // The desk puts the title first, and files and related entries of an entry into its margin, in the same order.
    const inOrder = (fields: readonly Shown[]) =>
      wanted.map(({ name }) => name).filter((name) => fields.some((field) => nameOf(field) === name))
    const title = layoutOf(uid).settings.mainField
    const withoutTitle = (names: readonly string[]) => names.filter((name) => name !== title)
    expect([uid, withoutTitle(main.map(nameOf))]).toEqual([uid, withoutTitle(inOrder(main))])
    expect([uid, shown.map(nameOf).toSorted()]).toEqual([uid, wanted.map(({ name }) => name).toSorted()])
    for (const field of shown) {
      const name = nameOf(field)
      const { label = '', description = '', placeholder = '', editable } = metadatas[name]?.edit ?? {}
      expect([uid, name, field.label]).toEqual([uid, name, label])
      expect([uid, name, field.hint.includes(description)]).toEqual([uid, name, true])
      if (placeholder !== '') expect([uid, name, field.placeholder]).toEqual([uid, name, placeholder])
      if (editable === false) expect(field.hint).toContain('cannot be changed here')
      const { size = 12 } = wanted.find((one) => one.name === name) ?? {}
      if (!field.inMargin && name !== title) expect([uid, name, field.width]).toEqual([uid, name, size])
    }
  }

  it('lists have the columns, labels, order and page size of Strapi', async () => {
    const page = await signedIn('ada')
    for (const { uid, kind, attributes } of typesOfProject()) {
      if (kind === 'singleType') continue
      const { settings, metadatas, layouts: places } = layoutOf(uid)
      await follow(page, `content/${routeOf(uid)}`)
      await page.locator('tbody tr').first().waitFor()
      const headings = await page
        .getByRole('columnheader')
        .evaluateAll((all) => all.map((one) => (one.textContent ?? '').replace(/ [↑↓]$/, '')))
      // Private attributes, components and files are no columns of the desk (docs/desk.md).
      const isColumn = (name: string) =>
        attributes.get(name)?.definition.private !== true &&
        !['component', 'dynamiczone', 'media'].includes(attributes.get(name)?.definition.type ?? '')
      const wanted = [settings.mainField, ...places.list.filter((name) => name !== settings.mainField)]
        .filter(isColumn)
        .map((name) => metadatas[name]?.list.label ?? name)
      const ofDesk = ['', 'State', 'Languages']
      expect([uid, headings.filter((heading) => !ofDesk.includes(heading))]).toEqual([uid, wanted])
      const total = Number(/\d+/.exec((await page.locator('.count').textContent()) ?? '')?.[0])
      expect([uid, await page.locator('tbody tr').count()]).toEqual([uid, Math.min(total, settings.pageSize)])
    }
    await page.context().close()
  })

  it('forms have the fields of Strapi, with their labels, order and sizes, in parts as well', async () => {
    const page = await signedIn('ada')
    const seen = new Set<string>()
    for (const { uid, kind } of typesOfProject()) {
      await follow(page, `content/${routeOf(uid)}`)
      if (kind !== 'singleType') await page.locator('tbody .col-main a').first().click()
      await page.locator('.sheet').waitFor()
      await page.locator('.side dl').waitFor()
      for (const button of await page.getByRole('button', { name: 'Open all' }).all()) await button.click()
      for (const part of await page.locator('.part-open[aria-expanded=false]').all()) await part.click()
      const byOwner = Map.groupBy(await allFields(page), ({ key }) => key.split('/').slice(0, -1).join('/'))
      for (const [owner, shown] of byOwner) {
        const of = owner === '' ? uid : (owner.split('/').at(-1) ?? '').replace(/:[^:]*$/, '')
        seen.add(of)
        checkFields(of, shown, () => true)
      }
    }
    for (const { uid } of typesOfProject()) expect(seen).toContain(uid)
    // Components that the first entries have.
    expect([...seen].filter((uid) => !uid.startsWith('api::')).length).toBeGreaterThan(3)
    await page.context().close()
  })

  it.each(['ed', 'ann', 'rex'])('%s sees the content that Strapi showed, and no other', async (name) => {
    const page = await signedIn(name)
    const own = reads.filter(({ as, type }) => as === name && type.startsWith('api::'))
    const allowed = new Set(own.filter(({ status }) => status === 200).map(({ type }) => type))
    const refused = new Set(own.map(({ type }) => type).filter((type) => !allowed.has(type)))
    const links = await page
      .locator('.rail nav a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    for (const type of allowed) expect(links).toContain(`/desk/content/${routeOf(type)}`)
    for (const type of refused) expect(links).not.toContain(`/desk/content/${routeOf(type)}`)
    const missed: string[] = []
    for (const { type, locale, ids } of own.filter((one) => one.status === 200 && one.ids)) {
      await follow(page, `content/${routeOf(type)}${locale ? `?locale=${locale}` : ''}`)
      await page.locator('.count').waitFor()
      const offered = await page
        .locator('.filters select option')
        .evaluateAll((all) => all.map((one) => one.getAttribute('value')))
      // The list is that of another language where the roles show nothing of this one.
      if (locale !== undefined && offered.length > 0 && !offered.includes(locale)) {
        expect(ids).toEqual([])
        continue
      }
      await expect
        .poll(() => page.locator('.count').allTextContents())
        .toEqual([`${ids?.length} ${ids?.length === 1 ? 'entry' : 'entries'}`])
        .catch(async () => missed.push(`${type} ${locale}: ${await page.locator('main').textContent()}`))
    }
    expect(missed).toEqual([])
    for (const { type, id, keys = [] } of own.filter((one) => one.status === 200 && one.id !== undefined)) {
      await follow(page, `content/${routeOf(type)}/${id}`)
      await page.locator('.sheet .field').first().waitFor()
      const shown = (await allFields(page)).filter(({ key }) => !key.includes('/'))
      expect(shown.length).toBeGreaterThan(0)
      expect(shown.map(({ key }) => key).filter((key) => !keys.includes(key))).toEqual([])
    }
    for (const type of refused) {
      await follow(page, `content/${routeOf(type)}`)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    }
    await page.context().close()
  })
})
