/** Every route of the desk, with every dialog, on a server whose names are as long as they may be and have a script in them. */
import { runs } from '@octavo/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { en } from '../../src/browser/text/en.ts'
import { checkInEachLook } from '../accessible.ts'
import { executablePath, launch, signIn, type Visit, visit } from '../entry/visit.ts'
import type { Site } from '../site.ts'
import { openRoute, routes } from './routes.ts'
import { fillRooms, longName, openRooms } from './site.ts'
import { statesIn } from './states.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const named = Object.entries(routes)

/** Elements that only a script in a name would make. */
const scripts =
  '#desk script, #desk [onerror], #desk [onload], #desk a[href^="javascript:"], #desk img[src$="/x"]'

describe.runIf(executablePath)('Every route of the desk, with long names', () => {
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    site = await openRooms(longName)
    await fillRooms(site)
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  describe('in one visit:', () => {
    let visited: Visit
    beforeAll(async () => {
      visited = await visit(browser, site.url, '/desk')
      await visited.page.setViewportSize({ width: 360, height: 900 })
    })
    afterAll(() => visited?.leave())

    it.each(named)(
      'S-57: %s, looked at with all that opens over it, is accessible and fits in both schemes and widths, and no name is run',
      async (name, route) => {
        const { page } = visited
        const { opens = {} } = route
        const open = () => openRoute(page, site.url, en, route)
        const check = async (what: string, isDarkToo = true) => {
          await checkInEachLook(page, `${name}: ${what}`, isDarkToo)
          expect([what, await page.locator(scripts).count()]).toEqual([what, 0])
        }
        await open()
        await check('at first')
        for (const [i, [what, show]] of Object.entries(opens).entries()) {
          // The page is as it was at first when the first of them opens.
          if (i > 0) await open()
          await show(page)
          // Of what opens over a page every second one is looked at in the dark scheme as well, and each night all.
          await check(what, runs(i % 2, 1) === 1)
        }
      },
    )

    it.each(Object.entries(statesIn(en)))(
      'an entry with %s is accessible and fits in both schemes and widths',
      async (name, show) => {
        const { page } = visited
        await page.goto('about:blank')
        await show(page, site.url)
        await checkInEachLook(page, name)
      },
    )
  })

  // The fields of an entry load their editors when they are drawn. A language is one module more on each page, the same on all.
  it.each(['de-AT', ...(runs(0, 1) === 1 ? ['en-GB', 'es', 'fr', 'ja'] : [])])(
    'the document of each page names every module that its page needs: %s',
    async (locale) => {
      const context = await browser.newContext({ locale })
      await signIn(context, site.url)
      const page = await context.newPage()
      const asked = new Set<string>()
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/desk/assets/')) asked.add(pathname)
      })
      for (const [name, { at }] of named.filter(([, { at }]) => !/^\/desk\/content\/\w+\/./.test(at))) {
        await page.goto('about:blank')
        // Here, where the page before asks for nothing more.
        asked.clear()
        const document = await (await page.goto(`${site.url}${at}`))?.text()
        await page.locator('main h1').waitFor()
        expect([name, [...asked].filter((asset) => !document?.includes(asset))]).toEqual([name, []])
      }
      await context.close()
    },
  )
})
