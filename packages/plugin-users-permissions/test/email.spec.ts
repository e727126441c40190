import type { AddressInfo } from 'node:net'
import { type Logger, silentLogger, sql, unrestricted, ValidationError } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { UsersPermissionsOptions } from '../src/index.ts'
import { openSite, refusal, type Site, work } from './site.ts'

interface Mail {
  readonly to: readonly string[]
  readonly text: string
}
const mails: Mail[] = []
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, session, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      // Soft line breaks and escapes of quoted-printable, the encoding of long lines.
      const text = Buffer.concat(chunks).toString().replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
      done()
    })
  },
})
let transport: string
beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  transport = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}` // it listens on a port
})
afterAll(() => new Promise<void>((resolve) => smtp.close(resolve)))

let site: Site
afterEach(async () => {
  await site?.close()
  mails.length = 0
})
/** A password that another plugin refuses. */
const weak = 'Password000'
const refusesWeak = definePlugin({
  name: 'refuses-weak',
  setup(host) {
    host.hook('entry:input', (input) => {
      if (input.password === weak) throw new ValidationError('test/weak', 'weak')
      return input
    })
  },
})
const open = async (options: UsersPermissionsOptions = {}) => {
  const all = {
    ...options,
    email: { transport, ...options.email },
    urls: {
      resetPassword: 'https://site.example/reset',
      emailConfirmation: 'https://site.example/confirm?x=1',
      afterConfirmation: 'https://site.example/welcome',
    },
  }
  site = await openSite(all, {}, undefined, false, [refusesWeak])
  return site.api
}
const nextMail = () =>
  vi.waitFor(() => mails.shift() ?? Promise.reject(new Error('no mail')), { timeout: 60_000 })
const code = ({ text }: Mail) => /code=([\w-]+)/.exec(text)?.[1] ?? ''

const forgot = (email = 'ada@example.org') => site.api.post('/api/auth/forgot-password', { body: { email } })
const reset = (given: string, password = 'Password456') =>
  site.api.post('/api/auth/reset-password', {
    body: { code: given, password, passwordConfirmation: password },
  })

describe('POST /api/auth/forgot-password and reset-password', () => {
  it('S-19: a code is valid once, invalidates all tokens, and is stored as a hash', async () => {
    await open()
    const old = await site.login('ada')
    await forgot('ADA@example.org')
    const mail = await nextMail()
    expect(mail.to).toEqual(['ada@example.org'])
    expect(mail.text).toContain('https://site.example/reset?code=')
    const [row] = await site.server.octavo.store.query(
      'select "reset_password_token" from "up_users" where "id" = 1',
    )
    expect(row?.[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(await reset(String(row?.[0]))).toMatchObject(refusal(400, 'ValidationError'))

    const done = await reset(code(mail))
    expect(done).toMatchObject({ status: 200, body: { user: { username: 'ada' } } })
    expect((await site.api.get('/api/users/me', { token: done.body.jwt })).status).toBe(200)
    expect((await site.api.get('/api/users/me', { token: old })).status).toBe(401)
    await site.login('ada', 'Password456')
    expect(await reset(code(mail), 'Password789')).toMatchObject(refusal(400, 'ValidationError'))
  })

  it('S-19: a code is invalid after 61 minutes, after a newer one, and for a blocked user', async () => {
    await open()
    const { store } = site.server.octavo
    const age = (minutes: number) =>
      store.query(
        `update "up_users" set "reset_password_expires" = "reset_password_expires" - make_interval(mins => ${minutes})`,
      )
    await forgot()
    const first = code(await nextMail())
    await age(61)
    expect(await reset(first)).toMatchObject(refusal(400, 'ValidationError'))
    await forgot()
    const second = code(await nextMail())
    await age(58)
    await forgot()
    const third = code(await nextMail())
    expect(await reset(second)).toMatchObject(refusal(400, 'ValidationError'))
    await store.query('update "up_users" set "blocked" = true')
    expect(await reset(third)).toMatchObject(refusal(400, 'ValidationError'))
    await store.query('update "up_users" set "blocked" = false')
    expect((await reset(third)).status).toBe(200)
  })

  it('a code works for one of many concurrent requests', async () => {
    await open()
    await forgot()
    const given = code(await nextMail())
    const statuses = await Promise.all(
      [...'123456'].map(async (n) => (await reset(given, `Password${n}`)).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  it('a code stays valid when its request is refused', async () => {
    await open()
    await forgot()
    const given = code(await nextMail())
    expect(await reset(given, weak)).toMatchObject({ status: 400, body: { error: { message: 'weak' } } })
    expect((await reset(given)).status).toBe(200)
    expect(await reset(given)).toMatchObject(refusal(400, 'ValidationError'))
  })

  it('links do not depend on the host of the request', async () => {
    site = await openSite({ email: { transport }, publicUrl: 'https://api.example/' })
    const headers = {
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      origin: 'https://evil.example',
    }
    await site.api.post('/api/auth/forgot-password', { body: { email: 'ada@example.org' }, headers })
    expect((await nextMail()).text).toContain('https://api.example/api/auth/reset-password?code=')
  })

  it('sends nothing to an unknown address, and one email to one recipient otherwise', async () => {
    await open()
    await forgot('nobody@example.org')
    for (const email of [
      'ada@example.org,eve@evil.example',
      'ada@example.org\r\nBcc: eve@evil.example',
      '<ada@example.org>',
      'ada@example.org eve@evil.example',
    ])
      expect(await forgot(email), email).toMatchObject(refusal(400, 'ValidationError'))
    await forgot()
    expect((await nextMail()).to).toEqual(['ada@example.org'])
    expect(mails).toEqual([])
  })

  it('S-09: code in a template or a name is not run, and a name is escaped', async () => {
    await open({
      email: {
        transport,
        templates: {
          resetPassword: {
            subject: 'For {{username}}',
            text: '<%= process.exit(1) %> {{constructor}} {{process.exit(1)}} {{url}}',
            html: '<p>For {{username}}</p>',
          },
        },
      },
    })
    await site.server.octavo.store.query('update "up_users" set "username" = $1 where "id" = 1', [
      '<b>{{url}}</b>\r\nBcc: eve@evil.example',
    ])
    await forgot()
    const mail = await nextMail()
    expect(mail.to).toEqual(['ada@example.org'])
    expect(mail.text).toContain('<%= process.exit(1) %> {{constructor}} {{process.exit(1)}} https://')
    expect(mail.text).toContain('&#60;b&#62;{{url}}&#60;/b&#62;')
    const [headers] = mail.text.split('\r\n\r\n')
    expect(headers).not.toMatch(/^Bcc:/m)
  })
})

describe('email confirmation', () => {
  const body = { username: 'carol', email: 'carol@example.org', password: 'Password123' }

  it('refuses logins until the link in the email is opened, which is valid once', async () => {
    const api = await open({ emailConfirmation: true })
    const { body: answer } = await api.post('/api/auth/local/register', { body })
    expect(Object.keys(answer)).toEqual(['user'])
    const login = () =>
      api.post('/api/auth/local', { body: { identifier: 'carol', password: 'Password123' } })
    expect(await login()).toMatchObject(refusal(400, 'ApplicationError'))
    const mail = await nextMail()
    const confirmation = /x=1&confirmation=([\w-]+)/.exec(mail.text)?.[1] ?? ''
    const confirmed = await api.get(`/api/auth/email-confirmation?confirmation=${confirmation}`)
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([
      302,
      'https://site.example/welcome',
    ])
    expect((await login()).status).toBe(200)
    expect(await api.get(`/api/auth/email-confirmation?confirmation=${confirmation}`)).toMatchObject(
      refusal(400, 'ValidationError'),
    )
  })

  it('of a new address is refused as a whole while another user has it', async () => {
    const update = 'plugin::users-permissions.user.update'
    const api = await open({ emailConfirmation: true, permissions: { authenticated: [update] } })
    const token = await site.login('ada')
    await api.put('/api/users/1', { body: { email: 'new@example.org' }, token })
    const confirmation = /x=1&confirmation=([\w-]+)/.exec((await nextMail()).text)?.[1] ?? ''
    const confirm = () => api.get(`/api/auth/email-confirmation?confirmation=${confirmation}`)
    const users = site.server.octavo.entries('user', unrestricted('takes an address for a while'))
    await users.update(2, { email: 'new@example.org' })
    expect(await confirm()).toMatchObject(refusal(400, 'ApplicationError'))
    await users.update(2, { email: 'bob@example.org' })
    expect((await confirm()).status).toBe(302)
    expect(
      (
        await site.api.post('/api/auth/local', {
          body: { identifier: 'new@example.org', password: 'Password123' },
        })
      ).status,
    ).toBe(200)
    expect(await confirm()).toMatchObject(refusal(400, 'ValidationError'))
  })

  it('S-18: send-email-confirmation has one answer for all addresses', async () => {
    const api = await open({ emailConfirmation: true })
    await api.post('/api/auth/local/register', { body })
    const ask = async (email: string) => {
      const { status, text } = await api.post('/api/auth/send-email-confirmation', { body: { email } })
      return [status, text.replace(email, 'x')]
    }
    const unconfirmed = await ask('carol@example.org')
    expect(unconfirmed[0]).toBe(200)
    expect(await ask('ada@example.org')).toEqual(unconfirmed)
    expect(await ask('none@example.org')).toEqual(unconfirmed)
  })

  it('send-email-confirmation names a confirmed user with neutralAnswers: false, as the reference server does', async () => {
    const api = await open({ emailConfirmation: true, neutralAnswers: false })
    const answer = await api.post('/api/auth/send-email-confirmation', { body: { email: 'ada@example.org' } })
    expect(answer).toMatchObject(refusal(400, 'ApplicationError'))
  })

  it('is sent again on request, and a wrong password is reported before a missing confirmation', async () => {
    const api = await open({ emailConfirmation: true })
    await api.post('/api/auth/local/register', { body })
    const first = await nextMail()
    const again = await api.post('/api/auth/send-email-confirmation', {
      body: { email: 'Carol@example.org' },
    })
    expect(again.body).toEqual({ email: 'carol@example.org', sent: true })
    const second = await nextMail()
    expect(second.text).not.toBe(first.text)
    const wrong = await api.post('/api/auth/local', { body: { identifier: 'carol', password: 'wrong-one' } })
    expect(wrong).toMatchObject(refusal(400, 'ValidationError'))
  })

  it('S-18: with neutralAnswers register and send-email-confirmation have one response for used and unused addresses', async () => {
    const api = await open({ emailConfirmation: true, neutralAnswers: true })
    const free = await api.post('/api/auth/local/register', { body })
    const taken = await api.post('/api/auth/local/register', { body: { ...body, email: 'ada@example.org' } })
    expect([taken.status, taken.text]).toEqual([free.status, free.text])
    const ask = async (email: string) =>
      (await api.post('/api/auth/send-email-confirmation', { body: { email } })).status
    expect([
      await ask('ada@example.org'),
      await ask('carol@example.org'),
      await ask('none@example.org'),
    ]).toEqual([200, 200, 200])
    await expect(openSite({ neutralAnswers: true })).rejects.toThrow('emailConfirmation')
  })

  it('S-18: with neutralAnswers register hashes as much for a used name, and leaves no gap in the ids', async () => {
    const api = await open({ emailConfirmation: true, neutralAnswers: true })
    const register = async (given: object): Promise<readonly string[]> => {
      work.length = 0
      await api.post('/api/auth/local/register', { body: { ...body, email: 'ada@example.org', ...given } })
      return [...work]
    }
    for (let i = 0; i < 7; i++) {
      // The hash takes most of the time of a request.
      expect(await register({ username: `new${i}`, email: `new${i}@example.org` })).toEqual(['hash 10'])
      expect(await register({ username: `x${i}x` })).toEqual(['hash 10'])
    }
    const ids = await site.server.octavo.store.query(
      `select "id" from "up_users" where "username" like 'new%' order by "id"`,
    )
    expect(ids.map(([id], i) => Number(id) - Number(ids[0]?.[0]) - 2 * i)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(
      await site.server.octavo.store.query(`select 1 from "up_users" where "username" like 'x_x'`),
    ).toEqual([])
    // Mistakes in a body are reported in both cases.
    for (const email of ['ada@example.org', 'free@example.org'])
      expect(
        await api.post('/api/auth/local/register', { body: { ...body, email, password: 'x' } }),
      ).toMatchObject(refusal(400, 'ValidationError'))
  })

  it('S-18: forgot-password and a neutral send-email-confirmation respond before they read users', async () => {
    const api = await open({ emailConfirmation: true, neutralAnswers: true })
    await site.server.octavo.store.query('update "up_users" set "confirmed" = false')
    for (const path of ['forgot-password', 'send-email-confirmation']) {
      const { store } = site.server.octavo
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      // Locks the row of every user, and with the embedded engine the whole database.
      let isHeld = () => {}
      const isReady = new Promise<void>((resolve) => {
        isHeld = resolve
      })
      const holding = store.transaction(async (tx) => {
        await tx.run(sql`select from "up_users" for update`)
        isHeld()
        await held
      })
      await isReady
      const answer = await api.post(`/api/auth/${path}`, { body: { email: 'ada@example.org' } })
      expect(answer.status).toBe(200)
      expect(mails).toEqual([])
      release()
      expect((await nextMail()).to).toEqual(['ada@example.org'])
      await holding
    }
  })

  it('a stopping server sends queued emails', async () => {
    await open()
    expect((await forgot()).status).toBe(200)
    await site.close()
    expect(mails).toHaveLength(1)
  })

  it('a transport of a program that rejects is in the log, and ends nothing', async () => {
    const lines: unknown[] = []
    const logger: Logger = {
      ...silentLogger,
      error: (fields, message) => void lines.push([(fields as { readonly err: Error }).err.message, message]),
    }
    const own = { name: 'queue', version: '1', send: () => Promise.reject('the queue is away') }
    site = await openSite(
      { email: { transport: own }, urls: { resetPassword: 'https://site.example/reset' } },
      { logger: { ...logger, child: () => logger } },
    )
    expect((await forgot()).status).toBe(200)
    await expect
      .poll(() => lines, { timeout: 60_000 })
      .toEqual([
        [
          'A value that is no Error was thrown: the queue is away',
          'An email could not be sent: resetPassword',
        ],
      ])
    expect((await forgot()).status).toBe(200)
  })
})
