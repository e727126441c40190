/** Rooms in which the answer to a change does not arrive: the server has done it, and the page does not know. */
import { describe, expect, it, vi } from 'vitest'
import { executablePath, visit } from '../entry/visit.ts'
import { loseNext, openFilledRoom } from './filled-room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface Named {
  readonly name: string
}

describe.runIf(executablePath)(
  'A change whose answer is lost is done once, and another try finds it:',
  () => {
    const room = openFilledRoom()
    const open = (address: string) => visit(room.browser, room.site.url, address)
    const stored = async (path: string) => (await room.site.send(room.ada, 'GET', path)).body

    it('a new token, of which the one that nobody has seen ends', async () => {
      const { page, leave } = await open('/desk/tokens')
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'New token' }).click()
      await dialog.getByLabel('What it is for').fill('A lost one')
      await dialog.getByLabel('Last day').fill('2999-12-31')
      await loseNext(page, 'POST', /api\/tokens$/)
      const make = dialog.getByRole('button', { name: 'Make the token' })
      await make.click()
      await dialog.getByRole('alert').waitFor()
      await make.click()
      const token = await dialog.getByLabel(/^The token\. It is shown only now/).inputValue()
      const all: readonly Named[] = await stored('tokens')
      expect(all.filter(({ name }) => name === 'A lost one')).toHaveLength(1)
      const headers = { authorization: `Bearer ${token}` }
      expect((await fetch(`${room.site.url}/api/tags`, { headers })).status).toBe(200)
      await leave()
    })

    it('a new token, made before the list of tokens was there', async () => {
      const { page, leave } = await open('/desk')
      const dialog = page.getByRole('dialog')
      let isFirst = true
      await page.route(/api\/tokens$/, async (route) => {
        // The page waits for its list until it is left.
        if (route.request().method() !== 'GET' || !isFirst) return route.fallback()
        isFirst = false
      })
      await page.goto(`${room.site.url}/desk/tokens`)
      await page.getByRole('button', { name: 'New token' }).click()
      await dialog.getByLabel('What it is for').fill('An early one')
      await loseNext(page, 'POST', /api\/tokens$/)
      const make = dialog.getByRole('button', { name: 'Make the token' })
      await make.click()
      await dialog.getByRole('alert').waitFor()
      await make.click()
      await dialog.getByLabel(/^The token\. It is shown only now/).waitFor()
      const all: readonly Named[] = await stored('tokens')
      expect(all.filter(({ name }) => name === 'An early one')).toHaveLength(1)
      await leave()
    })

    it('a saved view', async () => {
      const { page, leave } = await open('/desk/content/articles?filters[title][$containsi]=Title')
      await page.getByRole('button', { name: 'Save this view' }).click()
      await page.getByLabel('Name of the view').fill('A lost view')
      await loseNext(page, 'POST', /api\/views$/)
      const save = page.getByRole('button', { name: 'Save', exact: true })
      await save.click()
      await page.getByRole('alert').waitFor()
      await save.click()
      await page.getByRole('button', { name: 'A lost view', pressed: true }).waitFor()
      const all: readonly Named[] = await stored('views')
      expect(all.filter(({ name }) => name === 'A lost view')).toHaveLength(1)
      await leave()
    })

    it('a new webhook, whose secret is shown', async () => {
      const { page, leave } = await open('/desk/webhooks')
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'New webhook' }).click()
      await page.getByLabel('Name of the webhook').fill('A lost hook')
      await page.getByLabel('Address').fill('https://example.org/lost')
      await loseNext(page, 'POST', /api\/webhooks$/)
      const make = dialog.getByRole('button', { name: 'Make the webhook' })
      await make.click()
      await dialog.getByRole('alert').waitFor()
      await make.click()
      expect(await dialog.getByLabel(/^The secret of its signatures/).inputValue()).toMatch(/^whsec_/)
      const { webhooks }: { readonly webhooks: readonly (Named & { secrets: number })[] } =
        await stored('webhooks')
      expect(webhooks.filter(({ name }) => name === 'A lost hook')).toMatchObject([{ secrets: 1 }])
      await leave()
    })

    it('a folder, which opens', async () => {
      const { page, leave } = await open('/desk/media')
      await page.getByRole('button', { name: 'New folder' }).click()
      await page.getByLabel('Name of the folder').fill('A lost folder')
      await loseNext(page, 'POST', /api\/folders$/)
      const save = page.getByRole('button', { name: 'Save', exact: true })
      await save.click()
      await page.getByRole('alert').waitFor()
      await save.click()
      await page.locator('.way b').filter({ hasText: 'A lost folder' }).waitFor()
      await leave()
    })

    it('a role, which opens', async () => {
      const { page, leave } = await open('/desk/roles?role=new')
      await page.getByLabel('Name', { exact: false }).first().fill('A lost role')
      await loseNext(page, 'POST', /api\/roles$/)
      const save = page.getByRole('button', { name: 'Save the role' })
      await save.click()
      await page.getByRole('alert').waitFor()
      await save.click()
      await page
        .getByRole('link', { name: 'A lost role', exact: true })
        .and(page.locator('[aria-current]'))
        .waitFor()
      await leave()
    })

    it('a language', async () => {
      const { page, leave } = await open('/desk/locales')
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'New language' }).click()
      await dialog.getByLabel('Code').fill('it')
      await loseNext(page, 'POST', /api\/locales$/)
      const add = dialog.getByRole('button', { name: 'Add the language' })
      await add.click()
      await dialog.getByRole('alert').waitFor()
      await add.click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('it', { exact: true }).waitFor()
      await leave()
    })

    it('an invitation, whose link is shown', async () => {
      const { page, leave } = await open('/desk/people')
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Invite a person' }).click()
      await dialog.getByLabel('Email address').fill('lost@example.org')
      await loseNext(page, 'POST', /api\/people$/)
      const invite = dialog.getByRole('button', { name: 'Make the invitation' })
      await invite.click()
      await dialog.getByRole('alert').waitFor()
      await invite.click()
      await dialog.getByLabel('Link to set a password').waitFor()
      await leave()
    })

    it('a role that is changed', async () => {
      const { page, leave } = await open('/desk/roles?role=2')
      await page.getByLabel('Description').fill('Of a lost answer')
      await loseNext(page, 'PUT', /api\/roles\/2$/)
      const save = page.getByRole('button', { name: 'Save the role' })
      await save.click()
      await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
      await save.click()
      await expect
        .poll(() => page.getByRole('alert').or(page.getByText('Saved')).first().textContent())
        .toBe('Saved')
      await leave()
    })

    it('a layout that is changed', async () => {
      const { page, leave } = await open('/desk/layouts?type=api::tag.tag')
      await page.getByLabel('Entries on a page').fill('35')
      await loseNext(page, 'PUT', /api\/layouts\//)
      const save = page.getByRole('button', { name: 'Save', exact: true })
      await save.click()
      await page.getByRole('alert').waitFor()
      await save.click()
      await expect
        .poll(() => page.getByRole('alert').or(page.getByText('Saved')).first().textContent())
        .toBe('Saved')
      await leave()
    })
  },
)
