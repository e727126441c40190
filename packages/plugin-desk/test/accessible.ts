/** Whether a page is accessible and fits, for tests in Chromium. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** In the page: the elements that are wider than the window and are cut or make the page scroll sideways, by a short description. */
function tooWide(): readonly string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth)
    .map(
      ({ tagName, className, textContent }) => `${tagName}.${className} ${(textContent ?? '').slice(0, 40)}`,
    )
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Fails for what axe finds. @param rules Only these; default: all of WCAG 2.2 AA */
async function checkRules(page: Page, place: string, rules: readonly string[] = []): Promise<void> {
  // In the page itself: there are no frames, which would need another page and all results that are no violations.
  const builder = new AxeBuilder({ page }).setLegacyMode()
  const chosen =
    rules.length === 0
      ? builder.options({ resultTypes: ['violations'] }).withTags(tags)
      : builder.options({ resultTypes: ['violations'] }).withRules([...rules])
  const { violations } = await chosen.analyze()
  const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
  expect([place, found]).toEqual([place, []])
}

const checkFits = async (page: Page, place: string): Promise<void> =>
  expect([place, await page.evaluate(tooWide)]).toEqual([place, []])

/** Fails for what axe finds by WCAG 2.2 AA, and for a page that scrolls sideways. @param place Named in the failure. */
export async function checkAccessible(page: Page, place = ''): Promise<void> {
  await checkRules(page, place)
  await checkFits(page, place)
}

/** Checks a page in both colour schemes and at 360 and 1,280 pixels. It is shown at 360 pixels in the light scheme before. */
export async function checkInEachLook(page: Page, place: string): Promise<void> {
  await checkAccessible(page, `${place}, light and narrow`)
  // Of a scheme only the colours are its own.
  await page.emulateMedia({ colorScheme: 'dark' })
  await checkRules(page, `${place}, dark and narrow`, ['color-contrast'])
  await page.setViewportSize({ width: 1280, height: 900 })
  await checkFits(page, `${place}, wide`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 360, height: 900 })
}
