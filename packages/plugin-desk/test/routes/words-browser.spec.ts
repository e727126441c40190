/** Words on every route of the desk stay whole at 360 pixels, in each language, and nothing is cut or reaches out of the window. */
import { runs } from '@octavo/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { languageCodes, textsFor } from '../../src/browser/text/index.ts'
import { executablePath, launch, visit } from '../entry/visit.ts'
import type { Site } from '../site.ts'
import { brokenWords, overflowing } from '../words.ts'
import { openRoute, routesIn } from './routes.ts'
import { fillRooms, openRooms } from './site.ts'
import { statesIn } from './states.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** German has the longest words; the others are looked at each night. */
const languages = languageCodes.filter((code) => code === 'de' || runs(0, 1) === 1)

/** A name with words as long as they often are. */
const usualName = (of: string): string => `${of} zur Straßenverkehrsordnung`

describe.runIf(executablePath)('The words of every route of the desk', () => {
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    site = await openRooms(usualName)
    await fillRooms(site, usualName)
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  it.each(languages)('stay whole, and nothing is cut: %s', async (language) => {
    const text = await textsFor([language])
    const { page, leave } = await visit(browser, site.url, '/desk', undefined, language)
    await page.setViewportSize({ width: 360, height: 900 })
    const found: string[] = []
    const look = async (place: string) => {
      await page.evaluate(() => document.fonts.ready)
      for (const mistake of [...(await page.evaluate(brokenWords)), ...(await page.evaluate(overflowing))])
        found.push(`${place}: ${mistake}`)
    }
    for (const [name, route] of Object.entries(routesIn(text))) {
      const { opens = {} } = route
      const open = () => openRoute(page, site.url, text, route)
      await open()
      await look(`${name}, at first`)
      for (const [i, [what, show]] of Object.entries(opens).entries()) {
        // The page is as it was at first when the first of them opens.
        if (i > 0) await open()
        await show(page)
        await look(`${name}, ${what}`)
      }
    }
    for (const [name, show] of Object.entries(statesIn(text))) {
      await page.goto('about:blank')
      await show(page, site.url)
      await look(name)
    }
    expect(found).toEqual([])
    await leave()
  })
})
