/** The desk in Chromium, on a server with very many languages and content-types. */
import type { ContentTypeDefinition } from '@octavo/core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { checkAccessible, checkFits } from './accessible.ts'
import { executablePath, visit } from './entry/visit.ts'
import { openRoom } from './room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const codes =
  'es it pt pt-BR nl da sv nb fi is pl cs sk sl hr sr bg ro hu el tr uk ru lt lv et ar he fa hi th vi id ja ko zh-Hans zh-Hant'

/** Types of the names `Things of kind 0` to `Things of kind 59`. */
const kinds = Array.from(
  { length: 60 },
  (_, i): ContentTypeDefinition => ({
    kind: 'collectionType',
    info: { singularName: `kind-${i}`, pluralName: `kinds-${i}`, displayName: `Things of kind ${i}` },
    attributes: { name: { type: 'string' } },
  }),
)

describe.runIf(executablePath)('A desk of very much', () => {
  const room = openRoom(kinds)
  beforeAll(async () => {
    const { browser, site } = room
    const { page, leave } = await visit(browser, site.url, 'about:blank')
    for (const code of codes.split(' ')) {
      const data = { code, name: `The language ${code}` }
      const answer = await page
        .context()
        .request.post(`${site.url}/desk/api/locales`, { headers: { origin: site.url }, data })
      expect([code, answer.status()]).toEqual([code, 201])
    }
    await leave()
  })

  it('shows each of forty languages of an entry, and of a list, within the window', async () => {
    const { page, leave } = await visit(
      room.browser,
      room.site.url,
      `/desk/content/articles/${room.site.quiet}`,
    )
    const languages = page.locator('.langs a')
    await expect.poll(() => languages.count()).toBe(40)
    for (const width of [1280, 800, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await checkFits(page, `an entry of forty languages, ${width}`)
      const outside = await languages.evaluateAll(
        (all) =>
          all.filter((one) => {
            const { left, right } = one.getBoundingClientRect()
            const around = one.parentElement?.getBoundingClientRect() ?? new DOMRect()
            return left < around.left || right > around.right
          }).length,
      )
      expect([width, outside]).toEqual([width, 0])
      // No code is broken in two.
      const heights = await languages.evaluateAll((all) => all.map((one) => one.clientHeight))
      expect([width, new Set(heights).size]).toEqual([width, 1])
    }
    // The bar stays at the top of the window, and leaves most of it to the entry.
    await page.setViewportSize({ width: 800, height: 450 })
    const share = await page.locator('.bar').evaluate((bar) => bar.clientHeight / innerHeight)
    expect(share).toBeLessThan(0.5)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${room.site.url}/desk/content/articles`)
    const dots = page.locator('.dots').first()
    await dots.waitFor()
    expect(await dots.evaluate((one) => one.clientWidth)).toBeLessThan(220)
    await leave()
  })

  it('finds a room by its name in a long menu, which shows the room that is open', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk/content/kinds-59')
    const current = page.locator('.rail [aria-current]')
    await current.waitFor()
    const isInSight = () =>
      current.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await expect.poll(isInSight).toBe(true)
    expect(await page.evaluate(() => scrollY)).toBe(0)
    const search = page.getByRole('searchbox', { name: 'Find in the menu' })
    await search.fill('of KIND 17')
    await expect.poll(() => page.locator('.rail nav a').allTextContents()).toEqual(['Things of kind 17'])
    await checkAccessible(page, 'a menu in which a name was searched')
    await search.fill('nothing of this name')
    await page.getByText('Nothing found').waitFor()
    await search.fill('MEDIA')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor()
    await leave()
  })

  it('finds what to begin by its name on the first page, which has no button for each of very many', async () => {
    const { page, leave } = await visit(room.browser, room.site.url, '/desk')
    const buttons = page.locator('main a.button')
    const search = page.getByRole('searchbox', { name: 'Find what to begin' })
    await search.waitFor()
    expect(await buttons.count()).toBeLessThan(30)
    await page.getByText(/^and \d+ more$/).waitFor()
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await checkFits(page, `the first page of many kinds, ${width}`)
    }
    if (process.env.OCTAVO_SCREENSHOTS)
      await page.screenshot({ path: `${process.env.OCTAVO_SCREENSHOTS}/many-beginnings.png` })
    await checkAccessible(page, 'the first page of many kinds')
    await search.fill('KIND 57')
    await expect.poll(() => buttons.count()).toBe(1)
    await buttons.click()
    await page.waitForURL(/kinds-57\/new/)
    await leave()
  })
})
