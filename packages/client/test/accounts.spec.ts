import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, memorySession, webSession } from '../src/index.ts'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
  const api = createClient({ url: site.url })
  await api.auth.register({ username: 'ada', email: 'ada@example.org', password: 'Password123' })
})
afterAll(() => site.close())

/** A refused access token beside a refresh token that holds, as after the minutes of an access token. */
async function expired(session = memorySession()) {
  const api = createClient({ url: site.url, session })
  const { jwt, refreshToken } = await api.auth.login({ identifier: 'ada', password: 'Password123' })
  await session.set({ jwt: `${jwt}x`, ...(refreshToken !== undefined && { refreshToken }) })
  return { api, session }
}

describe('a login', () => {
  it('is stored, and later calls are made as this user', async () => {
    const api = createClient({ url: site.url })
    await expect(api.users.me()).rejects.toMatchObject({ status: 403 })
    const { user } = await api.auth.login({ identifier: 'ada@example.org', password: 'Password123' })
    expect(await api.users.me()).toEqual(user)
    await api.auth.logout()
    expect(await api.auth.session()).toBeUndefined()
    await expect(api.users.me()).rejects.toMatchObject({ status: 403 })
  })

  it('with a wrong password is refused, and leaves the session as it was', async () => {
    const { api, session } = await expired()
    const before = await session.get()
    await expect(api.auth.login({ identifier: 'ada', password: 'wrong' })).rejects.toMatchObject({
      name: 'ValidationError',
      code: 'auth/invalid',
    })
    expect(await session.get()).toEqual(before)
  })

  it('is renewed once for all calls at the same time when its token is refused', async () => {
    const { api } = await expired()
    const users = await Promise.all(Array.from({ length: 5 }, () => api.users.me()))
    expect(users.map(({ username }) => username)).toEqual(Array(5).fill('ada'))
    const renewed = await api.auth.session()
    expect(renewed?.refreshToken).toEqual(expect.any(String))
    expect((await api.users.me()).username).toBe('ada')
  })

  it('stays ended when the user logs out while it is renewed', async () => {
    const { session } = await expired()
    const renewal = Promise.withResolvers<void>()
    const loggedOut = Promise.withResolvers<void>()
    const api = createClient({
      url: site.url,
      session,
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (String(url).endsWith('/auth/refresh')) {
          renewal.resolve()
          await loggedOut.promise
        }
        return response
      },
    })
    const call = api.users.me()
    await renewal.promise
    await api.auth.logout()
    loggedOut.resolve()
    await expect(call).rejects.toMatchObject({ name: 'UnauthorizedError' })
    expect(await session.get()).toBeUndefined()
  })

  it('ends when its refresh token is refused', async () => {
    const session = memorySession({ jwt: 'old', refreshToken: 'older' })
    const api = createClient({ url: site.url, session })
    await expect(api.users.me()).rejects.toMatchObject({ name: 'UnauthorizedError' })
    expect(await session.get()).toBeUndefined()
  })

  it('that another tab has renewed is taken from the storage', async () => {
    const entries = new Map<string, string>()
    const storage = {
      getItem: (key: string) => entries.get(key) ?? null,
      setItem: (key: string, value: string) => void entries.set(key, value),
      removeItem: (key: string) => void entries.delete(key),
    }
    const { api } = await expired(webSession(storage))
    const other = createClient({ url: site.url, session: webSession(storage) })
    expect((await other.users.me()).username).toBe('ada')
    expect((await api.users.me()).username).toBe('ada')
    await api.auth.logout()
    expect([...entries]).toEqual([])
    entries.set('octavo', '{"broken')
    expect(await other.auth.session()).toBeUndefined()
  })

  it('is ended by a change of the password, which begins another one', async () => {
    const api = createClient({ url: site.url })
    await api.auth.register({ username: 'bob', email: 'bob@example.org', password: 'Password123' })
    const before = await api.auth.session()
    const password = 'Another1234'
    await api.auth.changePassword({
      currentPassword: 'Password123',
      password,
      passwordConfirmation: password,
    })
    expect((await api.users.me()).username).toBe('bob')
    const old = createClient({ url: site.url, token: before?.jwt ?? '' })
    await expect(old.users.me()).rejects.toMatchObject({ status: 401 })
  })
})

describe('users', () => {
  it('are listed, counted and written', async () => {
    const api = createClient({ url: site.url })
    await api.auth.login({ identifier: 'ada', password: 'Password123' })
    const carol = await api.users.create({
      username: 'carol',
      email: 'carol@example.org',
      password: 'Password123',
      role: 1,
    })
    expect(await api.users.findOne(carol.id, { fields: ['username'] })).toEqual({
      id: carol.id,
      username: 'carol',
    })
    expect((await api.users.update(carol.id, { username: 'caroline' })).username).toBe('caroline')
    expect(await api.users.count({ filters: { username: 'caroline' } })).toBe(1)
    expect((await api.users.find({ filters: { username: 'caroline' } })).map(({ id }) => id)).toEqual([
      carol.id,
    ])
    expect((await api.users.delete(carol.id)).id).toBe(carol.id)
  })

  it('get a code for a new password, and are refused with a wrong one', async () => {
    const api = createClient({ url: site.url })
    await api.auth.forgotPassword({ email: 'ada@example.org' })
    const password = 'Another1234'
    await expect(
      api.auth.resetPassword({ code: 'wrong', password, passwordConfirmation: password }),
    ).rejects.toMatchObject({ status: 400 })
  })

  it('log in by another service at an address of the server', () => {
    const api = createClient({ url: 'https://api.example.org/' })
    expect(api.auth.providerAddress('google')).toBe('https://api.example.org/api/connect/google')
  })
})

describe('a token', () => {
  it('is sent with every request, and may be a function', async () => {
    const api = createClient({ url: site.url })
    const { jwt } = await api.auth.login({ identifier: 'ada', password: 'Password123' })
    for (const token of [jwt, () => jwt, async () => jwt])
      expect((await createClient({ url: site.url, token }).users.me()).username).toBe('ada')
  })
})
