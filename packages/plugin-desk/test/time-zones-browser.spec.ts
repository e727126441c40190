import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { chromiumPath } from '@octavo/testing'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launch, signIn } from './entry/visit.ts'
import { openDesk } from './reading-room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const event: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'event', pluralName: 'events' },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string' }, day: { type: 'date' }, at: { type: 'datetime' } },
}

/** Zones with the hour in which their pages are opened: in the first one the day is that of tomorrow in the last one. */
const zones = ['Pacific/Kiritimati', 'Asia/Kathmandu', 'America/St_Johns'] as const

describe.runIf(chromiumPath())('The desk in other time zones than the server', () => {
  let folder: string
  let site: Awaited<ReturnType<typeof openDesk>>
  let browser: Browser

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'octavo-desk-'))
    site = await openDesk(folder, [], [event])
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const add = (entry: Readonly<Record<string, unknown>>) =>
    site.octavo.entries('event', unrestricted('adds an event')).create(entry)

  /** Opens the list of events in a zone, at a time. @param server The time of the server. Default: the same. */
  const list = async (timezoneId: string, time: string, server = time): Promise<Page> => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId })
    await signIn(context, site.url)
    const page = await context.newPage()
    await page.clock.setFixedTime(time)
    const answer = async (route: Route) => {
      const response = await route.fetch()
      const headers = { ...response.headers(), date: new Date(server).toUTCString() }
      await route.fulfill({ response, headers })
    }
    // A request of a page that is closed needs no answer.
    await page.route(/\/desk\/api\//, (route) => answer(route).catch(() => undefined))
    await page.goto(`${site.url}/desk/content/events`)
    await page.getByRole('row').nth(1).waitFor()
    return page
  }
  const cell = (page: Page, title: string, column: string) =>
    page.getByRole('row', { name: title }).locator(`.col-${column}`).textContent()

  it.each(zones)('a date is the same day in %s, and has no time', async (zone) => {
    const today: Readonly<Record<string, string>> = { 'America/St_Johns': '2026-11-28' }
    await add({ title: `Spring ${zone}`, day: '2026-03-02' })
    await add({ title: `Long ago ${zone}`, day: '2019-01-01' })
    await add({ title: `Now ${zone}`, day: today[zone] ?? '2026-11-29' })
    const page = await list(zone, '2026-11-29T02:30:00.000Z')
    expect(await cell(page, `Spring ${zone}`, 'day')).toBe('2 March')
    expect(await cell(page, `Long ago ${zone}`, 'day')).toBe('1 January 2019')
    expect(await cell(page, `Now ${zone}`, 'day')).toBe('today')
    await page.context().close()
  })

  it.each([
    [
      'the long day on which clocks are put back',
      '2026-11-01T04:30:00.000Z',
      '2026-11-02T17:00:00.000Z',
      'yesterday',
    ],
    ['the evening before the short one', '2026-03-08T04:30:00.000Z', '2026-03-09T16:00:00.000Z', '7 March'],
    ['the end of a long day', '2026-11-02T04:30:00.000Z', '2026-11-01T16:00:00.000Z', 'today, 23:30'],
  ])('counts days of the calendar: %s', async (title, at, now, shown) => {
    await add({ title, at })
    const page = await list('America/New_York', now)
    expect(await cell(page, title, 'at')).toBe(shown)
    await page.context().close()
  })

  it.each([
    ['ahead', '2026-11-30T12:00:00.000Z'],
    ['behind', '2026-11-28T12:00:00.000Z'],
  ])(
    'a day is named by the clock of the server, where that of the device is a day %s',
    async (which, time) => {
      await add({ title: `Of ${which}`, at: '2026-11-29T10:00:00.000Z', day: '2026-11-29' })
      const page = await list('Europe/Berlin', time, '2026-11-29T12:00:00.000Z')
      expect(await cell(page, `Of ${which}`, 'at')).toBe('today, 11:00')
      expect(await cell(page, `Of ${which}`, 'day')).toBe('today')
      await page.context().close()
    },
  )

  it('a filter by a time is written and shown in the time zone of the person', async () => {
    await add({ title: 'Before dawn', at: '2025-06-02T23:30:00.000Z' })
    const page = await list('Asia/Kathmandu', '2026-11-29T02:30:00.000Z')
    await page.getByRole('button', { name: '+ Filter' }).click()
    await page.getByLabel('Field').selectOption({ label: 'At' })
    await page.getByLabel('Condition', { exact: true }).selectOption('$eq')
    await page.getByLabel('Value').fill('2025-06-03T05:15')
    await page.getByRole('button', { name: 'Show' }).click()
    const words = page.getByRole('button', { name: /^Change the filter/ })
    await expect.poll(() => words.textContent()).toContain('“3 June 2025 at 05:15”')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    expect(await page.locator('tbody').textContent()).toContain('Before dawn')
    expect(new URL(page.url()).searchParams.get('filters[at][$eq]')).toBe('2025-06-02T23:30:00.000Z')
    await words.click()
    expect(await page.getByLabel('Value').inputValue()).toBe('2025-06-03T05:15')
    // An address may have seconds, or a day only, which stay as they are.
    for (const [given, shown] of [
      ['2025-06-02T23:30:15.000Z', '2025-06-03T05:15:15'],
      ['2025-06-02', '2025-06-02'],
    ] as const) {
      await page.goto(`${site.url}/desk/content/events?filters[at][$gte]=${given}`)
      await expect.poll(() => words.textContent()).toContain(`“${given}”`)
      await words.click()
      expect(await page.getByLabel('Value').inputValue()).toBe(shown)
      await page.getByRole('button', { name: 'Show' }).click()
      await expect.poll(() => new URL(page.url()).searchParams.get('filters[at][$gte]')).toBe(given)
    }
    await page.context().close()
  })

  it.each([
    ['the second time', '2026-11-01T06:30:00.000Z', '2026-11-01T06:45:00.000Z'],
    ['the first time', '2026-11-01T05:30:00.000Z', '2026-11-01T05:45:00.000Z'],
    ['another day', '2026-07-01T05:30:00.000Z', '2026-11-01T05:45:00.000Z'],
  ])('a time in the hour that clocks show twice stays in that hour: %s', async (title, at, expected) => {
    const { id } = await add({ title, at, publishedAt: null })
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'America/New_York' })
    await signIn(context, site.url)
    const page = await context.newPage()
    await page.goto(`${site.url}/desk/content/events/${id}`)
    await page.getByLabel('At', { exact: true }).fill('2026-11-01T01:45')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const stored = await site.octavo
      .entries('event', unrestricted('reads the event'))
      .findOne(id, { publicationState: 'preview' })
    expect(stored?.attributes.at).toBe(expected)
    await context.close()
  })

  it('an entry that is not out yet says when, as other times are written', async () => {
    await add({ title: 'Soon', publishedAt: '2031-03-02T23:30:00.000Z' })
    const page = await list('Asia/Kathmandu', '2026-11-29T02:30:00.000Z')
    expect(await cell(page, 'Soon', 'publishedAt')).toBe('Goes live on 3 Mar 2031, 05:15')
    await page.context().close()
  })

  it('an entry that goes live while its page and its list are open is said to be published', async () => {
    const publishedAt = new Date(Date.now() + 3_600_000).toISOString()
    const { id } = await add({ title: 'In an hour', publishedAt })
    const context = await browser.newContext({ locale: 'en-GB' })
    await signIn(context, site.url)
    for (const address of ['events', `events/${id}`]) {
      const page = await context.newPage()
      await page.clock.install()
      await page.goto(`${site.url}/desk/content/${address}`)
      const soon = page.locator('.pill.soon', { hasText: 'Goes live on' })
      await soon.first().waitFor()
      const before = await soon.count()
      await page.clock.fastForward('01:00:05')
      await expect.poll(() => soon.count()).toBe(before - 1)
    }
    await context.close()
  })
})
