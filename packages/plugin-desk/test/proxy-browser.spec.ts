/** Pages of the desk behind proxies, whose answers are no answers of the server, and after a deploy, which takes their files away. */
import { unrestricted } from '@octavo/core'
import type { Page, Route } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { executablePath, signIn, visit, withoutPausesBeforeAttempts } from './entry/visit.ts'
import { openRoom } from './room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The answer of a proxy: a page for people. */
const proxy = (status: number) => (route: Route) =>
  route.fulfill({ status, contentType: 'text/html', body: `<html><h1>${status} nginx</h1></html>` })

describe.runIf(executablePath)('The desk behind a proxy', () => {
  const room = openRoom()

  const at = async (address: string, work: (page: Page) => Promise<void>) => {
    const visited = await visit(room.browser, room.site.url, 'about:blank')
    await visited.page.addInitScript(withoutPausesBeforeAttempts)
    await visited.page.goto(`${room.site.url}/desk/${address}`)
    await work(visited.page)
    await visited.leave()
  }
  const entry = () => `content/articles/${room.site.quiet}`
  const saves = /\/desk\/api\/content\/articles\/\d+/
  /** Answers the saves of an entry in another way. @returns how many came */
  const answerSaves = async (page: Page, answer: (route: Route) => Promise<void>) => {
    const count = { saves: 0 }
    await page.route(saves, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      count.saves += 1
      await answer(route)
    })
    return count
  }

  it.each([
    [413, 'This is larger than the server, or a proxy in front of it, accepts.'],
    [403, 'has refused it without a reason (403).'],
  ])('a save that a proxy refuses with %i is not sent again by itself, and its text stays', (status, words) =>
    at(entry(), async (page) => {
      const count = await answerSaves(page, proxy(status))
      await page.locator('#field-summary').fill(`Refused with ${status}.`)
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByText(words).waitFor()
      expect(await page.getByText('is sent again').count()).toBe(0)
      expect(count.saves).toBe(1)
      await page.unroute(saves)
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByRole('button', { name: 'Saved' }).waitFor()
      await page.getByText(words).waitFor({ state: 'detached' })
    }),
  )

  it('a page of a proxy that finds no server is no word about the session of a person', () =>
    at('settings', async (page) => {
      const all = /\/desk\/api\//
      await page.route(all, proxy(404))
      await page.goto(`${room.site.url}/desk/content/articles`)
      await page.getByText('has refused it without a reason (404).').waitFor()
      expect(await page.getByLabel('Password').count()).toBe(0)
      await page.unroute(all)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: 'Articles' }).waitFor()
    }))

  it('a page of a proxy that finds no server is no word about the entry, and the save is sent again', () =>
    at(entry(), async (page) => {
      let isStarting = true
      await answerSaves(page, (route) => (isStarting ? proxy(404)(route) : route.continue()))
      await page.locator('#field-summary').fill('Written while the server starts.')
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByText('is sent again').waitFor()
      expect(await page.getByText('This entry has been deleted').count()).toBe(0)
      isStarting = false
      await page.getByRole('button', { name: 'Saved' }).waitFor()
    }))

  it('a save is not said to be stored that is answered without an entry', () =>
    at(entry(), async (page) => {
      await answerSaves(page, (route) =>
        route.fulfill({ status: 200, body: '{}', contentType: 'application/json' }),
      )
      await page.locator('#field-summary').fill('Answered without an entry.')
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.locator('.pinned .note').waitFor()
      expect(await page.getByRole('button', { name: 'Saved' }).count()).toBe(0)
      await page.unroute(saves)
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByRole('button', { name: 'Saved' }).waitFor()
    }))

  it('a save that is answered with 204 is sent again by itself', () =>
    at(entry(), async (page) => {
      let count = 0
      await answerSaves(page, (route) => {
        count += 1
        return count === 1 ? route.fulfill({ status: 204 }) : route.continue()
      })
      await page.locator('#field-summary').fill('Answered with 204.')
      await page.getByRole('button', { name: 'Save draft' }).click()
      await page.getByRole('button', { name: 'Saved' }).waitFor()
      expect(count).toBe(2)
    }))

  it('a file is not said to be uploaded that a proxy has answered for', () =>
    at('media', async (page) => {
      const uploads = '**/desk/api/files'
      await page.route(uploads, (route) =>
        route.request().method() === 'POST' ? proxy(200)(route) : route.continue(),
      )
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({
          ...{ name: 'river.png', mimeType: 'image/png', buffer: pixel },
        })
      await page.getByText('The server cannot be reached.').waitFor()
      await page.unroute(uploads)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.locator('.media li').first().waitFor()
    }))

  it.each(['content/articles', 'layouts?type=api::article.article', 'people'])(
    '/desk/%s says that the server is not reached while a network asks to sign in first',
    (address) =>
      at('settings', async (page) => {
        const api = '**/desk/api/**'
        await page.route(api, proxy(200))
        await page.evaluate((to) => history.pushState(null, '', `/desk/${to}`), address)
        await page.getByText('The server cannot be reached.').waitFor()
        await page.unroute(api)
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
      }),
  )

  describe('after a deploy', () => {
    /** The server has other files: those of the open page are gone, and its document names others. */
    const deploy = async (page: Page): Promise<void> => {
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
      await page.route('**/desk/assets/**', (route) => route.fulfill({ status: 404 }))
      await page.route('**/desk', async (route) => {
        const response = await route.fetch()
        await route.fulfill({
          response,
          body: (await response.text()).replace(/desk-[\w-]+\.js/, 'desk-newer.js'),
        })
      })
    }
    const endDeploy = (page: Page) => page.unrouteAll({ behavior: 'wait' })
    const words = 'The server has a newer version of these pages.'

    it('a page that is opened says that a reload helps, and is there after it', () =>
      at('content/articles', async (page) => {
        await deploy(page)
        await page.getByRole('link', { name: 'Media', exact: true }).click()
        await page.getByRole('alert').filter({ hasText: words }).waitFor()
        await endDeploy(page)
        await page.getByRole('button', { name: 'Load the page again' }).click()
        await page.getByRole('heading', { name: 'Media' }).waitFor()
      }))

    it('a part of an entry says so, and what was typed is there after the reload', () =>
      at(entry(), async (page) => {
        await deploy(page)
        const summary = page.locator('#field-summary')
        await summary.fill('Typed before the deploy.')
        // The view of a conflict is in a file of its own.
        const { octavo, quiet } = room.site
        await octavo.entries('article', unrestricted('changes the test')).update(quiet, { summary: 'Other.' })
        await page.getByRole('button', { name: 'Save draft' }).click()
        await page.locator('.field', { has: summary }).getByRole('alert').filter({ hasText: words }).waitFor()
        const cover = page.locator('#field-cover')
        await cover.getByRole('button', { name: 'Choose from the library' }).click()
        await cover.getByRole('alert').filter({ hasText: words }).waitFor()
        await endDeploy(page)
        await page.getByRole('button', { name: 'Load the page again' }).first().click()
        await page.getByText('that were not saved are back').waitFor()
        expect(await summary.inputValue()).toBe('Typed before the deploy.')
      }))

    it('a person who signs in on an older page is told so', async () => {
      const email = 'claire@example.org'
      await room.site.hire(email, [{ action: 'read', type: 'api::article.article' }])
      const context = await room.browser.newContext({ locale: 'en-GB' })
      await signIn(context, room.site.url, email)
      const headers = { origin: room.site.url }
      const changed = await context.request.put(`${room.site.url}/desk/api/me`, {
        headers,
        data: { language: 'fr' },
      })
      expect(changed.status()).toBe(200)
      await context.clearCookies()
      const page = await context.newPage()
      await page.goto(`${room.site.url}/desk/settings`)
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('Editor-1-word')
      // The texts of the person are in a file that the page does not have yet.
      await deploy(page)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText(words).waitFor()
      await endDeploy(page)
      await page.getByRole('button', { name: 'Load the page again' }).click()
      await page.getByRole('heading', { level: 1, name: 'Paramètres' }).waitFor()
      await context.close()
    })

    it('a file that does not come without a connection is no sign of another version', () =>
      at('content/articles', async (page) => {
        await page.route('**/desk/assets/**', (route) => route.abort())
        await page.route('**/desk', (route) => route.abort())
        await page.getByRole('link', { name: 'People', exact: true }).click()
        await page.getByText('The server cannot be reached.').waitFor()
        expect(await page.getByText(words).count()).toBe(0)
        await endDeploy(page)
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByRole('heading', { name: 'People' }).waitFor()
      }))
  })
})
