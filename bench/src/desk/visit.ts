/** Pages of the desk in Chromium, with the processor as it is or slowed. */
import { countDrawnFields } from '@octavo/testing'
import type { Browser, Page } from 'playwright-core'
import type { Extent } from './extent.ts'
import { editor } from './site.ts'

/** How much slower a slowed processor is. */
export const slowdown = 4

export const viewport = { width: 1280, height: 900 } as const

/** Slows the processor of a page where the measurement asks for it. */
export async function slowDown(page: Page, { isSlowed }: Desk): Promise<void> {
  if (!isSlowed) return
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>

export interface Desk {
  readonly browser: Browser
  readonly url: string
  /** Of the editor; none before the sign-in. */
  readonly cookies: Cookies
  /** Whether the processor of its pages is slowed. */
  readonly isSlowed: boolean
  readonly extent: Extent
}

/** Signs in, once for all pages. */
export async function signIn(browser: Browser, url: string, extent: Extent): Promise<Desk> {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${url}/desk`)
  await page.getByLabel('Email address').fill(editor.email)
  await page.getByLabel('Password').fill(editor.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Ed' }).waitFor()
  const cookies = await context.cookies()
  await context.close()
  return { browser, url, cookies, isSlowed: false, extent }
}

export interface Visit {
  readonly page: Page
  /** Milliseconds from the begin of the navigation until this was drawn. */
  readonly shownAfter: number
  /** Milliseconds from the begin of the navigation until the page drew anything. */
  readonly firstPaint: number
}

/**
 * Opens an address with an empty cache, and waits until `isShown` is true in a frame that is drawn.
 *
 * @param isShown Runs in the page, in each frame.
 */
export async function visit(desk: Desk, address: string, isShown: () => boolean): Promise<Visit> {
  const { browser, url, cookies } = desk
  const context = await browser.newContext({ locale: 'en-GB', viewport })
  await context.addCookies(cookies)
  const page = await context.newPage()
  await page.addInitScript(countDrawnFields)
  // As text: the policy of the pages lets no function be made of a text later.
  await page.addInitScript({ content: `(${noteFirst})(${isShown})` })
  await slowDown(page, desk)
  await page.goto(`${url}${address}`, { waitUntil: 'commit' })
  // In the page, so that no tool does anything there before: the functions by which it waits take long on a slowed processor.
  const { shownAfter, firstPaint } = await page.evaluate(async () => {
    const { shownAfter } = globalThis as unknown as { shownAfter: Promise<number> }
    // The browser tells of its first paint after that frame is on the screen, which may be later than what is waited for.
    const firstPaint = new Promise<number>((resolve) => {
      new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntriesByName('first-contentful-paint')) resolve(startTime)
      }).observe({ type: 'paint', buffered: true })
    })
    return { shownAfter: await shownAfter, firstPaint: await firstPaint }
  })
  return { page, shownAfter, firstPaint }
}

/** In the page: promises the time of the first frame in which the condition holds, after it is drawn. */
function noteFirst(isShown: () => boolean): void {
  const shownAfter = new Promise<number>((resolve) => {
    const look = () => {
      const isNow = isShown()
      const { port1, port2 } = new MessageChannel()
      // A message that is sent before a frame is drawn arrives after it.
      port1.onmessage = () => {
        if (isNow) resolve(performance.now())
        else requestAnimationFrame(look)
      }
      port2.postMessage(null)
    }
    requestAnimationFrame(look)
  })
  Object.assign(globalThis, { shownAfter })
}

/** Ends a visit. */
export const leave = (page: Page): Promise<void> => page.context().close()
