/** Whether a page is accessible and fits, for tests in Chromium. */

import { runs } from '@octavo/testing'
import { type Rules, violationsOf } from '@octavo/testing/violations'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The colour schemes and widths in which pages are looked at. The first two have both schemes and both widths. */
export const looks = (
  [
    ['light', 1280],
    ['dark', 360],
    ['dark', 1280],
    ['light', 360],
  ] as const
).slice(0, runs(2, 4))

/** In the page: the elements that are wider than the window and are cut or make the page scroll sideways, by a short description. */
function tooWide(): readonly string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  return [...document.querySelectorAll('body *')]
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      // A page that is written from right to left grows to the left.
      return right > clientWidth || left < 0
    })
    .map(
      ({ tagName, className, textContent }) => `${tagName}.${className} ${(textContent ?? '').slice(0, 40)}`,
    )
}

/** Fails for what axe finds. */
const checkRules = async (page: Page, place: string, rules?: Rules): Promise<void> =>
  expect([place, await violationsOf(page, rules)]).toEqual([place, []])

/** Fails for a page that scrolls sideways. @param place Named in the failure. */
export const checkFits = async (page: Page, place = ''): Promise<void> =>
  expect([place, await page.evaluate(tooWide)]).toEqual([place, []])

/** Fails for what axe finds by WCAG 2.2 AA, and for a page that scrolls sideways. @param place Named in the failure. */
export async function checkAccessible(page: Page, place = ''): Promise<void> {
  await checkRules(page, place)
  await checkFits(page, place)
}

/**
 * Checks a page in both colour schemes and at 360 and 1,280 pixels. It is shown at 360 pixels in the light scheme before.
 *
 * @param isDarkToo Whether it is looked at in the dark scheme as well. Default: `true`.
 */
export async function checkInEachLook(page: Page, place: string, isDarkToo = true): Promise<void> {
  await checkAccessible(page, `${place}, light and narrow`)
  // Of a scheme only the colours are its own.
  if (isDarkToo) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await checkRules(page, `${place}, dark and narrow`, { rules: ['color-contrast'] })
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await checkFits(page, `${place}, wide`)
  if (isDarkToo) await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 360, height: 900 })
}
