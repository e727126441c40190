/** A server with every room of the desk and a browser, for the tests of this folder. */
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { launch, nextFrame } from '../entry/visit.ts'
import { fillRooms, openRooms } from '../routes/site.ts'
import type { Site } from '../site.ts'

export interface FilledRoom {
  readonly site: Site
  readonly browser: Browser
  /** The cookie of ada, who may do everything, for requests beside the page. */
  readonly ada: string
}

/** Opens them for the tests of the `describe` that calls it. */
export function openFilledRoom(): FilledRoom {
  let site: Site
  let browser: Browser
  let ada: string
  beforeAll(async () => {
    site = await openRooms()
    await fillRooms(site, (of) => of)
    ada = await site.signIn('ada@example.org')
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })
  return {
    get site() {
      return site
    },
    get browser() {
      return browser
    },
    get ada() {
      return ada
    },
  }
}

/** Carries out a request, whose answer does not arrive. */
export async function lose(route: Route): Promise<void> {
  await route.fetch()
  await route.abort()
}

/** Loses the answer to the next request of a method, after the server has done what it asks. */
export async function loseNext(page: Page, method: string, address: RegExp): Promise<void> {
  let isLost = false
  await page.route(address, async (route) => {
    if (isLost || route.request().method() !== method) return route.fallback()
    isLost = true
    await lose(route)
  })
}

/** Makes the requests of a method wait. */
export async function holdMethod(page: Page, method: string, address: RegExp) {
  const held: Route[] = []
  let isOpen = false
  await page.route(address, async (route) => {
    if (isOpen || route.request().method() !== method) await route.fallback()
    else held.push(route)
  })
  const open = async (): Promise<void> => {
    isOpen = true
    await Promise.all(held.splice(0).map((route) => route.continue()))
  }
  return {
    held,
    /** Waits until one of them waits. */
    begun: () => expect.poll(() => held.length).toBe(1),
    open,
    /** Lets them go on, until the page has drawn what it makes of an answer. */
    arrive: async () => {
      const answered = page.waitForResponse(
        (answer) => address.test(answer.url()) && answer.request().method() === method,
      )
      await open()
      await answered
      await nextFrame(page)
      await nextFrame(page)
    },
  }
}

/** Follows a link of the bar to another page. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).click()
  await page.getByRole('heading', { name }).waitFor()
}

/** Says yes to the questions of a page. */
export function acceptQuestions(page: Page): void {
  page.removeAllListeners('dialog')
  page.on('dialog', (dialog) => void dialog.accept())
}
