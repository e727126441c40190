/** Parts of entries in Chromium: copied to other entries, and those of which a person may write some fields only. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { checkAccessible } from '../accessible.ts'
import { openSite, type Site } from '../site.ts'
import { executablePath, launch, visit } from './visit.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const list = (component: string) => ({ type: 'component', component, repeatable: true }) as const

const route: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'route', pluralName: 'routes' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string' },
    isOpen: { type: 'boolean', default: true },
    grade: { type: 'enumeration', enum: ['easy', 'hard'], default: 'easy' },
    map: { type: 'component', component: 'route.map' },
    stages: list('route.stage'),
    parts: { type: 'dynamiczone', components: ['route.stage', 'route.map'] },
  },
}

/** It has no drafts: each save needs what is required. */
const tour: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'tour', pluralName: 'tours' },
  attributes: {
    title: { type: 'string' },
    stages: { ...list('route.stage'), max: 2 },
    stops: list('route.stop'),
  },
}

const components = [
  {
    uid: 'route.stage',
    info: { displayName: 'Stage' },
    attributes: {
      place: { type: 'string' },
      surface: { type: 'enumeration', enum: ['gravel', 'road'], default: 'road' },
      word: { type: 'password' },
      facts: { type: 'json' },
      walked: { type: 'date' },
      sights: list('route.sight'),
      near: { type: 'relation', relation: 'oneToOne', target: 'api::route.route' },
    },
  },
  {
    uid: 'route.sight',
    info: { displayName: 'Sight' },
    attributes: { name: { type: 'string' }, stars: { type: 'integer', default: 3 } },
  },
  {
    uid: 'route.map',
    info: { displayName: 'Map' },
    attributes: { sheet: { type: 'string' }, scale: { type: 'integer', default: 25_000 } },
  },
  {
    uid: 'route.stop',
    info: { displayName: 'Stop' },
    attributes: { name: { type: 'string' }, code: { type: 'string', required: true } },
  },
] as const

const uid = { route: 'api::route.route', tour: 'api::tour.tour' }

describe.runIf(executablePath)('Parts of an entry', () => {
  let site: Site
  let browser: Browser
  let ada: string
  const state = unrestricted('fills the test')
  beforeAll(async () => {
    site = await openSite([route, tour], components as never, {
      plugins: [draftPublish(), editors(), desk()],
    })
    browser = await launch()
    ada = await site.signIn('ada@example.org')
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const make = async (type: 'route' | 'tour', values: object): Promise<number> =>
    (await site.server.octavo.entries(type, state).create(values as never)).id
  const routeWith = (values: object) => make('route', { publishedAt: null, ...values })
  const attributesOf = async (address: string) => {
    const populate =
      'populate[map]=*&populate[stages][populate]=*&populate[parts][populate]=*&populate[stops]=*'
    const { body } = await site.send(ada, 'GET', `content/${address}?publicationState=preview&${populate}`)
    return body.data.attributes
  }
  const go = (page: Page, address: string) => page.goto(`${site.url}/desk/content/${address}`)
  const save = async (page: Page, name: 'Save' | 'Save draft') => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
  }
  const group = (page: Page, name: string) => page.getByRole('group', { name: new RegExp(`^${name}`) })
  const insertInto = (page: Page, name: string) =>
    group(page, name).getByRole('button', { name: 'Insert a part' }).last()

  const hill = {
    place: 'The hill',
    surface: 'gravel',
    word: 'Secret-1-word',
    sights: [{ name: 'The cairn', stars: 5 }, { name: 'The spring' }],
  }

  it('keep what is typed and no value yet while they are closed', async () => {
    const id = await routeWith({ title: 'The heath', stages: [{ place: 'The gate' }] })
    const { page, leave } = await visit(browser, site.url, `/desk/content/routes/${id}`)
    const stage = page.getByRole('button', { name: /^Stage 1/ })
    await stage.click()
    await page.getByLabel('Place').fill('The high gate')
    await page.getByLabel('Facts').fill('{"gates": ')
    await page.getByLabel('Walked').focus()
    await page.keyboard.type('0412')
    await stage.click()
    expect(await page.getByLabel('Facts').isVisible()).toBe(false)
    expect(await page.getByLabel('Walked').isVisible()).toBe(false)

    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByLabel('Facts').waitFor()
    expect(await page.getByLabel('Facts').inputValue()).toBe('{"gates": ')
    await page.getByText('is not complete yet').first().waitFor()
    await page.getByLabel('Facts').fill('{"gates": 2}')
    await page.getByLabel('Walked').focus()
    await page.keyboard.type('04122026')
    await stage.click()
    await save(page, 'Save draft')
    expect((await attributesOf(`routes/${id}`)).stages).toMatchObject([
      { facts: { gates: 2 }, walked: '2026-04-12' },
    ])
    await leave()
  })

  it('have what is no JSON yet after their tab was killed, and half a date is not left without a question', async () => {
    const id = await routeWith({ title: 'The down', stages: [{ place: 'The stile' }] })
    const { page: killed, complaints } = await visit(browser, site.url, `/desk/content/routes/${id}`)
    await killed.getByRole('button', { name: /^Stage 1/ }).click()
    await killed.getByLabel('Facts').fill('{"stiles": ')
    const copies = () => killed.evaluate(() => JSON.stringify({ ...localStorage }))
    await expect.poll(copies).toContain('stiles')
    const page = await killed.context().newPage()
    await killed.close()
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await go(page, `routes/${id}`)
    await page.getByRole('button', { name: 'Keep them' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('is not valid JSON yet').first().waitFor()
    expect(await page.getByLabel('Facts').inputValue()).toBe('{"stiles": ')
    await page.getByRole('button', { name: 'Remove stage' }).click()
    await save(page, 'Save draft')
    await page.getByRole('button', { name: 'Undo' }).click()
    const stage = page.getByRole('button', { name: /^Stage 1/ })
    if ((await stage.getAttribute('aria-expanded')) === 'false') await stage.click()
    expect(await page.getByLabel('Facts').inputValue()).toBe('{"stiles": ')
    await page.getByLabel('Facts').fill('{"stiles": 3}')
    expect(complaints).toEqual([])
    await page.getByLabel('Walked').focus()
    await page.keyboard.type('0412')
    await page.getByRole('link', { name: 'Tours' }).click()
    expect(complaints).toEqual(['dialog: There are changes that are not saved. Leave without them?'])
    await page.getByLabel('Walked').focus()
    await page.keyboard.type('04122026')
    await save(page, 'Save draft')
    expect((await attributesOf(`routes/${id}`)).stages).toMatchObject([
      { facts: { stiles: 3 }, walked: '2026-04-12' },
    ])
    await page.getByRole('link', { name: 'Tours' }).click()
    await page.getByRole('heading', { name: 'Tours' }).waitFor()
    expect(complaints).toHaveLength(1)
    await page.context().close()
  })

  it('are not left without a question while the device keeps no copy of what is typed', async () => {
    const id = await routeWith({ title: 'The ford', stages: [{ place: 'The bank' }] })
    const { page, complaints } = await visit(browser, site.url, `/desk/content/routes/${id}`)
    const isAsked = () =>
      expect
        .poll(() => complaints.splice(0))
        .toEqual(['dialog: There are changes that are not saved. Leave without them?'])
    await page.getByRole('button', { name: /^Stage 1/ }).click()
    await page.getByLabel('Word').fill('Secret-1-word')
    for (const button of ['Tours', 'Sign out']) {
      await page.getByText(button, { exact: true }).click()
      await isAsked()
    }
    await page.getByLabel('Word').fill('')
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The disk is full.', 'QuotaExceededError')
      }
    })
    await page.getByLabel('Place').fill('The far bank')
    await page.getByText('no room for a copy').waitFor()
    await page.getByRole('link', { name: 'Tours' }).click()
    await isAsked()
    await page.getByRole('combobox', { name: /near/ }).fill('The mill')
    await page.getByRole('option', { name: /The mill/ }).click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Title').fill('The old mill')
    await panel.getByText('no room for a copy').waitFor()
    await page.keyboard.press('Escape')
    await isAsked()
    await panel.getByRole('button', { name: 'Save draft' }).click()
    await panel.waitFor({ state: 'detached' })
    await save(page, 'Save draft')
    await page.getByRole('link', { name: 'Tours' }).click()
    await page.getByRole('heading', { name: 'Tours' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('of a kind that the server has since the page was loaded lead to a page that is loaded again, with what was typed', async () => {
    const id = await routeWith({ title: 'The pier' })
    const { page, leave } = await visit(browser, site.url, `/desk/content/routes/${id}`)
    await page.getByLabel('Title').fill('The long pier')
    // The answers of a server that was started with another model, in which somebody has added such a part.
    await page.route(/api\/content\/routes\/\d+\?/, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      body.data.attributes.parts = [{ id: 99, __component: 'route.ferry' }]
      await route.fulfill({ response, json: body })
    })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('This page is older than the content or your roles.').waitFor()
    await page.getByLabel('Title').fill('The longest pier')
    await page.reload()
    await page.getByText('This page is older than the content or your roles.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.reload()
    await page.getByRole('button', { name: 'Keep them' }).click()
    await save(page, 'Save draft')
    expect(await attributesOf(`routes/${id}`)).toMatchObject({ title: 'The longest pier', parts: [] })
    await leave()
  })

  describe('that are copied', () => {
    it('are pasted into a list and a zone of other entries, with all that is in them, as often as wanted', async () => {
      const near = await routeWith({ title: 'The lane' })
      const from = await routeWith({ title: 'The ridge', stages: [{ ...hill, near }] })
      const into = await make('tour', { title: 'The north', stages: [{ place: 'The mill' }] })
      const { page, leave } = await visit(browser, site.url, `/desk/content/routes/${from}`)
      await page.getByRole('button', { name: /^Stage 1 The hill/ }).click()
      await page.getByLabel('Place').fill('The high hill')
      await page.getByLabel('Word').fill('Other-1-word')
      await page.getByRole('button', { name: 'Copy stage' }).click()
      await page.getByText('Copied. It can be inserted').waitFor()
      // A password is no part of a copy on the disk of the device, nor of what is kept of the entry a moment later.
      const isKept = () =>
        page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('octavo-desk/draft')))
      await expect.poll(isKept).toBe(true)
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('-1-word')
      // The page would ask before it is left with it.
      await page.getByLabel('Word').fill('')
      const copied = {
        place: 'The high hill',
        surface: 'gravel',
        sights: [
          { name: 'The cairn', stars: 5 },
          { name: 'The spring', stars: 3 },
        ],
        near: { data: { id: near } },
      }

      // The list takes two parts: then no place is offered for a third.
      await go(page, `tours/${into}`)
      await insertInto(page, 'Stages').click()
      await page.getByRole('button', { name: 'Paste stage' }).click()
      await page.getByRole('button', { name: 'Close all' }).first().click()
      await expect.poll(() => insertInto(page, 'Stages').count()).toBe(0)
      await save(page, 'Save')
      expect((await attributesOf(`tours/${into}`)).stages).toMatchObject([{ place: 'The mill' }, copied])

      const zone = await routeWith({ title: 'The valley', parts: [{ __component: 'route.map', sheet: '7' }] })
      await go(page, `routes/${zone}`)
      for (let i = 0; i < 2; i += 1) {
        await insertInto(page, 'Parts').click()
        await page.getByRole('button', { name: 'Paste stage' }).click()
      }
      await checkAccessible(page)
      await save(page, 'Save draft')
      const { parts } = await attributesOf(`routes/${zone}`)
      expect(parts).toMatchObject([{ sheet: '7' }, copied, copied])
      expect(new Set(parts.map(({ id }: { id: number }) => id)).size).toBe(3)

      // What was copied stays as it is stored: its page was left without a save.
      expect((await attributesOf(`routes/${from}`)).stages).toMatchObject([{ ...copied, place: 'The hill' }])
      await leave()
    })

    it('are chosen in the panel of a related entry, which Escape leaves open while a list is', async () => {
      const near = await routeWith({ title: 'The ridge' })
      const id = await routeWith({ title: 'The long way', stages: [{ place: 'Start', near }] })
      const { page, leave } = await visit(browser, site.url, `/desk/content/routes/${id}`)
      await page.getByRole('button', { name: /^Stage 1/ }).click()
      await page.getByRole('button', { name: 'Open The ridge here' }).click()
      const panel = page.getByRole('dialog')
      const insert = panel
        .getByRole('group', { name: /^Parts/ })
        .getByRole('button', { name: 'Insert a part' })
        .last()
      await insert.focus()
      await page.keyboard.press('Enter')
      await panel.getByRole('button', { name: 'Map', exact: true }).focus()
      await page.keyboard.press('Escape')
      expect(await insert.getAttribute('aria-expanded')).toBe('false')
      expect(await insert.evaluate((button) => button === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await panel.getByRole('button', { name: 'Stage', exact: true }).focus()
      await page.keyboard.press('Enter')
      const picker = panel.getByRole('combobox', { name: /near/i })
      await picker.focus()
      await page.keyboard.type('The')
      await page.getByRole('option', { name: /The long way/ }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('listbox').waitFor({ state: 'detached' })
      expect(await panel.count()).toBe(1)
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.ariaLabel))
        .toBe('Open The ridge here')
      await leave()
    })

    it('are taken back by one undo', async () => {
      const id = await routeWith({ title: 'The moor', stages: [hill] })
      const { page, leave } = await visit(browser, site.url, `/desk/content/routes/${id}`)
      await page.getByRole('button', { name: /^Stage 1 The hill/ }).click()
      await page.getByRole('button', { name: 'Copy stage' }).click()
      await insertInto(page, 'Parts').click()
      await page.getByRole('button', { name: 'Paste stage' }).click()
      await group(page, 'Parts').getByLabel('Place').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => group(page, 'Parts').getByLabel('Place').count()).toBe(0)
      await page.getByRole('button', { name: 'Saved' }).waitFor()
      await leave()
    })

    it('are offered only where they fit, and only to the person who copied them', async () => {
      const id = await routeWith({
        title: 'The fen',
        map: { sheet: '1' },
        parts: [{ __component: 'route.map' }],
      })
      const { page, leave } = await visit(browser, site.url, `/desk/content/routes/${id}`)
      await page.getByRole('button', { name: /^Map/ }).click()
      await page.getByRole('button', { name: 'Copy map' }).click()
      await page.getByText('Copied. It can be inserted').waitFor()
      await insertInto(page, 'Parts').click()
      await page.getByRole('button', { name: 'Paste map' }).waitFor()
      // A list of another kind begins an empty part at once.
      await insertInto(page, 'Stages').click()
      await group(page, 'Stages').getByLabel('Place').waitFor()
      expect(
        await group(page, 'Stages')
          .getByRole('button', { name: /^Paste/ })
          .count(),
      ).toBe(0)
      await site.hire('cleo', [{ action: 'everything' }])
      await page.context().clearCookies()
      await page.context().request.post(`${site.url}/desk/api/login`, {
        headers: { origin: site.url },
        data: { email: 'cleo@example.org', password: 'Editor-1-word' },
      })
      await go(page, `routes/${id}`)
      await insertInto(page, 'Parts').click()
      await page.getByRole('button', { name: 'Stage', exact: true }).waitFor()
      expect(await page.getByRole('button', { name: /^Paste/ }).count()).toBe(0)
      await leave()
    })

    it('have the fields of the model of today: others are left out, and new ones are empty', async () => {
      const id = await routeWith({ title: 'The ford' })
      const { page, leave } = await visit(browser, site.url, `/desk/content/routes/${id}`)
      await insertInto(page, 'Parts').waitFor()
      const person = (await site.send(ada, 'GET', 'me')).body.person.id
      await page.evaluate((person) => {
        const fields = {
          place: { kind: 'scalar', value: 'The ford' },
          sights: { kind: 'scalar', value: 'a text, before they were a list' },
          gone: { kind: 'scalar', value: 'no field of today' },
        }
        localStorage.setItem(
          'octavo-desk/part',
          JSON.stringify({ person, part: { uid: 'route.stage', fields } }),
        )
      }, person)
      await insertInto(page, 'Stages').click()
      await page.getByRole('button', { name: 'Paste stage' }).click()
      const stages = group(page, 'Stages')
      expect(await stages.getByLabel('Place').inputValue()).toBe('The ford')
      await save(page, 'Save draft')
      expect((await attributesOf(`routes/${id}`)).stages).toMatchObject([{ place: 'The ford', sights: [] }])
      await leave()
    })
  })

  describe('of which a person may write some fields', () => {
    const fields = ['title', 'map.sheet', 'stages.place', 'stages.sights.name']
    beforeAll(async () => {
      await site.hire('ben', [
        { action: 'read', type: uid.route },
        { action: 'create', type: uid.route, fields },
        { action: 'update', type: uid.route, fields },
        { action: 'read', type: uid.tour, fields: ['title', 'stops.name', 'stages'] },
        { action: 'update', type: uid.tour, fields: ['title', 'stops.name', 'stages'] },
      ])
    })
    const asBen = (address: string) => visit(browser, site.url, `/desk/content/${address}`, 'ben@example.org')

    it('are changed and put in order, and nothing else of them is offered', async () => {
      const id = await routeWith({
        title: 'The cliff',
        map: { sheet: '3', scale: 50_000 },
        stages: [hill, { place: 'The bay' }],
        parts: [{ __component: 'route.stage', place: 'The cape' }],
      })
      const { page, leave } = await asBen(`routes/${id}`)
      await page.getByLabel('Sheet').fill('4')
      expect(await page.getByLabel('Scale').isEditable()).toBe(false)
      expect(await page.getByRole('button', { name: 'Remove map' }).count()).toBe(0)
      await page.getByRole('button', { name: /^Stage 1 The hill/ }).click()
      const stages = group(page, 'Stages')
      await stages.getByLabel('Place').fill('The green hill')
      expect(await stages.getByLabel('Surface').isEnabled()).toBe(false)
      expect(await stages.getByRole('button', { name: 'Remove stage' }).count()).toBe(0)
      await stages.getByRole('button', { name: /^Sight 1 The cairn/ }).click()
      await stages.getByLabel('Name').fill('The old cairn')
      expect(await stages.getByLabel('Stars').isEditable()).toBe(false)
      // A zone is written as a whole, or not at all: its parts are to read.
      const zone = group(page, 'Parts')
      await zone.getByRole('button', { name: /The cape/ }).click()
      expect(await zone.getByLabel('Place').isEditable()).toBe(false)
      expect(await zone.getByRole('button', { name: /^(Insert|Remove|Move)/ }).count()).toBe(0)
      await checkAccessible(page)
      await page.getByRole('button', { name: /^Move Stage 1/ }).focus()
      await page.keyboard.press('ArrowDown')
      await save(page, 'Save draft')
      expect(await attributesOf(`routes/${id}`)).toMatchObject({
        map: { sheet: '4', scale: 50_000 },
        stages: [
          { place: 'The bay' },
          { place: 'The green hill', surface: 'gravel', sights: [{ name: 'The old cairn', stars: 5 }, {}] },
        ],
        parts: [{ place: 'The cape' }],
      })
      await leave()
    })

    it('are added with the defaults of the others', async () => {
      const id = await routeWith({ title: 'The brook' })
      const { page, leave } = await asBen(`routes/${id}`)
      await page.getByRole('button', { name: 'Add map' }).click()
      await page.getByLabel('Sheet').fill('12')
      await insertInto(page, 'Stages').click()
      const stages = group(page, 'Stages')
      // The page scrolls to a new part and gives it the focus; a button that moves meanwhile would miss its click.
      await stages.getByLabel('Place').and(page.locator(':focus')).waitFor()
      await stages.getByLabel('Place').fill('The weir')
      await group(page, 'Sights').getByRole('button', { name: 'Insert a part' }).last().press('Enter')
      await stages.getByLabel('Name').fill('The gauge')
      await save(page, 'Save draft')
      expect(await attributesOf(`routes/${id}`)).toMatchObject({
        map: { sheet: '12', scale: 25_000 },
        stages: [{ place: 'The weir', surface: 'road', sights: [{ name: 'The gauge', stars: 3 }] }],
      })
      await leave()
    })

    it('are part of a new entry, whose other fields have their defaults too', async () => {
      const { page, leave } = await asBen('routes/new')
      await page.getByRole('textbox', { name: 'Title' }).fill('The pass')
      await insertInto(page, 'Stages').click()
      await group(page, 'Stages').getByLabel('Place').fill('The hut')
      await save(page, 'Save draft')
      await page.waitForURL(/routes\/\d+/)
      const id = /routes\/(\d+)/.exec(page.url())?.[1]
      expect(await attributesOf(`routes/${id}`)).toMatchObject({
        ...{ title: 'The pass', isOpen: true, grade: 'easy', map: null },
        stages: [{ place: 'The hut', surface: 'road' }],
      })
      // The entry is stored now: from here on the rights to change it count.
      await group(page, 'Stages').getByLabel('Place').fill('The low hut')
      await page.getByRole('button', { name: 'Add map' }).click()
      await save(page, 'Save draft')
      expect(await attributesOf(`routes/${id}`)).toMatchObject({
        map: { sheet: null, scale: 25_000 },
        stages: [{ place: 'The low hut', surface: 'road' }],
      })
      await leave()
    })

    it('are not added where a required field of them may not be written', async () => {
      const id = await make('tour', { title: 'The south', stops: [{ name: 'The inn', code: 'A1' }] })
      const { page, leave } = await asBen(`tours/${id}`)
      const stops = group(page, 'Stops')
      await stops.getByRole('button', { name: /^Stop 1 The inn/ }).click()
      await stops.getByLabel('Name').fill('The old inn')
      // Not to be read either.
      expect(await stops.getByLabel('Code').count()).toBe(0)
      expect(await insertInto(page, 'Stops').count()).toBe(0)
      await insertInto(page, 'Stages').waitFor()
      await save(page, 'Save')
      expect((await attributesOf(`tours/${id}`)).stops).toMatchObject([{ name: 'The old inn', code: 'A1' }])
      await leave()
    })
  })
})
