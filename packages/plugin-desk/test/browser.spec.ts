import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { chromiumOptions, chromiumPath, runs } from '@octavo/testing'
import { violationsOf } from '@octavo/testing/violations'
import { Secret, TOTP } from 'otpauth'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { desk } from '../src/index.ts'
import {
  nextFrame,
  nothingUnsaved,
  openParts,
  signIn as signInBefore,
  withoutLongTimers,
} from './entry/visit.ts'
import { openDesk, password } from './reading-room.ts'
import { openSite } from './site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const executablePath = chromiumPath()

/** Runs in the page. */
function setClockAhead(milliseconds: number): void {
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given: [] | [number]) {
      super(given.length === 0 ? Real.now() + milliseconds : given[0])
    }
    static override now = () => Real.now() + milliseconds
  } as DateConstructor
}

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>'

describe.runIf(executablePath)('The desk in Chromium', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-desk-'))
  let site: Awaited<ReturnType<typeof openDesk>>
  let browser: Browser

  beforeAll(async () => {
    site = await openDesk(folder)
    browser = await chromium.launch(chromiumOptions())
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  interface Look {
    readonly colorScheme?: 'light' | 'dark'
    readonly width?: number
    /** The milliseconds that the clock of the device is ahead of the server's. Default 0. */
    readonly ahead?: number
  }

  interface Visit {
    readonly page: Page
    /** Errors and warnings of the console, and violations of the policy. */
    readonly complaints: string[]
    /** Other hosts that received requests of the page. */
    readonly strangers: readonly string[]
  }

  /** @param email Whoever has signed in before. Default: nobody. */
  async function visit(
    address: string,
    { colorScheme = 'light', width = 1280, ahead = 0 }: Look = {},
    email?: string,
  ): Promise<Visit> {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      locale: 'en-GB',
    })
    const page = await context.newPage()
    const complaints: string[] = []
    const strangers: string[] = []
    // Not by a route, which would leave the cache of the browser unused.
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== site.url) strangers.push(origin)
    })
    page.on('console', (message) => {
      const text = message.text()
      // The first request of a visitor is refused with 401; Chromium reports it.
      const isExpected = text.includes('401')
      if ((message.type() === 'error' || message.type() === 'warning') && !isExpected) complaints.push(text)
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`policy: ${violatedDirective} ${blockedURI}`),
      )
    })
    if (ahead > 0) await context.addInitScript(setClockAhead, ahead)
    if (email !== undefined) await signInBefore(context, site.url, email)
    await page.goto(`${site.url}${address}`)
    return { page, complaints, strangers }
  }

  const signedIn = (address: string, look: Look = {}, email = 'ada@example.org'): Promise<Visit> =>
    visit(address, look, email)

  /** By the form. */
  async function signIn(page: Page, email = 'ada@example.org'): Promise<void> {
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    // The page behind may have other passwords.
    await page.locator('input[name=password][autocomplete=current-password]').waitFor({ state: 'detached' })
  }

  /** Ends a visit that had nothing to complain about. */
  async function leave({ page, complaints, strangers }: Visit): Promise<void> {
    expect(complaints).toEqual([])
    expect(strangers).toEqual([])
    await page.context().close()
  }

  async function checkAccessible(page: Page): Promise<void> {
    expect(await violationsOf(page)).toEqual([])
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    )
    expect(isWide).toBe(false)
  }

  const articlePath = (id: number) => `/desk/content/articles/${id}`
  const stored = async (headline: string, locale = 'en') => {
    const state = unrestricted('reads what the desk has written')
    const { data } = await site.octavo.entries('article', state).find({
      ...{ locale, filters: { headline: { $eq: headline } } },
      ...{ publicationState: 'preview', populate: '*' },
    } as never)
    return data[0] as { id: number; attributes: Record<string, unknown> } | undefined
  }

  // The first two have both colours and both widths.
  const looks = [
    ['light', 1280],
    ['dark', 360],
    ['dark', 1280],
    ['light', 360],
  ] as const
  const checkInEachLook = async (page: Page): Promise<void> => {
    for (const [colorScheme, width] of [...looks.slice(0, runs(2, 4))].reverse()) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await checkAccessible(page)
    }
  }
  it('each screen is accessible and fits in both schemes and widths', async () => {
    const visited = await visit('/desk')
    const { page } = visited
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await checkInEachLook(page)
    await signIn(page)
    await page.getByRole('heading', { name: /Good to see you/ }).waitFor()
    await checkInEachLook(page)
    await page.goto(`${site.url}/desk/content/articles`)
    await page.getByLabel('Select The quiet river').check()
    await page.getByRole('button', { name: '+ Filter' }).click()
    await checkInEachLook(page)
    await page.goto(`${site.url}${articlePath(site.quiet)}`)
    await page.getByRole('button', { name: /^Quote It spoke/ }).click()
    await page.getByLabel('Summary').fill('')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('1 thing to correct').waitFor()
    await checkInEachLook(page)
    await page.goto(`${site.url}/desk/media`)
    await page.getByText('There are no files yet').waitFor()
    await checkInEachLook(page)
    await page.goto(`${site.url}/desk/people`)
    await page.getByText('ada@example.org').waitFor()
    await checkInEachLook(page)
    await page.goto(`${site.url}/desk/roles?role=new`)
    await page.getByRole('checkbox', { name: 'Read: Articles' }).waitFor()
    await checkInEachLook(page)
    await page.goto(`${site.url}/desk/settings`)
    await page.getByText('here, now').waitFor()
    await checkInEachLook(page)
    await leave(visited)
  })

  it('an editor signs in, finds an article, writes, is led to a mistake, and publishes', async () => {
    const visited = await visit('/desk', { ahead: 3_600_000 })
    const { page } = visited
    await signIn(page)
    await page.getByRole('link', { name: 'Articles' }).click()
    await page.getByLabel('Search articles').fill('salt')
    await page.getByText('1 entry', { exact: true }).first().waitFor()
    await page.getByRole('link', { name: 'What the salt remembers' }).click()
    await page.getByLabel('Headline').fill('What the salt keeps')
    await page.getByLabel('Summary').fill('')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Summary must be defined.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-summary')
    await page.keyboard.type('Of salt and memory.')
    await page.getByRole('combobox', { name: 'Find or create: categories' }).fill('Lett')
    await page.getByRole('option', { name: 'Letters' }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Published', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const entry = await stored('What the salt keeps')
    expect(entry?.attributes).toMatchObject({ summary: 'Of salt and memory.' })
    // By the clock of the server, since a later time would only schedule the entry.
    expect(Date.parse(String(entry?.attributes.publishedAt))).toBeLessThanOrEqual(Date.now())
    expect(JSON.stringify(entry?.attributes.categories)).toContain('Letters')
    await leave(visited)
  })

  it('an article is created, ordered and published by keyboard alone', async () => {
    const visited = await visit('/desk/content/articles/new')
    const { page } = visited
    const { keyboard } = page
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await keyboard.press(key)
    }
    /** Tab until the control with this name has the focus. */
    const tabTo = async (name: string | RegExp, key = 'Tab') => {
      for (let i = 0; i < 80; i++) {
        const found = await page.evaluate(() => {
          const element = document.activeElement as HTMLElement | null
          const label = element?.getAttribute('aria-label') ?? element?.textContent ?? ''
          const labels =
            element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
              ? element.labels
              : null
          return [...(labels ?? [])].map((one) => one.textContent).join(' ') || label
        })
        if (typeof name === 'string' ? found.trim().startsWith(name) : name.test(found)) return
        await press(key)
      }
      throw new Error(`the keyboard does not reach ${name}`)
    }
    await page.getByLabel('Email address').waitFor()
    await tabTo('Email address')
    await keyboard.type('ada@example.org')
    await tabTo('Password')
    await keyboard.type(password)
    await press('Enter')
    await page.getByLabel('Headline').waitFor()
    await tabTo('Headline')
    await keyboard.type('By keyboard')
    await tabTo('Summary')
    await keyboard.type('Without a mouse.')
    await tabTo(/^\+ Insert a part$/)
    // The first one is that of the links: a list of one kind inserts at once.
    await press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toContain('/label')
    await keyboard.type('First')
    await tabTo(/^\+ Insert a part$/)
    await press('Enter')
    const second = page.getByLabel('Label').nth(1)
    await expect.poll(() => second.evaluate((field) => field === document.activeElement)).toBe(true)
    await keyboard.type('Second')
    await tabTo(/^Move Link 2/, 'Shift+Tab')
    await press('ArrowUp')
    await page.getByText('Link 2 is at place 1 of 2.').waitFor({ state: 'attached' })
    // A part that is moved gets the focus back.
    await nextFrame(page)
    await tabTo('Publish', 'Shift+Tab')
    await press('Enter')
    await page.waitForURL(/articles\/\d+$/)
    await page.getByText('Published', { exact: true }).first().waitFor()
    const entry = await stored('By keyboard')
    const links = (entry?.attributes.links ?? []) as { label: string }[]
    expect(links.map(({ label }) => label)).toEqual(['Second', 'First'])
    await leave(visited)
  })

  it('lists filter by words, sort, and publish and delete several entries, with undo', async () => {
    const visited = await signedIn('/desk/content/articles')
    const { page } = visited
    await page.getByRole('button', { name: '+ Filter' }).click()
    await page.getByLabel('Field').selectOption('form')
    await page.getByLabel('Value').selectOption('news')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('button', { name: 'Remove the filter Form is News' }).waitFor()
    await page.getByRole('link', { name: 'Orchard, ember, harbour' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Headline' }).click()
    const first = page.locator('tbody tr').first()
    await first.getByText('A mirror for the market').waitFor()
    await page.getByLabel('Select Ünder pressure').check()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('1 entry published.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 entry published.').waitFor({ state: 'detached' })
    // An entry that is public already keeps its date, and is still public after Undo.
    const dates = async () => [
      (await stored('Ünder pressure'))?.attributes.publishedAt,
      (await stored('A mirror for the market'))?.attributes.publishedAt,
    ]
    await expect.poll(async () => (await dates())[0]).toBeNull()
    const before = await dates()
    for (const [action, words] of [
      ['Publish', '1 entry published.'],
      ['Unpublish', '1 entry unpublished.'],
    ] as const) {
      await page.getByLabel('Select Ünder pressure').check()
      await page.getByLabel('Select A mirror for the market').check()
      await page.getByRole('button', { name: action, exact: true }).click()
      await page.getByText(words).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(words).waitFor({ state: 'detached' })
      // The sentence goes with the press, and the values come back one after the other.
      await expect.poll(dates).toEqual(before)
    }
    await page.getByLabel('Select Ünder pressure').check()
    // The deletion is carried out after some seconds.
    await page.evaluate(withoutLongTimers)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 entry deleted.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByLabel('Select Ünder pressure').waitFor()
    await leave(visited)
  })

  it('filters join and turn conditions round, and a list is saved as a tab for all', async () => {
    const visited = await signedIn('/desk/content/articles')
    const { page } = visited
    const open = () => page.getByRole('button', { name: '+ Filter' }).click()
    const choose = async (field: string, operator: string, value: string) => {
      await page.getByLabel('Field').selectOption(field)
      await page.getByLabel('Condition').selectOption(operator)
      await page.getByLabel(/^Value/).fill(value)
    }
    await open()
    await choose('writtenBy.name', '$in', 'Ada Lovelace\nMarie Curie')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page
      .getByRole('button', { name: /^Change .* Written by › Name is one of “Ada Lovelace”, “Marie Curie”/ })
      .waitFor()
    await open()
    await choose('headline', '$startsWith', 'What')
    await page.getByRole('button', { name: 'Or', exact: true }).click()
    await open()
    await choose('headline', '$containsi', 'MIRROR')
    await page.getByLabel('Not').check()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('button', { name: 'Remove the filter not Headline contains “MIRROR”' }).waitFor()
    const names = page.locator('tbody .ti')
    // Until the answer is there, the list shows the entries of before.
    await page.getByRole('link', { name: 'A mirror for the market' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'What the salt' }).waitFor()
    const before = await names.allTextContents()
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByLabel('Name of the view').fill('From two desks')
    await page.getByLabel('For everybody').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'From two desks', pressed: true }).waitFor()
    await checkAccessible(page)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.goto(`${site.url}/desk/content/articles`)
    await page.getByRole('button', { name: 'From two desks', pressed: false }).click()
    await page.getByRole('button', { name: /Remove the filter not/ }).waitFor()
    await expect.poll(() => names.allTextContents()).toEqual(before)
    await page.getByRole('button', { name: 'Delete this view' }).click()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByRole('button', { name: 'From two desks' }).waitFor({ state: 'detached' })
    await leave(visited)
  })

  it('lists and forms are as their layouts have them', async () => {
    const visited = await signedIn('/desk')
    const { page } = visited
    await page.evaluate(async () => {
      const path = '/desk/api/layouts/api::article.article'
      const layout = await (await fetch(path)).json()
      const place = (name: string, size: number) => ({ name, size })
      const changed = {
        ...layout,
        list: {
          ...layout.list,
          columns: ['words', 'headline', 'writtenBy'],
          pageSize: 3,
          sort: 'headline:asc',
          select: false,
        },
        form: [
          [place('summary', 8), place('words', 4)],
          [place('headline', 6), place('slug', 3)],
          [place('links', 12)],
        ],
        fields: {
          ...layout.fields,
          headline: { label: 'Heading', placeholder: 'In few words' },
          summary: { label: 'Standfirst', description: 'Two sentences at most.' },
          slug: { label: 'Address', readOnly: true },
          words: { label: 'Length', column: 'Words in all' },
        },
      }
      const headers = { 'content-type': 'application/json' }
      await fetch(path, { method: 'PUT', headers, body: JSON.stringify(changed) })
    })
    await page.goto(`${site.url}/desk/content/articles`)
    await page.getByRole('columnheader', { name: 'Words in all' }).waitFor()
    const headings = await page.getByRole('columnheader').allTextContents()
    expect(headings).toEqual(['Heading ↑', 'State', 'Words in all', 'Written by', 'Languages'])
    const names = page.locator('tbody .ti')
    await expect.poll(() => names.count()).toBe(3)
    expect((await names.allTextContents()).toSorted()).toEqual(await names.allTextContents())
    await page.goto(`${site.url}${articlePath(site.quiet)}`)
    await page.getByText('Two sentences at most.').waitFor()
    expect(await page.getByLabel('Heading').getAttribute('placeholder')).toBe('In few words')
    expect(await page.getByLabel('Address', { exact: true }).isEditable()).toBe(false)
    expect(
      await page.locator('.grid > .field').evaluateAll((fields) => fields.map(({ className }) => className)),
    ).toEqual(['field w8 first', 'field w4', 'field w3', 'field w12 first'])
    expect(await page.getByText('Rating').count()).toBe(0)
    await page.evaluate(() => fetch('/desk/api/layouts/api::article.article', { method: 'DELETE' }))
    await leave(visited)
  })

  it('a person with a second factor is asked for its code', async () => {
    await site.hire('mia@example.org', [{ action: 'read', type: 'api::article.article' }])
    const first = await signedIn('/desk', {}, 'mia@example.org')
    const post = (path: string, body: object) =>
      first.page.evaluate(
        async ([path, body]) => {
          const headers = { 'content-type': 'application/json' }
          const answer = await fetch(`/desk/api/${path}`, {
            method: 'POST',
            headers,
            body: JSON.stringify(body),
          })
          return (await answer.json()) as Record<string, unknown> // the server's own
        },
        [path, body] as const,
      )
    const { secret } = await post('second-factor', { currentPassword: password })
    const codeOf = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate({
        timestamp: Date.now() + steps * 30_000,
      })
    await post('second-factor/confirm', { code: codeOf(0) })
    await first.page.context().close()

    const { page, complaints } = await visit('/desk')
    await page.getByLabel('Email address').fill('mia@example.org')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const code = page.getByLabel('Code of your second factor')
    await code.waitFor()
    await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true)
    await checkAccessible(page)
    await code.fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').filter({ hasText: 'This code is wrong' }).waitFor()
    // The next code: each is accepted once, and a moment early.
    await code.fill(codeOf(1).replace(/^.../, '$& '))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await code.waitFor({ state: 'detached' })
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
    await page.context().close()
  })

  it('people sign in at an issuer where the server has one, and read why it did not work', async () => {
    // Nobody answers at this address.
    const openId = { issuer: 'http://127.0.0.1:9', name: 'Example', clientId: 'desk', clientSecret: 'secret' }
    const other = await openSite([], [], {
      plugins: [draftPublish(), editors({ openId, passwords: false }), desk()],
    })
    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
    await page.goto(`${other.url}/desk`)
    const link = page.getByRole('link', { name: 'Sign in at Example' })
    await link.waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
    await checkAccessible(page)
    await link.click()
    await page.getByRole('alert').getByText('was not confirmed').waitFor()
    expect(page.url()).toBe(`${other.url}/desk?refused=issuer`)
    await page.goto(`${other.url}/desk?refused=no-account`)
    await page.getByRole('alert').getByText('There is no person with this account here').waitFor()
    await page.goto(`${other.url}/desk?refused=server`)
    await page.getByRole('alert').getByText('The server could not sign you in').waitFor()
    await page.context().close()
    await other.close()
  })

  it('a session that ended signs in again over the form, and nothing typed is lost', async () => {
    const visited = await signedIn(articlePath(site.quiet))
    const { page } = visited
    await page.getByLabel('Summary').fill('Typed before the session ended.')
    await page.context().clearCookies()
    // On a busy machine another request of the page may learn first that the session has ended, and the form covers the button.
    await Promise.any([
      page.getByRole('button', { name: 'Save draft' }).click(),
      page.getByRole('heading', { name: 'Your session has ended' }).waitFor(),
    ])
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect((await stored('The quiet river'))?.attributes.summary).toBe('Typed before the session ended.')
    // A closed tab keeps what was typed on the device.
    await page.getByLabel('Summary').fill('Typed before the tab was closed.')
    await page.reload()
    await page.getByText(/that were not saved are back/).waitFor()
    expect(await page.getByLabel('Summary').inputValue()).toBe('Typed before the tab was closed.')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect.poll(() => page.getByLabel('Summary').inputValue()).toBe('Typed before the session ended.')
    await leave(visited)
  })

  it('of two editors who change the same text, the second one sees both', async () => {
    const visited = await signedIn(articlePath(site.quiet))
    const { page, complaints } = visited
    await page.getByLabel('Summary').fill('Mine in words')
    await page.getByLabel('Rating').fill('3')
    await site.octavo
      .entries('article', unrestricted('another editor'))
      .update(site.quiet, { summary: 'Theirs in other words', words: 12 })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Choose which text stays').waitFor()
    await page
      .getByRole('definition')
      .filter({ hasText: /^Theirs in other words$/ })
      .waitFor()
    // Words that the other text lacks are marked.
    expect(await page.locator('mark').allTextContents()).toEqual(['Mine', 'Theirs', 'other '])
    expect(await page.getByLabel('Words').inputValue()).toBe('12')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    // The choice takes its buttons away; writing goes on in the field.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('field-summary')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect((await stored('The quiet river'))?.attributes).toMatchObject({
      summary: 'Mine in words',
      rating: 3,
      words: 12,
    })
    expect(complaints.filter((text) => !text.includes('412'))).toEqual([])
    await page.context().close()
  })

  it('two tabs have copies of their own, and neither is lost', async () => {
    const visited = await signedIn(articlePath(site.quiet))
    const { page } = visited
    const copies = (from: Page) =>
      from.evaluate(
        () => Object.keys(localStorage).filter((key) => key.startsWith('octavo-desk/draft')).length,
      )
    await page.getByLabel('Summary').fill('Typed in the first tab.')
    await expect.poll(() => copies(page)).toBe(1)
    const second = await page.context().newPage()
    await second.goto(`${site.url}${articlePath(site.quiet)}`)
    expect(await second.getByLabel('Summary').inputValue()).not.toBe('Typed in the first tab.')
    await second.getByLabel('Copies').fill('5')
    await expect.poll(() => copies(second)).toBe(2)
    await page.close()
    await second.close()
    const third = await visited.page.context().newPage()
    // A tab is closed for the others once its lock has ended, which may be later. The address has no page with a lock of its own.
    await third.goto(`${site.url}/desk/api/me`)
    const locks = () => third.evaluate(async () => (await navigator.locks.query()).held?.length)
    await expect.poll(locks).toBe(0)
    await third.goto(`${site.url}${articlePath(site.quiet)}`)
    await third.getByText(/that were not saved are back/).waitFor()
    expect(await third.getByLabel('Summary').inputValue()).toBe('Typed in the first tab.')
    expect(await third.getByLabel('Copies').inputValue()).toBe('5')
    await third.getByRole('button', { name: 'Save draft' }).click()
    await third.getByRole('button', { name: 'Saved' }).waitFor()
    await expect.poll(() => copies(third)).toBe(0)
    await leave(visited)
  })

  it('a new entry whose answer is lost is repeated, and exists once', async () => {
    const visited = await signedIn('/desk/content/articles/new')
    const { page } = visited
    const keys: (string | undefined)[] = []
    await page.route('**/desk/api/content/articles?*', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.fallback()
      await route.fetch()
      return route.abort()
    })
    await page.getByLabel('Headline').fill('Sent twice')
    await page.getByLabel('Summary').fill('And made once.')
    // The page does not send it again by itself before it is closed.
    await page.evaluate(withoutLongTimers)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('The server cannot be reached').waitFor()
    // A tab that is closed now has kept the request with its key.
    await page.reload()
    await page.getByText(/that were not saved are back/).waitFor()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/articles\/\d+$/)
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    expect(keys).toEqual([keys[0], keys[0]])
    expect(keys[0]).toBeDefined()
    const state = unrestricted('counts what the desk has written')
    const found = { filters: { headline: { $eq: 'Sent twice' } }, publicationState: 'preview' }
    expect((await site.octavo.entries('article', state).find(found as never)).data).toHaveLength(1)
    await page.context().close()
  })

  it('a translation is begun from an entry, and found again when its answer is lost', async () => {
    const visited = await signedIn(articlePath(site.quiet))
    const { page } = visited
    await page.getByRole('navigation', { name: 'Languages' }).getByRole('link', { name: /^fr/ }).click()
    await page.getByRole('heading', { name: 'Headline' }).waitFor({ state: 'attached' })
    // The language that the translation is made of is beside its fields.
    await page.getByRole('button', { name: 'Take over Headline: ' }).click()
    expect(await page.locator('#field-headline').inputValue()).toBe('The quiet river')
    await page.locator('#field-headline').fill('La rivière tranquille')
    await page.locator('#field-summary').fill('Une rivière.')
    await checkAccessible(page)
    await page.route(
      '**/localizations',
      async (route) => {
        await route.fetch()
        return route.abort()
      },
      { times: 1 },
    )
    // The page does not send it again by itself before more is written.
    await page.evaluate(withoutLongTimers)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('The server cannot be reached').waitFor()
    await page.locator('#field-summary').fill('Une rivière parle.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/articles\/\d+\?beside=en$/)
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await page.getByRole('navigation', { name: 'Languages' }).getByRole('link', { name: /^en/ }).click()
    await expect.poll(() => page.getByLabel('Headline').inputValue()).toBe('The quiet river')
    expect(await stored('La rivière tranquille', 'fr')).toMatchObject({
      attributes: { summary: 'Une rivière parle.', locale: 'fr' },
    })
    await page.context().close()
  })

  it('related entries are made and changed in a panel, and put in order', async () => {
    const visited = await signedIn(articlePath(site.quiet))
    const { page } = visited
    await page.getByRole('combobox', { name: 'Find or create: categories' }).fill('Weather')
    await page.getByRole('option', { name: 'Create the category “Weather”' }).click()
    const panel = page.getByRole('dialog', { name: 'New category' })
    await expect.poll(() => panel.getByLabel('Name').inputValue()).toBe('Weather')
    await checkAccessible(page)
    await page.keyboard.press('Control+s')
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Open Weather here' }).click()
    await page.getByRole('dialog', { name: 'Weather' }).getByLabel('Name').fill('Tides')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Open Tides here' }).waitFor()
    await page.getByRole('button', { name: /^Move Tides/ }).press('Home')
    await page.getByText('Tides is at place 1 of 3.').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const { categories } = ((await stored('The quiet river'))?.attributes ?? {}) as {
      readonly categories: { readonly data: readonly { readonly attributes: { readonly name: string } }[] }
    }
    expect(categories.data.map(({ attributes }) => attributes.name)).toEqual(['Tides', 'Rivers', 'Science'])
    await leave(visited)
  })

  it('a refused save opens the parts that hide the first mistake, however deep', async () => {
    const visited = await signedIn(articlePath(site.quiet))
    const { page } = visited
    await page.getByRole('button', { name: /^Steps/ }).click()
    await page.getByRole('button', { name: /^Link 1/ }).click()
    await page.getByLabel('Label').fill('')
    // Closed again, both hide the field.
    await page.getByRole('button', { name: /^Link 1/ }).click()
    await page.getByRole('button', { name: /^Steps/ }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Label must be defined.').first().waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id))
      .toMatch(/^field-sections\/.*\/steps\/.*\/label$/)
    await page.keyboard.type('Listen')
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await leave(visited)
  })

  it('files are uploaded, described, and chosen for an article', async () => {
    const visited = await signedIn('/desk/media')
    const { page } = visited
    const upload = (name: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('Notes on rivers') })
    await upload("<img src=x onerror='alert(5)'>.txt")
    // Signs that the server takes in no name are dashes.
    await page.getByRole('button', { name: "-img src=x onerror='alert(5)'-.txt", exact: true }).waitFor()
    await upload('rivers.txt')
    await page.getByRole('button', { name: 'rivers.txt', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Notes')
    await page.getByLabel('Alternative text').fill('Notes on rivers, typed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Notes', exact: true }).waitFor()
    await page.goto(`${site.url}${articlePath(site.quiet)}`)
    await page
      .getByRole('group', { name: 'Gallery' })
      .getByRole('button', { name: 'Choose from the library' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Notes' }).click()
    await page.getByRole('button', { name: 'Remove Notes' }).waitFor()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    // The field for the cover takes pictures only.
    await page
      .getByRole('group', { name: 'Cover' })
      .getByRole('button', { name: 'Choose from the library' })
      .click()
    await page.getByRole('dialog').getByText('There are no files yet').waitFor()
    expect(await page.getByRole('dialog').getByRole('alert').count()).toBe(0)
    const entry = await stored('The quiet river')
    expect(JSON.stringify(entry?.attributes.gallery)).toContain('Notes on rivers, typed')
    await leave(visited)
  })

  it('folders of media are made, filled, moved and deleted, and a file has its texts, its uses and another content', async () => {
    const visited = await signedIn('/desk/media')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    const button = (name: string, exact = true) => page.getByRole('button', { name, exact })
    const folder = async (name: string) => {
      await button('New folder').click()
      await page.getByLabel('Name of the folder').fill(name)
      await page.keyboard.press('Enter')
      await page.getByRole('navigation', { name: 'Path to this folder' }).getByText(name).waitFor()
    }
    await folder('2026')
    await folder('Rivers')
    const files = ['one.txt', 'two.txt', 'three.txt'].map((name) => ({
      ...{ name, mimeType: 'text/plain', buffer: Buffer.from(name) },
    }))
    await page.locator('input[type=file]').setInputFiles(files)
    for (const { name } of files) await button(name).waitFor()
    await page.getByLabel('Select one.txt').check()
    await page.getByLabel('Select two.txt').check()
    await button('Move').click()
    await dialog.getByRole('button', { name: '2026', exact: true }).click()
    await checkAccessible(page)
    await dialog.getByRole('button', { name: 'Move to: 2026' }).click()
    await button('one.txt').waitFor({ state: 'detached' })
    await page.goBack()
    await button('one.txt').waitFor()
    await button('three.txt').waitFor({ state: 'detached' })

    const [{ id: used = 0 } = {}] = (await site.octavo
      .entries('plugin::upload.file')
      .find({
        filters: { name: 'one.txt' },
      } as never)
      .then(({ data }) => data)) as readonly { id?: number }[]
    await site.octavo.entries('article').update(site.quiet, { cover: used } as never)
    await button('one.txt').click()
    await dialog.getByRole('link', { name: 'The quiet river' }).waitFor()
    await dialog.getByLabel('Caption').fill('By the river')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Replace' }).click(),
    ])
    await chooser.setFiles({ name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('another') })
    await dialog.getByText('The file is replaced').waitFor()
    await checkAccessible(page)
    const address = (await dialog.getByRole('link', { name: 'Download' }).getAttribute('href')) ?? ''
    expect(await (await fetch(`${site.url}${address}`)).text()).toBe('another')
    // The dialog sends only changed texts, so the texts of another person are kept.
    const library = site.octavo.entries('plugin::upload.file')
    await library.update(used, { alternativeText: 'Notes by Ben' } as never)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await library.findOne(used))?.attributes).toMatchObject({
      ...{ name: 'one.txt', caption: 'By the river', alternativeText: 'Notes by Ben' },
    })

    await button('Delete the folder').click()
    await dialog.getByText('3 files will be deleted').waitFor()
    await dialog.getByRole('link', { name: 'The quiet river' }).waitFor()
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await button('2026').waitFor({ state: 'detached' })
    await leave(visited)
  })

  it('a part is copied into another entry, whose address follows its title', async () => {
    const visited = await signedIn(articlePath(site.quiet))
    const { page } = visited
    await page.getByRole('button', { name: /^Quote It spoke/ }).click()
    await page.getByRole('button', { name: 'Copy quote' }).click()
    await page.getByText('Copied. It can be inserted').waitFor()
    await page.goto(`${site.url}/desk/content/articles/new`)
    const sections = page.getByRole('group', { name: 'Sections' })
    await sections.getByRole('button', { name: 'Insert a part' }).click()
    await page.getByRole('button', { name: 'Paste quote' }).click()
    expect(await sections.getByLabel('Text').inputValue()).toBe('It spoke.')
    const slug = page.getByLabel('Slug')
    await page.getByLabel('Headline').fill('A copied quote')
    await expect.poll(() => slug.inputValue()).toBe('a-copied-quote')
    // A slug that somebody writes stays.
    await slug.fill('quoted')
    await page.getByLabel('Headline').fill('A quote, copied')
    await page.getByLabel('Summary').fill('It has a part of another article.')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    const entry = await stored('A quote, copied')
    expect(entry?.attributes).toMatchObject({
      slug: 'quoted',
      sections: [{ __component: 'section.quote', text: 'It spoke.' }],
    })
    await leave(visited)
  })

  it('a picture gets a point that stays in sight, by a click and by numbers', async () => {
    const visited = await signedIn('/desk/media')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    const picture = { name: 'point.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) }
    await page.locator('input[type=file]').setInputFiles(picture)
    const open = () => page.getByRole('button', { name: 'point.svg', exact: true }).click()
    await open()
    await dialog.locator('.focal').click({ position: { x: 1, y: 1 } })
    await dialog.getByLabel('From the top, %').fill('80')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await open()
    expect(await dialog.getByLabel('From the top, %').inputValue()).toBe('80')
    expect(Number(await dialog.getByLabel('From the left, %').inputValue())).toBeLessThan(10)
    await checkAccessible(page)
    await leave(visited)
  })

  it('a field of several entries is changed, and gets its former values back', async () => {
    const visited = await signedIn('/desk/content/authors')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    await page.getByLabel('Select Marie Curie').check()
    await page.getByLabel('Select Li Wei').check()
    await page.getByRole('button', { name: 'Change a field' }).click()
    await dialog.getByLabel('Value').fill('Li Wei')
    await dialog.getByText('1 of 2 entries will change.').waitFor()
    await checkAccessible(page)
    await dialog.getByRole('button', { name: 'Change them' }).click()
    await page.getByText('1 entry changed.').waitFor()
    await page.getByRole('link', { name: 'Marie Curie' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Marie Curie' }).waitFor()
    await leave(visited)
  })

  it('the layout of a form and a list is changed for all, and made usual again', async () => {
    const visited = await signedIn('/desk/layouts?type=api::author.author', { width: 360 })
    const { page } = visited
    await page
      .getByRole('navigation', { name: 'Lists and forms' })
      .getByRole('link', { name: 'Categories' })
      .click()
    await page.getByText('Texts and width').click()
    await page.getByLabel('Label', { exact: true }).fill('Subject')
    // Links ask before they leave what is not saved; the question is answered with no.
    await page
      .getByRole('navigation', { name: 'Lists and forms' })
      .getByRole('link', { name: 'Authors' })
      .click()
    expect(visited.complaints.splice(0)).toEqual([
      'dialog: There are changes that are not saved. Leave without them?',
    ])
    expect(await page.getByLabel('Label', { exact: true }).inputValue()).toBe('Subject')
    // So does the history, whose first entry with this page is that of another list.
    await page.evaluate(() => history.back())
    await expect
      .poll(() => visited.complaints.splice(0))
      .toEqual(['dialog: There are changes that are not saved. Leave without them?'])
    await expect.poll(() => page.url()).toContain('category')
    expect(await page.getByLabel('Label', { exact: true }).inputValue()).toBe('Subject')
    await page.getByLabel('Description below the field').fill('One word.')
    await page.getByLabel('Add a column').selectOption('createdAt')
    await page.getByRole('button', { name: /^Move Created at up$/ }).click()
    await page.getByText(/^Created at is at place \d of \d\.$/).waitFor({ state: 'attached' })
    const columns = page.locator('.ordered').last()
    await columns
      .getByRole('button', { name: /^Leave out|^Hide/ })
      .last()
      .focus()
    await page.keyboard.press('Enter')
    // The control of the row that takes its place.
    await expect
      .poll(() =>
        columns
          .locator('.hide')
          .last()
          .evaluate((button) => button === document.activeElement),
      )
      .toBe(true)
    await page.getByLabel('Entries on a page').fill('10')
    await checkAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.goto(`${site.url}/desk/content/categories/1`)
    await page.getByText('One word.').waitFor()
    await page.goto(`${site.url}/desk/layouts?type=api::category.category`)
    await page.getByRole('button', { name: 'Back to the usual layout' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.goto(`${site.url}/desk/content/categories/1`)
    await page.getByLabel('Name').waitFor()
    expect(await page.getByText('One word.').count()).toBe(0)
    await leave(visited)
  })

  it('people are invited, shown with their state, and deactivated', async () => {
    const visited = await signedIn('/desk/people')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await dialog.getByLabel('Email address').fill('eve@example.org')
    await dialog.getByLabel('First name').fill('Eve')
    await dialog.getByLabel('Super Admin').check()
    await checkAccessible(page)
    await dialog.getByRole('button', { name: 'Make the invitation' }).click()
    const link = dialog.getByLabel('Link to set a password')
    expect(await link.inputValue()).toMatch(/\/desk\/accept#./)
    await link.press('ControlOrMeta+c')
    await dialog.getByRole('button', { name: 'Close' }).click()
    const eve = page.getByRole('listitem').filter({ hasText: 'eve@example.org' })
    await eve.getByText('Invited').waitFor()
    await checkAccessible(page)
    await eve.getByRole('button', { name: 'Eve' }).click()
    await dialog.getByLabel('Super Admin').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await eve.getByText('Super Admin').waitFor({ state: 'detached' })
    await eve.getByRole('button', { name: 'Eve' }).click()
    await dialog.getByRole('button', { name: 'Deactivate' }).click()
    await eve.getByText('Deactivated').waitFor()
    await leave(visited)
  })

  it('a role is made in the matrix, with limits, and a refusal leads to its cell', async () => {
    const visited = await signedIn('/desk/roles?role=new')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    await page.getByLabel('Name of the role').fill('Columnist')
    await page.getByRole('checkbox', { name: 'Change: Articles' }).check()
    await page.getByRole('button', { name: 'Limits of Change: Articles' }).click()
    await dialog.getByLabel('All fields').uncheck()
    await dialog.getByLabel('Headline').check()
    await dialog.getByLabel('Seo › Meta title').check()
    await dialog.getByLabel('Entries').selectOption('other')
    await dialog.getByLabel('Condition, as filters in JSON').fill('{ "nothing": 1 }')
    await checkAccessible(page)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Save the role' }).click()
    await page.getByRole('alert').waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('td')?.id))
      .toBe('right-api::article.article-update')
    await page.getByRole('button', { name: 'Limits of Change: Articles' }).click()
    await dialog.getByLabel('Entries').selectOption('own')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Save the role' }).click()
    await page.waitForURL(/role=\d+$/)
    await checkAccessible(page)
    await page.reload()
    await page.getByRole('button', { name: 'Limits of Change: Articles' }).click()
    expect(await dialog.getByLabel('Headline').isChecked()).toBe(true)
    expect(await dialog.getByLabel('Summary').isChecked()).toBe(false)
    expect(await dialog.getByLabel('Entries').inputValue()).toBe('own')
    expect(visited.complaints.filter((text) => !text.includes('400'))).toEqual([])
    await page.context().close()
  })

  it('of two people who change a role or a layout, the second one is told, and chooses', async () => {
    const visited = await signedIn('/desk/roles')
    const { page } = visited
    /** As another page of Ada would. */
    const send = (method: string, path: string, body?: object) =>
      page.evaluate(
        async ([method, path, body]) => {
          const headers = { 'Content-Type': 'application/json' }
          return (await fetch(`/desk/api/${path}`, { method, ...(body && { headers, body }) })).json()
        },
        [method, path, body && JSON.stringify(body)] as const,
      )
    const role = `roles/${(await send('POST', 'roles', { name: 'Guests', rights: [] })).id}`
    const layout = 'layouts/api::author.author'
    const usual = await send('GET', layout)
    const isTold = page.getByText(/^Somebody else has changed this meanwhile\. Save once more/)
    const pages = [
      {
        address: role.replace('/', '?role='),
        path: role,
        field: page.getByLabel('Name of the role'),
        button: page.getByRole('button', { name: 'Save the role' }),
        valueIn: (body: { readonly name: string }) => body.name,
        withValue: (name: string) => ({ name }),
      },
      {
        address: layout.replace('/', '?type='),
        path: layout,
        field: page.getByLabel('Entries on a page'),
        button: page.getByRole('button', { name: 'Save', exact: true }),
        valueIn: (body: typeof usual) => String(body.list.pageSize),
        withValue: (size: string) => ({ ...usual, list: { ...usual.list, pageSize: Number(size) } }),
      },
    ]
    for (const { address, path, field, button, valueIn, withValue } of pages) {
      await page.goto(`${site.url}/desk/${address}`)
      const stored = async () => valueIn(await send('GET', path))
      const change = (value: string) => send('PUT', path, withValue(value))
      await field.fill('11')
      await change('12')
      await button.click()
      await isTold.waitFor()
      await checkAccessible(page)
      expect(await stored()).toBe('12')
      await page.getByRole('button', { name: 'Load their version' }).click()
      await isTold.waitFor({ state: 'detached' })
      await expect.poll(() => field.inputValue()).toBe('12')
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')

      await field.fill('13')
      await change('14')
      await button.click()
      await isTold.waitFor()
      await button.click()
      await page.getByText('Saved', { exact: true }).waitFor()
      expect([await stored(), await isTold.count()]).toEqual(['13', 0])
      // The form has the version of its own save.
      await field.fill('15')
      await button.click()
      await nothingUnsaved(page)
      expect(await stored()).toBe('15')
      expect(await isTold.count()).toBe(0)
    }
    // The usual layout takes the place of both versions.
    const theirs = page.getByRole('button', { name: 'Load their version' })
    await page.getByLabel('Entries on a page').fill('16')
    await send('PUT', layout, usual)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await theirs.waitFor()
    await page.getByRole('button', { name: 'Back to the usual layout' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await theirs.count()).toBe(0)
    await send('DELETE', role)
    expect(visited.complaints.filter((text) => !text.includes('412'))).toEqual([])
    await page.context().close()
  })

  it('a person changes name and language, and turns a second factor on and off', async () => {
    await site.hire('ida@example.org', [{ action: 'people' }])
    const visited = await signedIn('/desk/settings', { width: 360 }, 'ida@example.org')
    const { page } = visited
    const section = (name: string) => page.locator('section').filter({ hasText: name })
    await page.getByText('here, now').waitFor()
    await checkAccessible(page)
    await page.getByLabel('First name').fill('Ida')
    await page.getByLabel('Language of the desk').selectOption('de')
    await section('About me').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
    await page.getByLabel('Sprache des Schreibtischs').selectOption('en')
    await section('Über mich').getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()

    const factor = section('Second factor')
    await factor.getByLabel('Current password').fill('not this one')
    await factor.getByRole('button', { name: 'Set up' }).click()
    await factor.getByText('This is not your current password.').waitFor()
    await factor.getByLabel('Current password').fill(password)
    await factor.getByRole('button', { name: 'Set up' }).click()
    const secret = (await factor.locator('.secret').textContent()) ?? ''
    const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
    await factor.getByLabel('Code').fill(totp.generate())
    await factor.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    const codes = await page.locator('.codes code').allTextContents()
    expect(codes).toHaveLength(10)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    // Until the page has asked for the person again, the form to set one up is here, whose password goes with it.
    await factor.getByRole('button', { name: 'Turn off' }).waitFor()
    await factor.getByLabel('Current password').fill(password)
    await factor.getByLabel('Code').fill(codes[0] ?? '')
    await factor.getByRole('button', { name: 'Turn off' }).click()
    await factor.getByRole('button', { name: 'Set up' }).waitFor()

    // Roles with more than one's own rights are not offered, nor are people who have them changed.
    await page.goto(`${site.url}/desk/people`)
    await page.getByRole('button', { name: 'Ada Author' }).click()
    await page.getByText('This person has rights that you do not have').waitFor()
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).count()).toBe(0)
    await checkAccessible(page)
    expect(visited.complaints.filter((text) => !text.includes('400'))).toEqual([])
    await page.context().close()
  })

  it('what the roles of a person refuse is not offered', async () => {
    await site.hire('ben@example.org', [
      { action: 'read', type: 'api::article.article', fields: ['headline', 'summary'] },
      { action: 'update', type: 'api::article.article', fields: ['summary'] },
    ])
    const visited = await visit('/desk')
    const { page } = visited
    await signIn(page, 'ben@example.org')
    await page.getByRole('link', { name: 'Articles' }).click()
    await page.getByLabel('Select The quiet river').check()
    await page.getByText('1 selected').waitFor()
    for (const name of ['Publish', 'Delete', 'Media', 'Authors', 'New article'])
      expect(await page.getByText(name, { exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'The quiet river' }).click()
    await page.getByLabel('Summary').fill('Ben has read it.')
    expect(await page.getByLabel('Headline').isEditable()).toBe(false)
    expect(await page.getByLabel('Slug').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await leave(visited)
  })

  it('what the conditions of the roles refuse of an entry is not offered, and files that they do not show are not asked for', async () => {
    const type = 'api::article.article'
    const where = { createdBy: '$editor.id' }
    await site.hire('own@example.org', [
      { action: 'read', type },
      { action: 'create', type },
      { action: 'update', type, where },
      { action: 'publish', type, where },
    ])
    const visited = await signedIn('/desk/content/articles', {}, 'own@example.org')
    const { page } = visited
    await page.getByRole('link', { name: 'The quiet river' }).click()
    await expect.poll(() => page.getByLabel('Headline').isEditable()).toBe(false)
    for (const name of ['Saved', 'Publish'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Articles' }).first().click()
    await page.getByRole('link', { name: 'New article' }).click()
    await page.getByLabel('Headline').fill('An own one')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/articles\/\d+$/)
    await page.getByLabel('Headline').fill('An own article')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
    await leave(visited)
  })

  it.each([
    ['de-AT', 'Anmelden'],
    ['fr-CA', 'Se connecter'],
    ['es-MX', 'Iniciar sesión'],
    ['ja-JP', 'ログイン'],
  ])(
    'the texts are those of the language of the browser, and no other is loaded: %s',
    async (locale, signIn) => {
      const context = await browser.newContext({ locale })
      const page = await context.newPage()
      const loaded: string[] = []
      page.on('request', (request) => {
        const [, code] = /\/assets\/(\w\w)-[^/]*\.js$/.exec(request.url()) ?? []
        if (code) loaded.push(code)
      })
      await page.goto(`${site.url}/desk`)
      await page.getByRole('button', { name: signIn }).waitFor()
      const language = locale.slice(0, 2)
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language)
      expect(loaded).toEqual([language])
      await checkAccessible(page)
      await context.close()
    },
  )

  it('S-57: scripts that are stored in any attribute do not run', async () => {
    const script = '<img src=x onerror=alert(1)><script>alert(2)</script>'
    const link = 'javascript:alert(3)'
    const entry = await site.octavo.entries('article', unrestricted('an attacker')).create({
      headline: script,
      summary: script,
      body: `${script} [link](${link})`,
      facts: { html: script, link },
      seo: { metaTitle: '<svg onload=alert(4)>' },
      links: [{ label: script, address: link }],
      sections: [{ __component: 'section.quote', text: script }],
      publishedAt: null,
    })
    const visited = await signedIn('/desk/content/articles')
    const { page } = visited
    await page.getByText(script).first().waitFor()
    await page.goto(`${site.url}${articlePath(entry.id)}`)
    await page.getByLabel('Headline').waitFor()
    await openParts(page)
    await page.getByLabel('Address').waitFor()
    expect(await page.locator('main script, main a[href^="javascript:"], main [onerror]').count()).toBe(0)
    await leave(visited)
  })

  it('S-58: the page has a strict policy and is shown in no frame', async () => {
    const { headers } = await fetch(`${site.url}/desk/content/articles/1`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("style-src 'self';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe/)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect((await fetch(`${site.url}/desk/assets/..%2F..%2Fpackage.json`)).status).toBe(404)
    expect((await fetch(`${site.url}/desk/assets/files.json`)).status).toBe(404)
  })
})
