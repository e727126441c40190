/** Rooms of which somebody else changes something in another tab. */
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { executablePath, nextFrame, visit } from '../entry/visit.ts'
import { holdMethod, openFilledRoom } from './filled-room.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(executablePath)('Beside another tab', () => {
  const room = openFilledRoom()
  const open = (address: string) => visit(room.browser, room.site.url, address)
  const send = (method: string, path: string, body?: object) => room.site.send(room.ada, method, path, body)
  /** As when the person comes back to the tab after a while: the lists are asked for again. */
  const comeBack = async (page: Page, list: string) => {
    const answered = page.waitForResponse((answer) => answer.url().endsWith(`/desk/api/${list}`))
    await page.evaluate(() => {
      const now = Date.now()
      Date.now = () => now + 60_000
      window.dispatchEvent(new Event('visibilitychange'))
    })
    await answered
    await nextFrame(page)
  }

  const makeHook = async (name: string) => {
    const { body } = await send('POST', 'webhooks', {
      name,
      url: 'https://example.org/hook',
      events: ['entry.create'],
    })
    return body.id as number
  }

  it('a webhook keeps what another tab has changed of it', async () => {
    const id = await makeHook('Two tabs')
    const { page, leave } = await open('/desk/webhooks')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Two tabs' }).click()
    await dialog.getByLabel('Name of the webhook').waitFor()
    expect(
      (
        await send('PUT', `webhooks/${id}`, {
          enabled: false,
          events: ['entry.create', 'media.create'],
          headers: { 'x-key': 'a' },
        })
      ).status,
    ).toBe(200)
    await dialog.getByLabel('Name of the webhook').fill('Renamed')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await send('GET', `webhooks/${id}`)).body).toMatchObject({
      name: 'Renamed',
      enabled: false,
      events: ['entry.create', 'media.create'],
      headers: { 'x-key': null },
    })
    await leave()
  })

  it('a webhook that changes between the comparison and the save is compared again', async () => {
    const id = await makeHook('In that moment')
    const { page, leave } = await open('/desk/webhooks')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'In that moment' }).click()
    await dialog.getByLabel('Name of the webhook').fill('Mine')
    const puts = await holdMethod(page, 'PUT', /webhooks\/\d+/)
    const save = dialog.getByRole('button', { name: 'Save' })
    await save.click()
    await puts.begun()
    expect((await send('PUT', `webhooks/${id}`, { name: 'Theirs', enabled: false })).status).toBe(200)
    await puts.open()
    await dialog.getByRole('alert').filter({ hasText: 'Somebody else has changed this' }).waitFor()
    expect((await send('GET', `webhooks/${id}`)).body.name).toBe('Theirs')
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    expect((await send('GET', `webhooks/${id}`)).body).toMatchObject({ name: 'Mine', enabled: false })
    await leave()
  })

  it('a webhook of which others change something else in that moment is saved without a question', async () => {
    const id = await makeHook('Beside that')
    const { page, leave } = await open('/desk/webhooks')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Beside that' }).click()
    await dialog.getByLabel('Name of the webhook').fill('Mine beside')
    const puts = await holdMethod(page, 'PUT', /webhooks\/\d+/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await puts.begun()
    expect((await send('PUT', `webhooks/${id}`, { enabled: false })).status).toBe(200)
    await puts.open()
    await dialog.waitFor({ state: 'detached' })
    expect((await send('GET', `webhooks/${id}`)).body).toMatchObject({ name: 'Mine beside', enabled: false })
    await leave()
  })

  it('a webhook that is deleted meanwhile says so, and keeps what was typed', async () => {
    const id = await makeHook('To be deleted')
    const { page, leave } = await open('/desk/webhooks')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'To be deleted' }).click()
    await dialog.getByLabel('Name of the webhook').fill('A long text')
    await send('DELETE', `webhooks/${id}`)
    await comeBack(page, 'webhooks')
    expect(await dialog.count()).toBe(1)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'deleted meanwhile' }).first().waitFor()
    expect(await dialog.getByLabel('Name of the webhook').inputValue()).toBe('A long text')
    await leave()
  })

  it('a role that is deleted meanwhile says so, and keeps what was typed', async () => {
    const { body } = await send('POST', 'roles', { name: 'Short lived', rights: [] })
    const { page, leave } = await open(`/desk/roles?role=${body.id}`)
    await page.getByLabel('Description').fill('A long text')
    await send('DELETE', `roles/${body.id}`)
    await comeBack(page, 'roles')
    expect(await page.getByLabel('Description').inputValue()).toBe('A long text')
    await page.getByRole('button', { name: 'Save the role' }).click()
    await page.getByRole('alert').filter({ hasText: 'deleted meanwhile' }).first().waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('A long text')
    await leave()
  })

  it('a person whose roles another tab has changed keeps them', async () => {
    const { body: people } = await send('GET', 'people')
    const person = people.find(({ email }: { email: string }) => email.startsWith('person'))
    const one = (await send('POST', 'roles', { name: 'One more', rights: [] })).body.id
    const two = (await send('POST', 'roles', { name: 'And another', rights: [] })).body.id
    const { page, leave } = await open('/desk/people')
    const dialog = page.getByRole('dialog')
    await page.getByRole('listitem').filter({ hasText: person.email }).getByRole('button').click()
    await dialog.getByRole('checkbox', { name: 'One more' }).check()
    await send('PUT', `people/${person.id}`, { roles: [...person.roles, two] })
    const save = dialog.getByRole('button', { name: 'Save' })
    await save.click()
    await dialog.getByRole('alert').filter({ hasText: 'Somebody else has changed this' }).waitFor()
    expect((await send('GET', `people/${person.id}`)).body.roles).toEqual([...person.roles, two])
    await dialog.getByRole('button', { name: 'Load their version' }).click()
    expect(await dialog.getByRole('checkbox', { name: 'One more' }).isChecked()).toBe(false)
    await dialog.getByRole('checkbox', { name: 'One more' }).check()
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    const { roles } = (await send('GET', `people/${person.id}`)).body
    expect(roles.toSorted()).toEqual([...person.roles, one, two].toSorted())
    await leave()
  })

  it('a person who gets another role between the comparison and the save keeps it', async () => {
    const { body: people } = await send('GET', 'people')
    const person = people.find(({ email }: { email: string }) => email.startsWith('person'))
    const one = (await send('POST', 'roles', { name: 'By this tab', rights: [] })).body.id
    const two = (await send('POST', 'roles', { name: 'By that tab', rights: [] })).body.id
    const { page, leave } = await open('/desk/people')
    const dialog = page.getByRole('dialog')
    await page.getByRole('listitem').filter({ hasText: person.email }).getByRole('button').click()
    await dialog.getByRole('checkbox', { name: 'By this tab' }).check()
    const puts = await holdMethod(page, 'PUT', /people\/\d+/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await puts.begun()
    await send('PUT', `people/${person.id}`, { roles: [...person.roles, two] })
    await puts.open()
    await dialog.getByRole('alert').filter({ hasText: 'Somebody else has changed this' }).waitFor()
    expect((await send('GET', `people/${person.id}`)).body.roles).toEqual([...person.roles, two])
    await dialog.getByRole('button', { name: 'Load their version' }).click()
    await dialog.getByRole('checkbox', { name: 'By that tab' }).waitFor()
    expect(await dialog.getByRole('checkbox', { name: 'By that tab' }).isChecked()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'By this tab' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { roles } = (await send('GET', `people/${person.id}`)).body
    expect(roles).toEqual([...person.roles, one, two].toSorted((a: number, b: number) => a - b))
    await leave()
  })

  it('a new role whose name is typed asks before its page is left', async () => {
    const { page, complaints } = await open('/desk/roles?role=new')
    await page.getByLabel('Name').first().fill('A name')
    await page.getByRole('link', { name: 'Tags' }).click()
    await expect.poll(() => complaints).toEqual([expect.stringContaining('not saved')])
    await page.context().close()
  })

  it('a double click on what does not come back asks, and does nothing', async () => {
    await send('POST', 'tokens', { name: 'Twice', access: 'read-only' })
    const { page, leave } = await open('/desk/tokens')
    await page.getByRole('button', { name: 'End the token Twice' }).dblclick()
    await page.getByRole('button', { name: 'Delete for good' }).waitFor()
    expect((await send('GET', 'tokens')).body.map(({ name }: { name: string }) => name)).toContain('Twice')
    await leave()
  })
})
