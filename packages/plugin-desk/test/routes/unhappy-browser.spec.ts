/** Every route of the desk on an empty server, with answers that fail, and with answers that take their time. */
import { runs } from '@octavo/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { en } from '../../src/browser/text/en.ts'
import { checkAccessible } from '../accessible.ts'
import { executablePath, launch, type Visit, visit, withoutPausesBeforeAttempts } from '../entry/visit.ts'
import type { Site } from '../site.ts'
import { actions } from './actions.ts'
import { type Fate, type Gate, gateOf, type Rule, someWait } from './gate.ts'
import { openRoute, routes } from './routes.ts'
import { fillRooms, openRooms } from './site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** The answers that every page begins with, which have a test of their own. */
const first: readonly string[] = ['me', 'model', 'layouts', 'sign-in']

const others =
  (fate: Fate, only?: string): Rule =>
  (method, path) =>
    first.includes(path) || (only !== undefined && only !== `${method} ${path}`) ? 'pass' : fate

const fates: readonly Fate[] = [500, 403, 'unreachable', 503]

const reasons: Readonly<Record<string, RegExp>> = {
  unreachable: /cannot be reached/,
  503: /has no room/,
  500: /The reason is 500/,
  403: /The reason is 403/,
}

describe.runIf(executablePath)('Every route of the desk', () => {
  let site: Site
  let browser: Browser
  let visited: Visit
  let gate: Gate
  beforeAll(async () => {
    site = await openRooms()
    browser = await launch()
    visited = await visit(browser, site.url, '/desk')
    await visited.page.addInitScript(withoutPausesBeforeAttempts)
    await visited.page.setViewportSize({ width: 360, height: 900 })
    gate = await gateOf(visited.page)
  })
  afterAll(async () => {
    await visited?.leave()
    await browser?.close()
    await site?.close()
  })

  /** Opens an address in a document of its own. */
  const go = async (at: string): Promise<Page> => {
    const { page } = visited
    // A dialog with a choice that is not saved asks before its document is left, which has tests of its own.
    await page.evaluate(() => {
      for (const form of document.forms) form.reset()
    })
    await page.goto('about:blank')
    await page.goto(`${site.url}${at}`)
    return page
  }
  /** Opens an address as a link of the desk does. */
  const follow = async (at: string): Promise<Page> => {
    await openRoute(visited.page, site.url, en, { at, ready: async () => undefined })
    return visited.page
  }
  const loading = (page: Page) => page.getByRole('status').filter({ hasText: /^Loading/ })
  const alerts = (page: Page) => page.getByRole('alert')
  /** Waits for the sentence that names what has not come, and why. */
  const named = (page: Page, fate: Fate) =>
    alerts(page)
      .filter({ hasText: /“.+” could not be loaded\. / })
      .filter({ hasText: reasons[fate] as RegExp })
      .first()
      .waitFor()

  describe('of an empty server says what there is to do:', () => {
    /** The sentence of each route that shows one while there is nothing on it. */
    const said: Readonly<Record<string, string | RegExp>> = {
      '/desk': /Choose in the menu/,
      '/desk/content/:type': 'There are no articles yet. Begin one with “New article”.',
      'a list with a filter': 'Nothing matches.',
      '/desk/content/:type/:id': 'There is no such page.',
      '/desk/media': 'Upload some, or drop them here.',
      'a folder': 'Upload some, or drop them here.',
      '/desk/layouts': 'Choose a list or a form',
      '/desk/people': 'You are the only person here so far. Invite others with “Invite a person”.',
      '/desk/roles': 'Choose a role, or make one.',
      '/desk/tokens': 'Make one with “New token”.',
      '/desk/webhooks': 'Make one with “New webhook”.',
    }
    it.each(Object.entries(said))('%s', async (name, words) => {
      const page = await follow(routes[name]?.at ?? '')
      await page.getByRole('main').getByText(words).waitFor()
      await expect.poll(() => loading(page).count()).toBe(0)
      await checkAccessible(page, name)
    })
  })

  describe('with all that opens over it', () => {
    beforeAll(() => fillRooms(site))

    const places = Object.entries(routes).flatMap(([name, { at, ready, opens = {} }]) => [
      { name, at, ready, show: undefined },
      ...Object.entries(opens).map(([what, show]) => ({ name: `${name}: ${what}`, at, ready, show })),
    ])

    /** The states in which a place is checked. Dialogs are checked in both each night, and in one of them in ordinary runs. */
    const looks = (i: number): readonly string[] =>
      places[i]?.show && runs(0, 1) === 0 ? [i % 2 === 0 ? 'waiting' : 'failed'] : ['waiting', 'failed']

    it.each(places.map((place, i) => ({ ...place, looks: looks(i), fate: fates[i % fates.length] as Fate })))(
      '$name waits, says what has failed ($fate), and is there at another try',
      async ({ name, at, ready, show, looks, fate }) => {
        /** Begins the page, or what opens over it, whose requests meet the rule. @param open Opens the page. */
        const begin = async (rule: Rule, open: (at: string) => Promise<Page>) => {
          if (show) {
            await gate.rule(() => 'pass')
            await ready(await open(at))
          }
          await gate.rule(rule)
          const page = show ? visited.page : await open(at)
          const isThere = show ? show(page) : ready(page)
          isThere.catch(() => undefined)
          return { page, isThere }
        }
        const recover = async (page: Page, isThere: Promise<unknown>) => {
          await gate.rule(() => 'pass')
          for (const alert of await alerts(page).all())
            await alert.getByRole('button', { name: 'Try again' }).click()
          await isThere
          await expect.poll(() => alerts(page).count()).toBe(0)
          await expect.poll(() => loading(page).count()).toBe(0)
        }
        const { page, isThere } = await begin(others('hold'), show ? follow : go)
        if (!(await someWait(gate, isThere))) return
        const asked = new Set(gate.asked.filter((one) => !first.includes(one.split(' ')[1] ?? '')))
        await loading(page).first().waitFor()
        if (looks.includes('waiting')) await checkAccessible(page, `${name}, waiting`)
        await gate.rule(others(fate))
        await named(page, fate)
        // One request of several may be tried for longer than another.
        await expect.poll(() => loading(page).count()).toBe(0)
        if (looks.includes('failed')) await checkAccessible(page, `${name}, failed`)
        await recover(page, isThere)
        // Each night each of its requests fails alone, and otherwise the first.
        if (asked.size > 1)
          for (const one of [...asked].slice(0, runs(1, asked.size))) {
            // The page itself asks again twice for other failures. A new document has no answers of before.
            const alone = await begin(others(500, one), go)
            await named(alone.page, 500)
            await recover(alone.page, alone.isThere)
          }
        expect([name, visited.complaints]).toEqual([name, []])
      },
    )
  })

  describe('begins with answers, and says which one is missing:', () => {
    const each = ['me', 'model', 'layouts'].map((path, i) => ({ path, fate: fates[i] as Fate }))
    it.each(each)('$path ($fate)', async ({ path, fate }) => {
      await gate.rule((_, one) => (one === path ? fate : 'pass'))
      const page = await go('/desk')
      await named(page, fate)
      await checkAccessible(page, path)
      await gate.rule(() => 'pass')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: /Good to see you/ }).waitFor()
    })

    it.each(each)('$path, and is there by itself once the server has room', async ({ path }) => {
      for (const fate of [503, 'unreachable'] as const) {
        let count = 0
        await gate.rule((_, one) => (one === path && count++ === 0 ? fate : 'pass'))
        const page = await go('/desk')
        await page.getByRole('heading', { name: /Good to see you/ }).waitFor()
        expect([fate, count, await alerts(page).count()]).toEqual([fate, 2, 0])
      }
    })

    it('a document whose script does not arrive says so by itself', async () => {
      const { page } = visited
      await page.route('**/desk/assets/desk-*.js', (route) => route.abort())
      await go('/desk')
      const sentence = page.getByText('The page has not been loaded yet.')
      await sentence.waitFor({ state: 'attached' })
      expect(await sentence.isVisible()).toBe(false)
      // The end of the time after which it is shown.
      await page.evaluate(() => {
        for (const animation of document.getAnimations()) animation.finish()
      })
      await sentence.waitFor()
      await checkAccessible(page, 'without a script')
      await page.unroute('**/desk/assets/desk-*.js')
      await page.getByRole('link', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: /Good to see you/ }).waitFor()
    })
  })

  describe('says why an action failed, and does it at another try:', () => {
    it.each(
      Object.entries(actions).map(([name, action], i) => ({ name, action, fate: fates[i % 4] as Fate })),
    )('$name ($fate)', async ({ name, action: { at, begin, act, done }, fate }) => {
      await gate.rule(() => 'pass')
      const page = await follow(at)
      await begin?.(page)
      const isWrite =
        (then: Fate): Rule =>
        (method) =>
          method === 'GET' ? 'pass' : then
      await gate.rule(isWrite('hold'))
      await act(page)
      await expect.poll(() => gate.waiting).toBe(1)
      await page.getByRole('status').filter({ hasText: 'One moment' }).first().waitFor()
      await gate.rule(isWrite(fate))
      const sentence = page
        .locator('[role=alert], [role=status]')
        .filter({ hasText: reasons[fate] as RegExp })
      await sentence.first().waitFor()
      await gate.rule(() => 'pass')
      await act(page)
      await done(page)
      await expect.poll(() => sentence.count()).toBe(0)
      expect([name, visited.complaints]).toEqual([name, []])
    })
  })
})
