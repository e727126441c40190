/** A server with every room of the desk and a browser, for the tests of this folder. */
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launch } from '../entry/visit.ts'
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
  return {
    held,
    open: async () => {
      isOpen = true
      await Promise.all(held.splice(0).map((route) => route.continue()))
    },
  }
}
