/** Pages of the desk in Chromium, for the tests of this folder. */
import { chromiumOptions, chromiumPath, countDrawnFields } from '@octavo/testing'
import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core'
import { expect } from 'vitest'
import { password } from '../site.ts'

export const executablePath = chromiumPath()

export const launch = (): Promise<Browser> => chromium.launch(chromiumOptions())

export interface Visit {
  readonly page: Page
  /** Errors of the page, violations of its policy, and dialogs of scripts. */
  readonly complaints: string[]
  /** Closes the page, which had nothing to complain about. */
  leave(): Promise<void>
}

/** Signs in by a request, without the page with the form. */
export async function signIn(context: BrowserContext, url: string, email = 'ada@example.org'): Promise<void> {
  const answer = await context.request.post(`${url}/desk/api/login`, {
    headers: { origin: url },
    data: { email, password },
  })
  expect([email, answer.status()]).toEqual([email, 200])
}

/** Opens the parts of an entry, by keys: editors that are drawn late move the parts, and a button that moves between press and release has no click. */
export async function openParts(page: Page): Promise<void> {
  for (const part of await page.locator('.part-open').all()) await part.press('Enter')
}

/** Signs in and opens an address, which is `about:blank` where the test prepares the page before. */
export async function visit(
  browser: Browser,
  url: string,
  address: string,
  email = 'ada@example.org',
  locale = 'en-GB',
): Promise<Visit> {
  const context = await browser.newContext({ locale, viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.text().startsWith('policy:')) complaints.push(message.text())
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    )
  })
  await page.addInitScript(countDrawnFields)
  await signIn(context, url, email)
  await page.goto(new URL(address, url).href)
  return {
    page,
    complaints,
    leave: async () => {
      expect(complaints).toEqual([])
      await context.close()
    },
  }
}

/** A time that is past for the page as well, which knows the clock of the server to the second. */
export const aMinuteAgo = (): string => new Date(Date.now() - 60_000).toISOString()

/** Waits for a frame, after which the page has done what it had put off until the next one, such as giving the focus back. */
export const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))

/**
 * Waits until the page may be left without a question. The server has stored a save before the page has its answer, and a page with
 * changes that it takes for unsaved refuses `goto` and `reload`. The page of an entry asks nothing, since the device keeps its text: it says `Saved`.
 */
export const nothingUnsaved = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))))
    .toBe(true)

/** Presses a key until the control with this name has the focus. */
export async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let i = 0; i < 80; i++) {
    const found = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null
      const labels = [...(element?.labels ?? [])].map((one) => one.textContent).join(' ')
      return element?.getAttribute('aria-label') ?? (labels || (element?.textContent ?? ''))
    })
    if (name.test(found.trim())) return
    await page.keyboard.press(key)
  }
  throw new Error(`the keyboard does not reach ${name}`)
}

/** Makes requests wait until they are let through, or refused. */
export async function hold(page: Page, address: string | RegExp) {
  const held: Route[] = []
  let end: ((route: Route) => Promise<void>) | undefined
  await page.route(address, (route) => (end ? end(route) : void held.push(route)))
  return {
    /** Ends the requests that wait, and those that come later, in this way. */
    each: async (how: (route: Route) => Promise<void>): Promise<void> => {
      end = how
      // One that the page has given up needs no answer.
      await Promise.all(held.splice(0).map((route) => how(route).catch(() => undefined)))
    },
    some: () => expect.poll(() => held.length).toBeGreaterThan(0),
  }
}

export const pass = (route: Route) => route.continue()

/** In the page: timers of a second or more never end. What the page does later by itself is not done, however long a test takes. */
export function withoutLongTimers(): void {
  const plain = window.setTimeout
  const waits = (call: TimerHandler, milliseconds = 0, ...given: unknown[]): number =>
    plain(call, milliseconds < 1_000 ? milliseconds : 2 ** 31 - 1, ...given)
  Object.assign(window, { setTimeout: waits })
}

/** In the page: pauses of one and two seconds, after which it asks again by itself, are over at once. */
export function withoutPausesBeforeAttempts(): void {
  const plain = window.setTimeout
  const waits = (call: TimerHandler, milliseconds = 0, ...given: unknown[]): number =>
    plain(call, milliseconds >= 1_000 && milliseconds <= 2_000 ? 0 : milliseconds, ...given)
  Object.assign(window, { setTimeout: waits })
}

/** In the page, before it is loaded: no time passes, by which steps of undo end, and answers grow old. */
export function withoutPauses(): void {
  const now = Date.now()
  Date.now = () => now
}
