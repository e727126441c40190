/** Attacks on the desk, by the numbers in docs/contract/threats.md. */
import type { Where } from '@octavo/core'
import { afterEach, describe, expect, it } from 'vitest'
import { article, type DeskSite, openDesk, type Person, password, work } from './desk.ts'

let site: DeskSite
afterEach(() => site?.close())

const bodies = { title: 'T', summary: 's' }

describe('S-45: The first editor', () => {
  it('is nobody who comes without the link, whatever else is asked', async () => {
    site = await openDesk({}, {}, false)
    const eve = site.visitor()
    const account = { email: 'eve@example.org', password }
    for (const token of [undefined, '', 'x', ['x'], { $ne: '' }, 'a'.repeat(43)])
      expect((await eve.post('first', { ...account, token })).status).toBe(400)
    for (const [method, path] of [
      ['POST', 'login'],
      ['POST', 'accept'],
      ['POST', 'forgot-password'],
      ['POST', 'people'],
      ['POST', 'roles'],
      ['GET', 'me'],
      ['GET', 'content/articles'],
    ] as const)
      expect([path, (await eve.send(method, path, method === 'GET' ? undefined : account)).status]).toEqual([
        path,
        404,
      ])
  })

  it('is one person where several use the link at the same time', async () => {
    site = await openDesk({}, {}, false)
    const token = site.lines.flatMap(({ link }) => link ?? [])[0]?.split('#')[1]
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        site.visitor().post('first', { token, email: `${name}@example.org`, password }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })
})

/** Headers of a page of another origin, each as some browser sends it. */
const otherSites: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://localhost.evil.example', 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  {},
]

async function asSent(
  person: Person,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
) {
  return fetch(`${person.url}/desk/api/${path}`, {
    method,
    headers: { ...headers, ...(person.cookie && { cookie: person.cookie }) },
    ...(body !== undefined && { body }),
  })
}

describe('S-46: A page of another site', () => {
  it('changes nothing with the cookie: by fetch, form or text, signing in and out included', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    await ada.post('content/articles', { data: bodies })
    const json = JSON.stringify({ data: { title: 'Forged' }, email: 'ada@example.org', password })
    for (const headers of otherSites)
      for (const [method, path] of [
        ['POST', 'login'],
        ['POST', 'logout'],
        ['POST', 'password'],
        ['POST', 'people'],
        ['PUT', 'me'],
        ['DELETE', 'sessions'],
        ['POST', 'content/articles'],
        ['PUT', 'content/articles/1'],
        ['DELETE', 'content/articles/1'],
        ['POST', 'content/articles/1/actions/publish'],
      ] as const)
        for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
          const answer = await asSent(ada, method, path, { ...headers, 'content-type': type }, json)
          expect([headers, method, path, answer.status]).toEqual([headers, method, path, 403])
          expect(answer.headers.getSetCookie()).toEqual([])
        }
    const { body } = await ada.get('content/articles?publicationState=preview')
    expect(body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)).toEqual([
      'T',
    ])
  }, 60_000)

  it('finds no change behind a GET', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    for (const path of ['logout', 'login', 'password', 'accept', 'forgot-password', 'people/1/link'])
      expect([path, (await asSent(ada, 'GET', path, { 'sec-fetch-site': 'none' })).status]).toEqual([
        path,
        405,
      ])
    expect((await ada.get('me')).status).toBe(200)
  })
})

describe('S-47: CORS', () => {
  it('never opens the cookie, even where credentials are allowed', async () => {
    const origin = 'https://app.example.org'
    site = await openDesk({}, { cors: { origins: [origin], credentials: true } })
    const ada = await site.person('ada@example.org')
    for (const headers of [{ origin }, { origin, 'sec-fetch-site': 'same-site' }]) {
      const answer = await asSent(ada, 'GET', 'me', headers)
      expect(answer.status).toBe(403)
      expect(answer.headers.get('access-control-allow-origin')).toBe(null)
      expect(answer.headers.get('access-control-allow-credentials')).toBe(null)
    }
    const own = await asSent(ada, 'GET', 'me', {})
    expect(own.headers.get('access-control-allow-credentials')).toBe(null)
    expect(own.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(own.headers.get('cache-control')).toBe('private, no-store')
    const content = await asSent(ada, 'GET', 'content/articles', {})
    expect(content.status).toBe(200)
    expect(content.headers.get('cache-control')).toContain('private')
  })
})

describe('S-48: Tokens of users and cookies of editors', () => {
  it('never stand for each other', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    await ada.post('content/articles', { data: bodies })
    const registered = await site.visitor().post('/api/auth/local/register', {
      username: 'ada',
      email: 'ada@example.org',
      password: 'Password123',
    })
    const bearer = { authorization: `Bearer ${registered.body.jwt}` }
    const visitor = site.visitor()
    expect((await visitor.send('GET', 'me', undefined, bearer)).status).toBe(401)
    expect((await visitor.send('GET', 'content/articles', undefined, bearer)).status).toBe(401)
    const session = (ada.cookie ?? '').split('=')[1]
    expect((await visitor.send('GET', 'me', undefined, { authorization: `Bearer ${session}` })).status).toBe(
      401,
    )
    // The cookie is nothing below /api: the draft stays hidden, and a write is refused.
    expect(
      (await ada.get('/api/articles?publicationState=preview&populate=createdBy')).body.data[0].attributes,
    ).not.toHaveProperty('createdBy')
    expect((await ada.post('/api/articles', { data: bodies })).status).toBe(403)
    expect((await ada.get('/api/users/me')).status).toBe(403)
    expect(
      (await ada.send('GET', '/api/articles', undefined, { authorization: `Bearer ${session}` })).status,
    ).toBe(401)
  })
})

describe('S-49: Registration', () => {
  it('makes no editor', async () => {
    site = await openDesk()
    const answer = await site.visitor().post('/api/auth/local/register', {
      username: 'eve',
      email: 'eve@example.org',
      password,
      roles: [1],
      role: 1,
    })
    expect(answer.status).toBe(200)
    const wrong = await site.visitor().post('login', { email: 'eve@example.org', password })
    expect(wrong.status).toBe(400)
    for (const path of ['/api/desk-editors', '/api/desk-roles', '/api/editors'])
      expect((await site.visitor().get(path)).status).toBe(404)
  })
})

describe('S-50: Session fixation', () => {
  it('fails: a sign-in makes a new cookie, and ends the one that was there', async () => {
    site = await openDesk()
    const eve = await site.hire('eve', [])
    const planted = eve.cookie
    const ada = site.visitor()
    ada.cookie = planted
    expect((await ada.post('login', { email: 'ada@example.org', password })).status).toBe(200)
    expect(ada.cookie).not.toBe(planted)
    expect((await eve.get('me')).status).toBe(401)
    const chosen = site.visitor()
    chosen.cookie = `octavo_desk=${'a'.repeat(43)}`
    await chosen.post('login', { email: 'ada@example.org', password })
    expect(chosen.cookie).not.toContain('aaaa')
    // Two cookies of one name: one of them is somebody else's.
    expect((await ada.send('GET', 'me', undefined, { cookie: `${ada.cookie}; ${planted}` })).status).toBe(401)
  })
})

describe('S-51: A link', () => {
  it('works once, in time, for its person, and until the address changes', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const accept = (token: string) => site.visitor().post('accept', { token, password })
    const invite = async (email: string) => (await ada.post('people', { email })).body
    const late = await invite('late@example.org')
    await site.server.octavo.store.query(
      `update octavo_editor_links set expires_at = now() - interval '1 second'`,
    )
    expect((await accept(late.token)).status).toBe(400)
    const moved = await invite('moved@example.org')
    await ada.put(`people/${moved.person.id}`, { email: 'there@example.org' })
    expect((await accept(moved.token)).status).toBe(400)
    const gone = await invite('gone@example.org')
    await ada.put(`people/${gone.person.id}`, { active: false })
    expect((await accept(gone.token)).status).toBe(400)
    const twice = await invite('twice@example.org')
    const answers = await Promise.all([accept(twice.token), accept(twice.token), accept(twice.token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const again = await invite('again@example.org')
    const newer = await ada.post(`people/${again.person.id}/link`)
    expect((await accept(again.token)).status).toBe(400)
    expect((await accept(newer.body.token)).status).toBe(200)
    expect(
      JSON.stringify(await site.server.octavo.store.query('select * from octavo_editor_links')),
    ).not.toContain(newer.body.token)
  })
})

describe('S-52: Rights that one does not have', () => {
  const readFr = { action: 'read', type: article, locales: ['fr'] } as const

  it('are not given by a role, to a role, or to a person', async () => {
    site = await openDesk()
    const own = [
      { action: 'people' },
      { action: 'roles' },
      { ...readFr, fields: ['title', 'seo.title'] },
    ] as const
    const mia = await site.hire('mia', own)
    const tries = [
      { action: 'everything' },
      { action: 'read', type: article },
      { ...readFr, fields: ['title', 'views'] },
      { ...readFr, fields: ['seo'] },
      { ...readFr, fields: ['title'], locales: ['fr', 'en'] },
      { ...readFr, action: 'update', fields: ['title'] },
      { ...readFr, type: 'api::category.category', locales: undefined },
    ]
    for (const right of tries)
      expect([right, (await mia.post('roles', { name: 'More', rights: [right] })).status]).toEqual([
        right,
        403,
      ])
    const fewer = { ...readFr, fields: ['seo.title'], where: { createdBy: '$editor.id' } }
    expect((await mia.post('roles', { name: 'Fewer', rights: [fewer] })).status).toBe(201)
    const { body: roles } = await mia.get('roles')
    const idOf = (name: string) => roles.find((role: { name: string }) => role.name === name).id
    expect((await mia.put(`roles/${idOf("mia's")}`, { rights: [...own, readFr] })).status).toBe(403)
    expect((await mia.put(`roles/${idOf('Super Admin')}`, { rights: [] })).status).toBe(403)
    expect((await mia.delete(`roles/${idOf('Super Admin')}`)).status).toBe(403)
    const admin = idOf('Super Admin')
    expect((await mia.post('people', { email: 'x@example.org', roles: [admin] })).status).toBe(403)
    expect((await mia.put('people/2', { roles: [admin] })).status).toBe(403)
    expect((await mia.put('me', { roles: [admin] })).status).toBe(400)
    expect((await mia.get('me')).body.roles).toEqual([{ id: idOf("mia's"), name: "mia's" }])
  })

  it('S-62: are not got by a condition on values that the giver may not read', async () => {
    site = await openDesk()
    const mia = await site.hire('mia', [
      { action: 'roles' },
      { ...readFr, fields: ['title', 'seo.title', 'category'] },
      { action: 'read', type: 'api::category.category', fields: ['name'] },
    ])
    const give = async (where: Where) => {
      const right = { ...readFr, fields: ['title'], where }
      return (await mia.post('roles', { name: JSON.stringify(where), rights: [right] })).status
    }
    const hidden: readonly Where[] = [
      { views: { $gt: 5 } },
      { note: 'x' },
      { seo: { text: 'x' } },
      { category: { budget: { $gt: 5 } } },
      { createdBy: { email: 'ada@example.org' } },
      { createdBy: { articles: { views: 5 } } },
      { $or: [{ title: 'x' }, { $not: { views: 5 } }] },
      { $and: { views: 5 } },
    ]
    for (const where of hidden) expect([where, [400, 403].includes(await give(where))]).toEqual([where, true])
    const open: readonly Where[] = [
      { title: 'x' },
      { seo: { title: 'x' } },
      { category: { name: 'x' } },
      { id: { $in: [1, 2] }, publishedAt: { $notNull: true } },
      { createdBy: '$editor.id' },
      { createdBy: { roles: '$editor.roles' } },
    ]
    for (const where of open) expect([where, await give(where)]).toEqual([where, 201])
    const ada = await site.person('ada@example.org')
    const right = { ...readFr, where: { views: { $gt: 5 } } }
    expect((await ada.post('roles', { name: 'By views', rights: [right] })).status).toBe(201)
  })

  it('are not got by the account of somebody with more rights', async () => {
    site = await openDesk()
    const mia = await site.hire('mia', [{ action: 'people' }])
    for (const answer of [
      await mia.put('people/1', { email: 'mia2@example.org' }),
      await mia.put('people/1', { active: false }),
      await mia.post('people/1/link'),
      await mia.delete('people/1'),
    ])
      expect(answer).toMatchObject({
        status: 403,
        body: { error: { details: { code: 'desk/more-than-own' } } },
      })
    const bob = await site.hire('bob', [])
    for (const path of ['people', 'people/1']) expect((await bob.get(path)).status).toBe(403)
    expect((await bob.post('roles', { name: 'x', rights: [] })).status).toBe(403)
  })
})

describe('S-53: A field path', () => {
  it('does not lead to other fields of a component, by read or write', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const seo = { title: 'a', text: 'hidden' }
    await ada.post('content/articles', { data: { title: 'T', seo, links: [seo] } })
    const bob = await site.hire('bob', [
      { action: 'read', type: article, fields: ['title', 'seo.title', 'links.title'] },
      { action: 'update', type: article, fields: ['seo.title', 'links.title'] },
    ])
    for (const query of [
      'populate=*',
      'populate[seo][fields]=*',
      'populate[0]=seo&populate[1]=links',
      'populate[seo]=true',
    ])
      expect(
        JSON.stringify((await bob.get(`content/articles/1?publicationState=preview&${query}`)).body),
      ).not.toContain('hidden')
    for (const query of [
      'populate[seo][fields]=text',
      'filters[links][text]=hidden',
      'sort=seo.text',
      'populate[links][filters][text]=hidden',
      'populate[seo][sort]=text',
    ])
      expect([query, (await bob.get(`content/articles?publicationState=preview&${query}`)).status]).toEqual([
        query,
        400,
      ])
    for (const data of [
      { seo: { text: 'x' } },
      { seo: { id: 1, text: null } },
      { links: [{ id: 2, title: 'x', text: 'x' }] },
      { 'seo.text': 'x', seo: [{ text: 'x' }] },
    ])
      expect([data, (await bob.put('content/articles/1', { data })).status]).toEqual([data, 403])
    const kept = await ada.get('content/articles/1?publicationState=preview&populate=*')
    expect(kept.body.data.attributes).toMatchObject({ seo, links: [seo] })
  })
})

describe('S-54: A locale, or a creator', () => {
  it('is not left by a write, and not found by a filter', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    await ada.post('content/articles', { data: { title: 'Hers', note: 'n' } })
    const bob = await site.hire('bob', [
      { action: 'create', type: article, locales: ['fr'] },
      { action: 'read', type: article, where: { createdBy: '$editor.id' } },
      { action: 'update', type: article, where: { createdBy: '$editor.id' } },
    ])
    expect((await bob.post('content/articles', { data: { title: 'En' } })).status).toBe(403)
    const fr = await bob.post('content/articles', { data: { title: 'Fr', locale: 'fr', createdBy: 1 } })
    expect(fr.status).toBe(200)
    expect(
      (await bob.post(`content/articles/${fr.body.data.id}/localizations`, { locale: 'en', title: 'En' }))
        .status,
    ).toBe(403)
    expect((await bob.post('content/articles/1/localizations', { locale: 'fr', title: 'Fr' })).status).toBe(
      404,
    )
    const found = await bob.get(
      'content/articles?publicationState=preview&locale=all&filters[createdBy][id]=1',
    )
    expect(found.body.data).toEqual([])
    for (const query of [
      'filters[createdBy][email]=ada@example.org',
      'filters[createdBy][password][$startsWith]=$2',
      'sort=createdBy.email',
      'filters[createdBy][roles][name]=x',
      'populate[createdBy][fields]=password',
    ])
      expect([query, (await bob.get(`content/articles?${query}`)).status]).toEqual([query, 400])
    const bulk = await bob.post('content/articles/actions/bulk', { update: [{ id: 1, title: 'x' }] })
    expect(bulk.status).toBeGreaterThanOrEqual(400)
    expect((await ada.get('content/articles/1?publicationState=preview')).body.data.attributes.title).toBe(
      'Hers',
    )
  })
})

describe('S-55: Publishing', () => {
  it('needs the right for each value of publishedAt, by any endpoint', async () => {
    site = await openDesk()
    const bob = await site.hire('bob', [
      { action: 'create', type: article },
      { action: 'read', type: article },
      { action: 'update', type: article },
    ])
    const made = await bob.post('content/articles', { data: bodies })
    const path = `content/articles/${made.body.data.id}`
    for (const publishedAt of ['2024-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'])
      expect((await bob.put(path, { data: { publishedAt } })).status).toBe(403)
    for (const action of ['publish', 'unpublish'])
      expect((await bob.post(`${path}/actions/${action}`)).status).toBe(403)
    expect((await site.visitor().get('/api/articles')).body.data).toEqual([])
  })
})

describe('S-56: The last person who manages roles', () => {
  it('cannot lose that, by any of the ways, alone or at the same time', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const refused = { status: 400, body: { error: { details: { code: 'desk/last-manager' } } } }
    const own = (await ada.get('roles')).body[0].id
    expect(await ada.put('people/1', { roles: [] })).toMatchObject(refused)
    expect(await ada.put('people/1', { active: false })).toMatchObject(refused)
    expect(await ada.delete('people/1')).toMatchObject(refused)
    expect(await ada.put(`roles/${own}`, { rights: [] })).toMatchObject(refused)
    const second = await ada.post('people', { email: 'b@example.org', roles: [own] })
    const answers = await Promise.all([
      ada.put('people/1', { active: false }),
      ada.put(`people/${second.body.person.id}`, { active: false }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('S-18: Signing in', () => {
  it('answers the same for nobody, for a wrong password, and for a person who is not active', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    await site.hire('old', [])
    await ada.put('people/2', { active: false })
    const answers = []
    for (const [email, given] of [
      ['nobody@example.org', password],
      ['ada@example.org', 'Wrong-1-word'],
      ['old@example.org', password],
      ['ada@example.org', `${password}${'x'.repeat(80)}`],
    ]) {
      const { status, body } = await site.visitor().post('login', { email, password: given })
      answers.push([status, body])
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.[0]).toBe(400)
  })

  it('compares a hash of the same cost for nobody', async () => {
    site = await openDesk()
    const compared = async (email: string): Promise<readonly string[]> => {
      work.length = 0
      await site.visitor().post('login', { email, password: 'Wrong-1-word' })
      return [...work]
    }
    // The first sign-in of the process makes the hash that stands for nobody's.
    await compared('ada@example.org')
    expect(await compared('ada@example.org')).toEqual(['compare 10'])
    expect(await compared('nobody@example.org')).toEqual(['compare 10'])
  })

  it('refuses 1,000 wrong passwords, all but five a minute of them unread (S-10, S-27)', async () => {
    site = await openDesk({ rateLimit: { points: 20 } }, { rateLimit: true })
    const statuses = new Map<number, number>()
    const names = ['ada@example.org', 'ADA@example.org', ' ada@example.org', 'ａda@example.org']
    for (let i = 0; i < 1_000; i++) {
      const { status } = await site.visitor().post('login', { email: names[i % 4], password: `wrong ${i}` })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(statuses.get(429)).toBeGreaterThanOrEqual(960)
    expect([...statuses.keys()].sort()).toEqual([400, 429])
    const { headers } = await site.visitor().post('login', { email: 'ada@example.org', password })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }, 60_000)

  it('locks nobody out who has signed in from the same address before (S-27)', async () => {
    site = await openDesk({ rateLimit: { points: 3 } }, { rateLimit: true, proxies: 1 })
    const from = (address: string, secret: string) =>
      site
        .visitor()
        .send('POST', 'login', { email: 'ada@example.org', password: secret }, { 'x-forwarded-for': address })
    expect((await from('198.51.100.1', password)).status).toBe(200)
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await from(`203.0.113.${i}`, `wrong ${i}`)).status)
    // The first of three was her own.
    expect(statuses).toEqual([400, 400, 429, 429])
    expect((await from('203.0.113.250', password)).status).toBe(429)
    expect((await from('198.51.100.1', password)).status).toBe(200)
  })
})
