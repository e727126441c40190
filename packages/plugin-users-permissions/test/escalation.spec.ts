import { importData, unrestricted } from '@octavo/core'
import { afterEach, describe, expect, it } from 'vitest'
import { openSite, refusal, type Site } from './site.ts'

const user = (action: string) => `plugin::users-permissions.user.${action}`
const own = { id: '$user.id' }
let site: Site
afterEach(() => site?.close())

/** Ada may change her own account, Bob every account. */
const openOwn = (options: Parameters<typeof openSite>[0] = {}) =>
  openSite({
    ...options,
    permissions: { authenticated: [user('me'), { action: user('update'), where: own }] },
  })
const stored = async (columns: string, id = 1) =>
  (await site.server.octavo.store.query(`select ${columns} from "up_users" where "id" = ${id}`))[0]
const ownState = unrestricted('a test')

describe('S-70: an attribute that only programs write', () => {
  it('S-70: is in no account that somebody registers, makes or changes', async () => {
    site = await openSite({
      user: {
        attributes: {
          nickname: { type: 'string' },
          credit: { type: 'integer', writable: false },
          confirmed: { type: 'boolean', default: false, writable: false },
        },
      },
      register: { allowedFields: ['nickname', 'credit'] },
      permissions: { authenticated: ['create', 'update'].map(user) },
    })
    const token = await site.login('ada')
    const given = { nickname: 'C', credit: 5, confirmed: true }
    const account = (username: string) => ({
      ...given,
      username,
      email: `${username}@example.org`,
      password: 'Password123',
    })
    const registered = await site.api.post('/api/auth/local/register', { body: account('carol') })
    expect(registered).toMatchObject({ status: 200, body: { user: { nickname: 'C', confirmed: true } } })
    const made = await site.api.post('/api/users', { body: { ...account('dave'), role: 1 }, token })
    expect(made.status).toBe(201)
    await site.server.octavo.entries('user', ownState).update(1, { credit: 1, confirmed: false })
    const changed = await site.api.put('/api/users/1', { body: given, token })
    expect(changed.status).toBe(200)
    const columns = '"nickname", "credit"::text, "confirmed"::text'
    expect(await stored(columns, registered.body.user.id)).toEqual(['C', null, 'true'])
    expect(await stored(columns, made.body.id)).toEqual(['C', null, 'false'])
    expect(await stored(columns)).toEqual(['C', '1', 'false'])
  })
})

describe('S-24: a permission for the own account', () => {
  it('S-24: does not write role, blocked, confirmed and provider', async () => {
    site = await openOwn()
    const token = await site.login('ada')
    const before = await stored('"role_id", "blocked", "confirmed", "provider"')
    const body = { role: 2, blocked: true, confirmed: false, provider: 'github', username: 'adah' }
    const answer = await site.api.put('/api/users/1', { body, token })
    expect(answer).toMatchObject({ status: 200, body: { username: 'adah' } })
    expect(await stored('"role_id", "blocked", "confirmed", "provider"')).toEqual(before)
  })

  it('S-24: writes role, blocked, confirmed and provider when fields names them', async () => {
    site = await openSite({
      permissions: { authenticated: [{ action: user('update'), fields: ['blocked', 'username'] }] },
    })
    const token = await site.login('ada')
    await site.api.put('/api/users/2', { body: { blocked: true, confirmed: false }, token })
    expect(await stored('"blocked"::text, "confirmed"::text', 2)).toEqual(['true', 'true'])
  })

  it.each([
    ['email', { email: 'new@example.org' }],
    ['password', { password: 'Changed123' }],
    ['provider', { provider: 'github' }],
    ['blocked', { blocked: true }],
  ])('S-24: a change of %s ends reset codes, confirmation codes and tokens', async (_what, input) => {
    site = await openOwn()
    const token = await site.login('ada')
    await site.server.octavo.store.query(
      `update "up_users" set "reset_password_token" = 'x', "reset_password_expires" = now(), "confirmation_token" = 'y' where "id" = 1`,
    )
    await site.server.octavo.entries('user', ownState).update(1, input)
    expect(await stored('"reset_password_token", "reset_password_expires", "confirmation_token"')).toEqual([
      null,
      null,
      null,
    ])
    expect((await site.api.get('/api/users/me', { token })).status).toBe(401)
  })

  it('S-24: a write without changes invalidates no token', async () => {
    site = await openOwn()
    const token = await site.login('ada')
    const body = { email: 'ADA@example.org', username: 'ada' }
    expect((await site.api.put('/api/users/1', { body, token })).status).toBe(200)
    expect((await site.api.get('/api/users/me', { token })).status).toBe(200)
  })

  it('S-24: a change of password invalidates earlier reset codes', async () => {
    const lines: { readonly email?: { readonly text?: string } }[] = []
    const logger = {
      ...console,
      info: (line: object) => void lines.push(line),
      child: () => logger,
    } as never // the methods of a logger that the server uses
    site = await openSite({}, { logger })
    const token = await site.login('ada')
    await site.api.post('/api/auth/forgot-password', { body: { email: 'ada@example.org' } })
    const code = await expect
      .poll(() => /code=([\w-]+)/.exec(lines.map(({ email }) => email?.text).join(' '))?.[1], {
        timeout: 60_000,
      })
      .toBeTruthy()
      .then(() => /code=([\w-]+)/.exec(lines.map(({ email }) => email?.text).join(' '))?.[1])
    const change = {
      currentPassword: 'Password123',
      password: 'Changed123',
      passwordConfirmation: 'Changed123',
    }
    expect((await site.api.post('/api/auth/change-password', { body: change, token })).status).toBe(200)
    const reset = { code, password: 'Stolen123', passwordConfirmation: 'Stolen123' }
    expect(await site.api.post('/api/auth/reset-password', { body: reset })).toMatchObject(
      refusal(400, 'ValidationError'),
    )
  })

  it('S-24: a new email address of the own account is stored after its confirmation', async () => {
    const lines: { readonly email?: { readonly to?: string; readonly text?: string } }[] = []
    const logger = { ...console, info: (line: object) => void lines.push(line), child: () => logger } as never
    site = await openSite(
      {
        emailConfirmation: true,
        permissions: { authenticated: [user('me'), { action: user('update'), where: own }] },
      },
      { logger },
    )
    const token = await site.login('ada')
    const answer = await site.api.put('/api/users/1', { body: { email: 'new@example.org' }, token })
    expect(answer).toMatchObject({ status: 200, body: { email: 'ada@example.org' } })
    const mail = () => lines.find(({ email }) => email?.to === 'new@example.org')?.email?.text ?? ''
    await expect.poll(mail, { timeout: 60_000 }).toContain('confirmation=')
    const code = /confirmation=([\w-]+)/.exec(mail())?.[1]
    expect((await site.api.get('/api/users/me', { token })).body.email).toBe('ada@example.org')
    const confirmed = await fetch(`${site.url}/api/auth/email-confirmation?confirmation=${code}`, {
      redirect: 'manual',
    })
    expect(confirmed.status).toBe(302)
    expect(await stored('"email", "pending_email"')).toEqual(['new@example.org', null])
    expect((await site.api.get('/api/users/me', { token })).status).toBe(401)
  })
})

describe('S-24: an address is no other user’s name, nor the reverse', () => {
  const twin = { username: 'bob@example.org', email: 'twin@example.org', password: 'Password123' }

  it('S-24: on registration, by routes and by programs', async () => {
    site = await openSite({ permissions: { authenticated: [user('create'), user('update')] } })
    const token = await site.login('ada')
    const refused = refusal(400, 'ApplicationError')
    expect(await site.api.post('/api/auth/local/register', { body: twin })).toMatchObject(refused)
    expect(await site.api.post('/api/users', { body: { ...twin, role: 1 }, token })).toMatchObject(refused)
    expect(
      await site.api.put('/api/users/1', { body: { username: 'BOB@example.org' }, token }),
    ).toMatchObject(refused)
    const users = site.server.octavo.entries('user', ownState)
    await expect(users.create(twin)).rejects.toMatchObject({ status: 400 })
    await expect(users.update(1, { username: 'bob@example.org' })).rejects.toMatchObject({ status: 400 })
    await users.update(1, { username: 'ada@example.org' })
    await users.update(2, { username: 'carol@example.org' })
    await expect(users.update(1, { email: 'carol@example.org' })).rejects.toMatchObject({ status: 400 })
  })

  it('S-24: in a data file', async () => {
    site = await openSite()
    await expect(importData(site.server.octavo, { users: [{ id: 9, ...twin }] })).rejects.toThrow('users[0]')
  })
})

describe('S-28: usernames', () => {
  it.each([
    ['a control character', 'ad\u0007ele'],
    ['a bidirectional mark', 'ad\u202Eele'],
    ['a zero-width space', 'ade\u200Ble'],
    ['a line break', 'adele\nof'],
    ['65 characters', 'x'.repeat(65)],
  ])('S-28: %s is no name', async (_what, username) => {
    site = await openSite()
    const body = { username, email: 'x@example.org', password: 'Password123' }
    expect(await site.api.post('/api/auth/local/register', { body })).toMatchObject(
      refusal(400, 'ValidationError'),
    )
    await expect(site.server.octavo.entries('user', ownState).create(body)).rejects.toMatchObject({
      status: 400,
    })
  })

  it('S-28: a name that differs only in case, compatible forms or similar letters is refused', async () => {
    site = await openSite()
    const register = async (username: string) =>
      (
        await site.api.post('/api/auth/local/register', {
          body: { username, email: 'x@example.org', password: 'Password123' },
        })
      ).status
    for (const username of ['ADA', 'ａｄａ', 'аda', 'аdа', 'ɑda'])
      expect(await register(username), username).toBe(400)
    expect(await register('adam')).toBe(200)
  })

  it('S-28: names are compared as they look, in the case in which they are written and in any other', async () => {
    const cases = [
      ['billing', 'biIling'],
      ['biIling', 'billing'],
      ['Billing', 'BiIling'],
      ['Isaac', 'lsaac'],
      ['Nancy', '\u039dancy'],
      ['\u039dancy', 'nancy'],
      ['\u03bd\u03b9\u03ba\u03bf\u03c2', '\u039d\u0399\u039a\u039f\u03a3'],
    ]
    site = await openSite()
    const users = site.server.octavo.entries('user', ownState)
    for (const [i, [held = '', asked = '']] of cases.entries()) {
      const { id } = await users.create({
        username: held,
        email: `held${i}@example.org`,
        password: 'Password123',
      })
      const body = { username: asked, email: `asked${i}@example.org`, password: 'Password123' }
      const answer = await site.api.post('/api/auth/local/register', { body })
      expect([asked, answer.status]).toEqual([asked, 400])
      await users.delete(id)
    }
  })

  it('S-28: an address is one address in all of its compatible forms', async () => {
    site = await openSite()
    const wide = 'ａｄａ＠example.org'
    const body = { username: 'adele', email: 'ａｄａ@example.org', password: 'Password123' }
    expect(await site.api.post('/api/auth/local/register', { body })).toMatchObject(
      refusal(400, 'ApplicationError'),
    )
    await expect(site.server.octavo.entries('user', ownState).create(body)).rejects.toMatchObject({
      status: 400,
    })
    await site.login(wide)
    const own = { ...body, email: 'Ａdele@example.org' }
    const { body: answer } = await site.api.post('/api/auth/local/register', { body: own })
    expect(answer.user.email).toBe('adele@example.org')
    await site.login('adele@example.org')
  })

  it('signs a user in by the address as it was registered, also if its small letters have one character and its capitals two', async () => {
    site = await openSite()
    const email = 'H\u0331ana@example.org'
    const body = { username: 'hana', email, password: 'Password123' }
    const { body: answer } = await site.api.post('/api/auth/local/register', { body })
    expect(answer.user.email).toBe('\u1e96ana@example.org')
    for (const identifier of [email, 'h\u0331ana@example.org', '\u1e96ANA@example.org'])
      await site.login(identifier)
  })

  it('names that differ in case only, of imported users, each log in with their own spelling and stay theirs', async () => {
    site = await openOwn()
    const users = ['Carol', 'carol', 'CAROL'].map((username, i) => ({
      id: 20 + i,
      username,
      email: `carol${i}@example.org`,
      password: `Password-${i}`,
      confirmed: true,
      role: 'authenticated',
    }))
    await importData(site.server.octavo, { users })
    for (const { id, username, password } of users) {
      const token = await site.login(username, password)
      // A form sends the name that the user has.
      const body = { username, email: `new${id}@example.org` }
      expect(await site.api.put(`/api/users/${id}`, { token, body })).toMatchObject({ status: 200, body })
    }
    const other = { username: 'carol', email: 'new20@example.org' }
    const token = await site.login('Carol', 'Password-0')
    expect((await site.api.put('/api/users/20', { token, body: other })).status).toBe(400)
    // Another spelling belongs to none of them.
    await expect(site.login('cARol', 'Password-0')).rejects.toThrow('cannot log in')
  })

  it('S-28: a login accepts another case of the name, and no similar letters', async () => {
    site = await openSite()
    await site.login('ADA')
    await site.login('Ada@Example.org')
    await expect(site.login('аda')).rejects.toThrow('cannot log in')
  })

  it('S-28: an email does not begin with the text of a user, and contains it on one line', async () => {
    await expect(
      openSite({ email: { templates: { resetPassword: { subject: '{{username}}', text: 'x {{url}}' } } } }),
    ).rejects.toThrow('email.templates.resetPassword.subject')
  })
})
