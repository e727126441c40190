/** API tokens and locales, which people with the rights manage at the desk. */
import { definePlugin } from '@octavo/core/plugin'
import { afterEach, describe, expect, it } from 'vitest'
import { article, type DeskSite, openDesk } from './desk.ts'

let site: DeskSite
afterEach(() => site?.close())

const ask = (token: string, path: string, method = 'GET', body?: object) =>
  fetch(`${site.url}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

describe('API tokens', () => {
  it('are made with the text of the token in the answer, listed without it, and ended', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const access = [`${article}.find`]
    const made = await ada.post('tokens', { name: 'the site', access, expiresAt: '2999-01-01T00:00:00.000Z' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        id: 1,
        name: 'the site',
        access,
        expiresAt: '2999-01-01T00:00:00.000Z',
        lastUsedAt: null,
        createdBy: 'editor 1',
        token: expect.stringMatching(/^octavo_[\w-]{43}$/),
      },
    })
    const { token, ...shown } = made.body
    expect((await ada.get('tokens')).body).toEqual([shown])
    expect((await ask(token, 'articles')).status).toBe(200)
    expect((await ask(token, 'articles', 'POST', { data: { title: 'T' } })).status).toBe(403)
    expect((await ada.delete('tokens/1')).body).toEqual({ ok: true })
    expect((await ask(token, 'articles')).status).toBe(401)
    expect((await ada.delete('tokens/1')).status).toBe(404)
    expect((await ada.delete('tokens/x')).status).toBe(404)
  })

  it('may read all, or do all', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const reads = (await ada.post('tokens', { name: 'reads', access: 'read-only' })).body.token
    const full = (await ada.post('tokens', { name: 'full', access: 'full' })).body.token
    expect((await ask(reads, 'categories')).status).toBe(200)
    const data = { data: { name: 'C' } }
    expect((await ask(reads, 'categories', 'POST', data)).status).toBe(403)
    expect((await ask(full, 'categories', 'POST', data)).status).toBe(200)
  })

  it('are refused with wrong values', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const wrong: readonly [object, RegExp][] = [
      [{ name: '' }, /^name is a required field/],
      [{ name: 'a\u202eb' }, /^name must not have/],
      [{ access: undefined }, /^access must be/],
      [{ access: [] }, /^access must be/],
      [{ access: { $ne: 1 } }, /^access must be/],
      [{ access: ['api::article.article.fnid'] }, /^access names the action/],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, /^expiresAt must be in the future/],
      [{ expiresAt: 'tomorrow' }, /^expiresAt must be a time/],
      // It would never end.
      [{ expires: '2999-01-01T00:00:00Z' }, /^expires is no field here; did you mean "expiresAt"\?$/],
    ]
    for (const [given, message] of wrong) {
      const refused = await ada.post('tokens', { name: 'n', access: 'read-only', ...given })
      expect(refused.status).toBe(400)
      expect(refused.body.error.message).toMatch(message)
    }
  })
})

describe('S-65: A token', () => {
  it('gives nothing that its maker does not have', async () => {
    site = await openDesk()
    const ann = await site.hire('ann', [
      { action: 'tokens' },
      { action: 'read', type: article },
      { action: 'create', type: article },
      { action: 'update', type: article, fields: ['title'] },
      { action: 'delete', type: article, where: { createdBy: '$editor.id' } },
      { action: 'read', type: 'api::category.category', fields: ['name'] },
    ])
    expect((await ann.get('me')).body.may).toMatchObject({ tokens: true, webhooks: false, settings: false })
    const make = async (access: unknown) => (await ann.post('tokens', { name: 'n', access })).status
    expect(await make([`${article}.find`, `${article}.findOne`])).toBe(201)
    for (const access of [
      'full',
      'read-only',
      [`${article}.find`, `${article}.delete`],
      [`${article}.update`],
      // A new entry is published there, for which Ann lacks the right.
      [`${article}.create`],
      [`${article}.publish`],
      ['api::category.category.find'],
      ['plugin::users-permissions.user.find'],
      ['plugin::users-permissions.role.createRole'],
    ])
      expect([access, await make(access)]).toEqual([access, 403])
    const actions: readonly string[] = (await ann.get('tokens/actions')).body
    expect(actions).toEqual([`${article}.find`, `${article}.findOne`, 'plugin::i18n.locales.listLocales'])
  })

  it('makes no other token, nor does a user or a person without the right', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const { token } = (await ada.post('tokens', { name: 'full', access: 'full' })).body
    const headers = { authorization: `Bearer ${token}`, origin: site.url, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'n', access: 'full' })
    expect((await fetch(`${site.url}/desk/api/tokens`, { method: 'POST', headers, body })).status).toBe(401)
    expect((await fetch(`${site.url}/api/tokens`, { method: 'POST', headers, body })).status).toBe(404)
    const bob = await site.hire('bob', [{ action: 'people' }, { action: 'read', type: article }])
    expect((await bob.get('tokens')).status).toBe(403)
    expect((await bob.get('tokens/actions')).status).toBe(403)
    expect((await bob.post('tokens', { name: 'n', access: [`${article}.find`] })).status).toBe(403)
    expect((await bob.delete('tokens/1')).status).toBe(403)
    // Nor can he give himself the right.
    expect((await bob.post('people', { email: 'x@example.org', roles: [1] })).status).toBe(403)
  })
})

describe('Locales', () => {
  it('are added, renamed, made the default and deleted by people with the right', async () => {
    site = await openDesk()
    const ann = await site.hire('ann', [{ action: 'settings' }])
    expect((await ann.get('me')).body.may.settings).toBe(true)
    const made = await ann.post('locales', { code: 'pt-BR' })
    expect(made).toMatchObject({
      status: 201,
      body: { code: 'pt-BR', name: 'Brazilian Portuguese (pt-BR)', isDefault: false },
    })
    const { id } = made.body
    expect((await ann.put(`locales/${id}`, { name: 'Português', isDefault: true })).body).toEqual({
      id,
      code: 'pt-BR',
      name: 'Português',
      isDefault: true,
    })
    const ada = await site.person('ada@example.org')
    const { data } = (await ada.post('content/articles', { data: { title: 'T' } })).body
    expect(data.attributes.locale).toBe('pt-BR')
    const refusal = async (): Promise<string> => (await ann.delete(`locales/${id}`)).body.error.message
    expect(await refusal()).toBe('Another locale must be the default first')
    await ann.put('locales/1', { isDefault: true })
    expect(await refusal()).toBe('There are entries of article in this locale')
    await ada.delete(`content/articles/${data.id}`)
    expect((await ann.delete(`locales/${id}`)).body).toMatchObject({ code: 'pt-BR' })
    const list: readonly { code: string; isDefault: boolean }[] = (await ann.get('locales')).body
    expect(list.map(({ code, isDefault }) => [code, isDefault])).toEqual([
      ['en', true],
      ['fr', false],
      ['de', false],
    ])
  })

  it('are changed one at a time, with the hooks of entries, by which other plugins learn of it', async () => {
    const told: string[] = []
    const listener = definePlugin({
      name: 'listener',
      setup: (host) =>
        host.hook(
          'entry:committed',
          ({ action, type, id }) => void told.push(`${action} ${type.uid} ${id}`),
          {
            types: ['plugin::i18n.locale'],
          },
        ),
    })
    site = await openDesk({}, { plugins: [listener] })
    const ada = await site.person('ada@example.org')
    const { id } = (await ada.post('locales', { code: 'es' })).body
    await ada.put(`locales/${id}`, { name: 'Spanish' })
    await ada.delete(`locales/${id}`)
    const uid = 'plugin::i18n.locale'
    expect(told).toEqual([`create ${uid} ${id}`, `update ${uid} ${id}`, `delete ${uid} ${id}`])
    await Promise.all([1, 2, 3, 1, 2].map((one) => ada.put(`locales/${one}`, { isDefault: true })))
    const list: readonly { isDefault: boolean }[] = (await ada.get('locales')).body
    expect(list.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  it('are refused with wrong values, and to people without the right', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    for (const body of [
      {},
      { code: 'EN' },
      { code: "en'--" },
      { code: 'es', name: '' },
      { code: 'es', isDefault: 1 },
    ])
      expect((await ada.post('locales', body)).status).toBe(400)
    expect((await ada.post('locales', { code: 'fr' })).body.error.message).toMatch(/already a locale/)
    expect((await ada.delete('locales/2')).body.error.message).toBe('The configuration has this locale')
    expect((await ada.put('locales/99', { name: 'x' })).status).toBe(404)
    const bob = await site.hire('bob', [{ action: 'roles' }])
    expect((await bob.get('locales')).status).toBe(403)
    expect((await bob.post('locales', { code: 'es' })).status).toBe(403)
  })
})
