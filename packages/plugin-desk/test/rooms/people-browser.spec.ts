/** People and their roles: how they sign in, what they may change of themselves and of others, and what is not offered to them. */
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { chromiumPath } from '@octavo/testing'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, vi } from 'vitest'
import { desk } from '../../src/index.ts'
import { checkAccessible } from '../accessible.ts'
import { nothingUnsaved } from '../entry/visit.ts'
import { password } from '../reading-room.ts'
import { leave, openReadingRoom, signIn } from '../reading-room-pages.ts'
import { openSite } from '../site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(chromiumPath())('People at the desk', () => {
  const room = openReadingRoom()

  it('a person with a second factor is asked for its code', async () => {
    await room.site.hire('mia@example.org', [{ action: 'read', type: 'api::article.article' }])
    const first = await room.signedIn('/desk', {}, 'mia@example.org')
    const post = (path: string, body: object) =>
      first.page.evaluate(
        async ([path, body]) => {
          const headers = { 'content-type': 'application/json' }
          const answer = await fetch(`/desk/api/${path}`, {
            method: 'POST',
            headers,
            body: JSON.stringify(body),
          })
          return (await answer.json()) as Record<string, unknown> // the server's own
        },
        [path, body] as const,
      )
    const { secret } = await post('second-factor', { currentPassword: password })
    const codeOf = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate({
        timestamp: Date.now() + steps * 30_000,
      })
    await post('second-factor/confirm', { code: codeOf(0) })
    await first.page.context().close()

    const { page, complaints } = await room.visit('/desk')
    await page.getByLabel('Email address').fill('mia@example.org')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const code = page.getByLabel('Code of your second factor')
    await code.waitFor()
    await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true)
    await checkAccessible(page)
    await code.fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').filter({ hasText: 'This code is wrong' }).waitFor()
    // The next code: each is accepted once, and a moment early.
    await code.fill(codeOf(1).replace(/^.../, '$& '))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await code.waitFor({ state: 'detached' })
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
    await page.context().close()
  })

  it('people sign in at an issuer where the server has one, and read why it did not work', async () => {
    // No server listens at this address.
    const openId = { issuer: 'http://127.0.0.1:9', name: 'Example', clientId: 'desk', clientSecret: 'secret' }
    const other = await openSite([], [], {
      plugins: [draftPublish(), editors({ openId, passwords: false }), desk()],
    })
    const page = await (await room.browser.newContext({ locale: 'en-GB' })).newPage()
    await page.goto(`${other.url}/desk`)
    const link = page.getByRole('link', { name: 'Sign in at Example' })
    await link.waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
    await checkAccessible(page)
    await link.click()
    await page.getByRole('alert').getByText('was not confirmed').waitFor()
    expect(page.url()).toBe(`${other.url}/desk?refused=issuer`)
    await page.goto(`${other.url}/desk?refused=no-account`)
    await page.getByRole('alert').getByText('There is no person with this account here').waitFor()
    await page.goto(`${other.url}/desk?refused=server`)
    await page.getByRole('alert').getByText('The server could not sign you in').waitFor()
    await page.context().close()
    await other.close()
  })

  it('people are invited, shown with their state, and deactivated', async () => {
    const visited = await room.signedIn('/desk/people')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await dialog.getByLabel('Email address').fill('eve@example.org')
    await dialog.getByLabel('First name').fill('Eve')
    await dialog.getByLabel('Super Admin').check()
    await checkAccessible(page)
    await dialog.getByRole('button', { name: 'Make the invitation' }).click()
    const link = dialog.getByLabel('Link to set a password')
    expect(await link.inputValue()).toMatch(/\/desk\/accept#./)
    await link.press('ControlOrMeta+c')
    await dialog.getByRole('button', { name: 'Close' }).click()
    const eve = page.getByRole('listitem').filter({ hasText: 'eve@example.org' })
    await eve.getByText('Invited').waitFor()
    await checkAccessible(page)
    await eve.getByRole('button', { name: 'Eve' }).click()
    await dialog.getByLabel('Super Admin').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await eve.getByText('Super Admin').waitFor({ state: 'detached' })
    await eve.getByRole('button', { name: 'Eve' }).click()
    await dialog.getByRole('button', { name: 'Deactivate' }).click()
    await eve.getByText('Deactivated').waitFor()
    await leave(visited)
  })

  it('a person changes name and language, and turns a second factor on and off', async () => {
    await room.site.hire('ida@example.org', [{ action: 'people' }])
    const visited = await room.signedIn('/desk/settings', { width: 360 }, 'ida@example.org')
    const { page } = visited
    const section = (name: string) => page.locator('section').filter({ hasText: name })
    await page.getByText('here, now').waitFor()
    await checkAccessible(page)
    await page.getByLabel('First name').fill('Ida')
    await page.getByLabel('Language of the desk').selectOption('de')
    await section('About me').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
    await page.getByLabel('Sprache des Schreibtischs').selectOption('en')
    await section('Über mich').getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()

    const factor = section('Second factor')
    await factor.getByLabel('Current password').fill('not this one')
    await factor.getByRole('button', { name: 'Set up' }).click()
    await factor.getByText('This is not your current password.').waitFor()
    await factor.getByLabel('Current password').fill(password)
    await factor.getByRole('button', { name: 'Set up' }).click()
    const secret = (await factor.locator('.secret').textContent()) ?? ''
    const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
    await factor.getByLabel('Code').fill(totp.generate())
    await factor.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    const codes = await page.locator('.codes code').allTextContents()
    expect(codes).toHaveLength(10)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    // Until the page has asked for the person again, the form to set one up is here, whose password goes with it.
    await factor.getByRole('button', { name: 'Turn off' }).waitFor()
    await factor.getByLabel('Current password').fill(password)
    await factor.getByLabel('Code').fill(codes[0] ?? '')
    await factor.getByRole('button', { name: 'Turn off' }).click()
    await factor.getByRole('button', { name: 'Set up' }).waitFor()

    // Roles with more than one's own rights are not offered, nor are people who have them changed.
    await page.goto(`${room.site.url}/desk/people`)
    await page.getByRole('button', { name: 'Ada Author' }).click()
    await page.getByText('This person has rights that you do not have').waitFor()
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).count()).toBe(0)
    await checkAccessible(page)
    expect(visited.complaints.filter((text) => !text.includes('400'))).toEqual([])
    await page.context().close()
  })

  it('a role is made in the matrix, with limits, and a refusal leads to its cell', async () => {
    const visited = await room.signedIn('/desk/roles?role=new')
    const { page } = visited
    const dialog = page.getByRole('dialog')
    await page.getByLabel('Name of the role').fill('Columnist')
    await page.getByRole('checkbox', { name: 'Change: Articles' }).check()
    await page.getByRole('button', { name: 'Limits of Change: Articles' }).click()
    await dialog.getByLabel('All fields').uncheck()
    await dialog.getByLabel('Headline').check()
    await dialog.getByLabel('Seo › Meta title').check()
    await dialog.getByLabel('Entries').selectOption('other')
    await dialog.getByLabel('Condition, as filters in JSON').fill('{ "nothing": 1 }')
    await checkAccessible(page)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Save the role' }).click()
    await page.getByRole('alert').waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('td')?.id))
      .toBe('right-api::article.article-update')
    await page.getByRole('button', { name: 'Limits of Change: Articles' }).click()
    await dialog.getByLabel('Entries').selectOption('own')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Save the role' }).click()
    await page.waitForURL(/role=\d+$/)
    await checkAccessible(page)
    await page.reload()
    await page.getByRole('button', { name: 'Limits of Change: Articles' }).click()
    expect(await dialog.getByLabel('Headline').isChecked()).toBe(true)
    expect(await dialog.getByLabel('Summary').isChecked()).toBe(false)
    expect(await dialog.getByLabel('Entries').inputValue()).toBe('own')
    expect(visited.complaints.filter((text) => !text.includes('400'))).toEqual([])
    await page.context().close()
  })

  it('of two people who change a role or a layout, the second one is told, and chooses', async () => {
    const visited = await room.signedIn('/desk/roles')
    const { page } = visited
    /** As another page of Ada would. */
    const send = (method: string, path: string, body?: object) =>
      page.evaluate(
        async ([method, path, body]) => {
          const headers = { 'Content-Type': 'application/json' }
          return (await fetch(`/desk/api/${path}`, { method, ...(body && { headers, body }) })).json()
        },
        [method, path, body && JSON.stringify(body)] as const,
      )
    const role = `roles/${(await send('POST', 'roles', { name: 'Guests', rights: [] })).id}`
    const layout = 'layouts/api::author.author'
    const usual = await send('GET', layout)
    const isTold = page.getByText(/^Somebody else has changed this meanwhile\. Save once more/)
    const pages = [
      {
        address: role.replace('/', '?role='),
        path: role,
        field: page.getByLabel('Name of the role'),
        button: page.getByRole('button', { name: 'Save the role' }),
        valueIn: (body: { readonly name: string }) => body.name,
        withValue: (name: string) => ({ name }),
      },
      {
        address: layout.replace('/', '?type='),
        path: layout,
        field: page.getByLabel('Entries on a page'),
        button: page.getByRole('button', { name: 'Save', exact: true }),
        valueIn: (body: typeof usual) => String(body.list.pageSize),
        withValue: (size: string) => ({ ...usual, list: { ...usual.list, pageSize: Number(size) } }),
      },
    ]
    for (const { address, path, field, button, valueIn, withValue } of pages) {
      await page.goto(`${room.site.url}/desk/${address}`)
      const stored = async () => valueIn(await send('GET', path))
      const change = (value: string) => send('PUT', path, withValue(value))
      await field.fill('11')
      await change('12')
      await button.click()
      await isTold.waitFor()
      await checkAccessible(page)
      expect(await stored()).toBe('12')
      await page.getByRole('button', { name: 'Load their version' }).click()
      await isTold.waitFor({ state: 'detached' })
      await expect.poll(() => field.inputValue()).toBe('12')
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')

      await field.fill('13')
      await change('14')
      await button.click()
      await isTold.waitFor()
      await button.click()
      await page.getByText('Saved', { exact: true }).waitFor()
      expect([await stored(), await isTold.count()]).toEqual(['13', 0])
      // The form has the version of its own save.
      await field.fill('15')
      await button.click()
      await nothingUnsaved(page)
      expect(await stored()).toBe('15')
      expect(await isTold.count()).toBe(0)
    }
    // The usual layout takes the place of both versions.
    const theirs = page.getByRole('button', { name: 'Load their version' })
    await page.getByLabel('Entries on a page').fill('16')
    await send('PUT', layout, usual)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await theirs.waitFor()
    await page.getByRole('button', { name: 'Back to the usual layout' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await theirs.count()).toBe(0)
    await send('DELETE', role)
    expect(visited.complaints.filter((text) => !text.includes('412'))).toEqual([])
    await page.context().close()
  })

  it('what the roles of a person refuse is not offered', async () => {
    await room.site.hire('ben@example.org', [
      { action: 'read', type: 'api::article.article', fields: ['headline', 'summary'] },
      { action: 'update', type: 'api::article.article', fields: ['summary'] },
    ])
    const visited = await room.visit('/desk')
    const { page } = visited
    await signIn(page, 'ben@example.org')
    await page.getByRole('link', { name: 'Articles' }).click()
    await page.getByLabel('Select The quiet river').check()
    await page.getByText('1 selected').waitFor()
    for (const name of ['Publish', 'Delete', 'Media', 'Authors', 'New article'])
      expect(await page.getByText(name, { exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'The quiet river' }).click()
    await page.getByLabel('Summary').fill('Ben has read it.')
    expect(await page.getByLabel('Headline').isEditable()).toBe(false)
    expect(await page.getByLabel('Slug').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await leave(visited)
  })

  it('what the conditions of the roles refuse of an entry is not offered, and files that they do not show are not asked for', async () => {
    const type = 'api::article.article'
    const where = { createdBy: '$editor.id' }
    await room.site.hire('own@example.org', [
      { action: 'read', type },
      { action: 'create', type },
      { action: 'update', type, where },
      { action: 'publish', type, where },
    ])
    const visited = await room.signedIn('/desk/content/articles', {}, 'own@example.org')
    const { page } = visited
    await page.getByRole('link', { name: 'The quiet river' }).click()
    await expect.poll(() => page.getByLabel('Headline').isEditable()).toBe(false)
    for (const name of ['Saved', 'Publish'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Articles' }).first().click()
    await page.getByRole('link', { name: 'New article' }).click()
    await page.getByLabel('Headline').fill('An own one')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/articles\/\d+$/)
    await page.getByLabel('Headline').fill('An own article')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Saved' }).waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()
    await leave(visited)
  })
})
