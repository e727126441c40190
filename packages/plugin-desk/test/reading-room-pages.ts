/** The desk of the reading room in Chromium, for tests that go through several of its pages. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unrestricted } from '@octavo/core'
import { chromiumOptions } from '@octavo/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { signIn as signInBefore } from './entry/visit.ts'
import { openDesk, password } from './reading-room.ts'

interface Look {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  /** The milliseconds that the clock of the device is ahead of the server's. Default 0. */
  readonly ahead?: number
}

export interface Visit {
  readonly page: Page
  /** Errors and warnings of the console, and violations of the policy. */
  readonly complaints: string[]
  /** Other hosts that received requests of the page. */
  readonly strangers: readonly string[]
}

interface StoredArticle {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}

interface ReadingRoom {
  readonly site: Awaited<ReturnType<typeof openDesk>>
  readonly browser: Browser
  /** @param email The person who has signed in before. Default: nobody. */
  visit(address: string, look?: Look, email?: string): Promise<Visit>
  /** @param email Default: Ada, who may do everything. */
  signedIn(address: string, look?: Look, email?: string): Promise<Visit>
  /** The article with a headline, as the server has it. @param locale Default `en`. */
  stored(headline: string, locale?: string): Promise<StoredArticle | undefined>
}

/** Opens a site with the articles of a reading room, and a browser, for the tests of the `describe` that calls it. */
export function openReadingRoom(): ReadingRoom {
  let folder: string
  let site: ReadingRoom['site']
  let browser: Browser
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'octavo-desk-'))
    site = await openDesk(folder)
    browser = await chromium.launch(chromiumOptions())
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const visit: ReadingRoom['visit'] = async (address, look = {}, email) => {
    const visited = await open(browser, site.url, look)
    if (email !== undefined) await signInBefore(visited.page.context(), site.url, email)
    await visited.page.goto(`${site.url}${address}`)
    return visited
  }
  return {
    get site() {
      return site
    },
    get browser() {
      return browser
    },
    visit,
    signedIn: (address, look, email = 'ada@example.org') => visit(address, look, email),
    async stored(headline, locale = 'en') {
      const state = unrestricted('reads what the desk has written')
      const { data } = await site.octavo.entries('article', state).find({
        ...{ locale, filters: { headline: { $eq: headline } } },
        ...{ publicationState: 'preview', populate: '*' },
      } as never)
      return data[0] as StoredArticle | undefined
    },
  }
}

/** A page of its own context, which notes what is wrong with it. */
async function open(
  browser: Browser,
  url: string,
  { colorScheme = 'light', width = 1280, ahead = 0 }: Look,
): Promise<Visit> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, locale: 'en-GB' })
  const page = await context.newPage()
  const complaints: string[] = []
  const strangers: string[] = []
  // Not by a route, which would leave the cache of the browser unused.
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== url) strangers.push(origin)
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
  return { page, complaints, strangers }
}

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

/** Signs in by the form. */
export async function signIn(page: Page, email = 'ada@example.org'): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  // The page behind may have other passwords.
  await page.locator('input[name=password][autocomplete=current-password]').waitFor({ state: 'detached' })
}

/** Ends a visit that had nothing to complain about. */
export async function leave({ page, complaints, strangers }: Visit): Promise<void> {
  expect(complaints).toEqual([])
  expect(strangers).toEqual([])
  await page.context().close()
}

export const articlePath = (id: number): string => `/desk/content/articles/${id}`
