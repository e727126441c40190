import { testEngine } from '@octavo/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { article, type DeskSite, next, openDesk, password } from './desk.ts'

let site: DeskSite
afterEach(() => site?.close())

describe('The first editor', () => {
  it('is made by the link that the first start prints, once', async () => {
    site = await openDesk({}, {}, false)
    const links = site.lines.flatMap(({ link }) => link ?? [])
    expect(links).toHaveLength(1)
    const token = links[0]?.split('#')[1]
    const visitor = site.visitor()
    expect((await visitor.post('login', { email: 'ada@example.org', password })).status).toBe(404)
    expect((await visitor.get('me')).status).toBe(404)
    const ada = { email: 'Ada@Example.org', password, firstname: 'Ada' }
    expect((await visitor.post('first', { ...ada, token: 'guessed' })).body.error.details.code).toBe(
      'desk/bad-link',
    )
    expect((await visitor.post('first', { ...ada, token })).status).toBe(201)
    expect((await visitor.post('first', { ...ada, email: 'eve@example.org', token })).status).toBe(404)
    const me = await (await site.person('ada@example.org')).get('me')
    expect(me.body).toMatchObject({
      person: { id: 1, email: 'ada@example.org', firstname: 'Ada' },
      roles: [{ name: 'Super Admin' }],
      may: { roles: true, people: true },
    })
    expect(me.body.may.content['api::article.article'].publish).toEqual([{}])
  })

  // The embedded database of tests ends with its server.
  it.runIf(testEngine() === 'postgresql')(
    'has one link, of which a later start says where it is',
    async () => {
      const first = await openDesk({}, {}, false)
      try {
        site = await openDesk({}, { database: first.database }, false)
        expect(site.lines.flatMap(({ link }) => link ?? [])).toEqual([])
        expect(site.messages.filter((message) => message.includes('no editor'))).toEqual([
          'There is no editor yet. The link that makes the first one was printed by an earlier start or another process, and is valid for 48 hours; octavo editors create does so too',
        ])
      } finally {
        await site?.close()
        await first.close()
      }
    },
  )

  it('is made on this machine by the command', async () => {
    site = await openDesk({}, {}, false)
    const printed: string[] = []
    const command = site.server.octavo.commands.get('editors create')
    await command?.run(site.server.octavo, new Set(), (line) => printed.push(line), ['ada@example.org'])
    const token = printed[1]?.split('#')[1]
    expect((await site.visitor().post('accept', { token, password })).status).toBe(200)
    await site.person('ada@example.org')
  })

  it.each([
    ['create', ['nobody'], 'octavo editors create takes an address, e.g. ada@example.org'],
    ['reset', ['nobody'], 'octavo editors reset takes an address, e.g. ada@example.org'],
    ['create', ['ada@example.org', 'Poet'], 'There is no role "Poet"; there are Super Admin'],
    ['reset', ['ada@example.org'], 'There is no editor ada@example.org; octavo editors list prints all'],
  ])('by octavo editors %s %j: says what is there', async (name, given, message) => {
    site = await openDesk({}, {}, false)
    const { octavo } = site.server
    const run = octavo.commands.get(`editors ${name}`)?.run(octavo, new Set(), () => {}, given)
    await expect(run).rejects.toThrow(message)
  })
})

describe('A session', () => {
  it('refuses a request that names another person than that of the session', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const { id } = (await ada.get('me')).body.person
    const rename = (named: string) => ada.send('PUT', 'me', { firstname: named }, { 'Octavo-Person': named })
    expect((await rename(String(id))).status).toBe(200)
    expect((await rename(String(id + 1))).body.error.details.code).toBe('desk/not-signed-in')
    expect((await ada.get('me')).body.person.firstname).toBe(String(id))
  })

  it('is a cookie that scripts and other sites do not have, and ends with the sign-out', async () => {
    site = await openDesk()
    const ada = site.visitor()
    const answer = await ada.post('login', { email: ' ADA@example.org', password })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^octavo_desk=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/),
    ])
    const { cookie } = ada
    const behindProxy = await ada.send(
      'POST',
      'login',
      { email: 'ada@example.org', password },
      { via: 'a proxy' },
    )
    expect(behindProxy.headers.getSetCookie()[0]).toMatch(
      /^__Host-octavo_desk=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    )
    ada.cookie = cookie
    expect((await ada.get('me')).status).toBe(200)
    expect((await ada.post('logout')).status).toBe(200)
    ada.cookie = cookie
    expect((await ada.get('me')).status).toBe(401)
  })

  it('is listed, and ended alone or with all others', async () => {
    site = await openDesk()
    const [one, two] = [await site.person('ada@example.org'), await site.person('ada@example.org')]
    const { body } = await one.get('sessions')
    expect(body).toHaveLength(2)
    const other = body.find(({ current }: { current: boolean }) => !current)
    expect((await one.delete(`sessions/${other.id}`)).status).toBe(200)
    expect((await two.get('me')).status).toBe(401)
    expect((await one.delete('sessions')).status).toBe(200)
    expect((await one.get('me')).status).toBe(401)
  })

  it('S-11: is not begun with a password that is changed while it is compared, nor is that changed again', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const change = (currentPassword: string, to: string) =>
      ada.post('password', { currentPassword, password: to })
    next.compared = async () => expect((await change(password, 'Another-1-word')).status).toBe(200)
    const thief = site.visitor()
    expect((await thief.post('login', { email: 'ada@example.org', password })).status).toBe(400)
    expect((await thief.get('me')).status).toBe(401)
    next.compared = async () => expect((await change('Another-1-word', 'Third-1-word')).status).toBe(200)
    expect((await change('Another-1-word', 'Stolen-1-word')).status).toBe(400)
    await site.person('ada@example.org', 'Third-1-word')
  })

  it('ends when it is not used, and after its longest time', async () => {
    site = await openDesk()
    const { store } = site.server.octavo
    for (const change of [
      `used_at = now() - interval '9 hours'`,
      `expires_at = now() - interval '1 second'`,
    ]) {
      const ada = await site.person('ada@example.org')
      expect((await ada.get('me')).status).toBe(200)
      await store.query(`update octavo_editor_sessions set ${change}`)
      expect((await ada.get('me')).status).toBe(401)
    }
  })
})

describe('A person', () => {
  it('is invited, sets a password once, and changes name, language and password', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const invited = await ada.post('people', { email: 'bob@example.org', firstname: 'Bob' })
    expect(invited).toMatchObject({ status: 201, body: { person: { id: 2, invited: true, roles: [] } } })
    const { token } = invited.body
    const visitor = site.visitor()
    expect((await visitor.post('accept', { token, password: 'short' })).body.error.message).toBe(
      'password must be at least 8 characters',
    )
    expect((await visitor.post('accept', { token, password })).status).toBe(200)
    expect((await visitor.post('accept', { token, password })).status).toBe(400)
    const [bob, phone] = [await site.person('bob@example.org'), await site.person('bob@example.org')]
    expect((await bob.put('me', { lastname: 'B', language: 'fr' })).body.person).toMatchObject({
      lastname: 'B',
      language: 'fr',
    })
    const wrong = { currentPassword: 'Wrong-1-word', password: 'Another-1-word' }
    expect((await bob.post('password', wrong)).status).toBe(400)
    expect((await bob.post('password', { ...wrong, currentPassword: password })).status).toBe(200)
    expect([(await bob.get('me')).status, (await phone.get('me')).status]).toEqual([200, 401])
    await expect(site.person('bob@example.org')).rejects.toThrow('cannot sign in')
    await site.person('bob@example.org', 'Another-1-word')
  })

  it('is not changed by a body with a field that nothing reads', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const wrong: readonly (readonly ['post' | 'put', string, object, string])[] = [
      [
        'post',
        'people',
        { email: 'b@example.org', role: [1] },
        'role is no field here; did you mean "roles"?',
      ],
      ['put', 'people/1', { actve: true }, 'actve is no field here; did you mean "active"?'],
      ['post', 'roles', { name: 'R', right: [] }, 'right is no field here; did you mean "rights"?'],
      [
        'put',
        'me',
        { email: 'eve@example.org' },
        'email is no field here; there are firstname, lastname, language',
      ],
      [
        'post',
        'views',
        { type: article, name: 'V', query: '', share: true },
        'share is no field here; did you mean "shared"?',
      ],
    ]
    for (const [method, path, body, message] of wrong) {
      const refused = await ada[method](path, body)
      expect([path, refused.status, refused.body.error?.message]).toEqual([path, 400, message])
    }
    // A client may send back the record that it read.
    for (const path of ['people/1', 'roles/1']) {
      const { body: read } = await ada.get(path)
      expect([path, (await ada.put(path, read)).status]).toEqual([path, 200])
    }
  })

  it('who is not active any more is signed out, and cannot sign in', async () => {
    site = await openDesk()
    const bob = await site.hire('bob', [{ action: 'read', type: 'api::article.article' }])
    const ada = await site.person('ada@example.org')
    expect((await ada.put('people/2', { active: false })).body.active).toBe(false)
    expect((await bob.get('me')).status).toBe(401)
    expect(await bob.post('login', { email: 'bob@example.org', password })).toMatchObject({
      status: 400,
      body: { error: { message: 'Invalid credentials' } },
    })
  })

  it('who forgot the password gets a link by mail, which ends all sessions', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    expect((await ada.post('forgot-password', { email: 'nobody@example.org' })).body).toEqual({ ok: true })
    expect((await ada.post('forgot-password', { email: 'ada@example.org' })).body).toEqual({ ok: true })
    const text = (): string | undefined =>
      site.lines.flatMap((line) => (line as { email?: { text?: string } }).email?.text ?? [])[0]
    await expect.poll(text).toContain('#')
    const token = /#(\S+)/.exec(text() ?? '')?.[1]
    expect((await site.visitor().post('accept', { token, password: 'Another-1-word' })).status).toBe(200)
    expect((await ada.get('me')).status).toBe(401)
    await site.person('ada@example.org', 'Another-1-word')
  })
})
