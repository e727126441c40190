/** Layouts of lists and forms, and saved views. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { article, type DeskSite, openDesk, type Person } from './desk.ts'

let site: DeskSite
let ada: Person
let ann: Person
let bob: Person
beforeAll(async () => {
  site = await openDesk()
  ada = await site.person('ada@example.org')
  ann = await site.hire('ann', [{ action: 'read', type: article }, { action: 'layouts' }])
  bob = await site.hire('bob', [{ action: 'read', type: article }])
})
afterAll(() => site.close())

describe('layouts', () => {
  it('are computed from the definition until somebody changes them', async () => {
    const { body } = await bob.get(`layouts/${article}`)
    expect(body).toMatchObject({
      mainField: 'title',
      list: {
        columns: ['title', 'summary', 'views', 'note', 'updatedAt'],
        sort: 'updatedAt:desc',
        pageSize: 25,
      },
      fields: { title: { label: 'Title' } },
    })
    expect(body.form.flat().map(({ name }: { name: string }) => name)).toEqual([
      'title',
      'summary',
      'views',
      'note',
      'code',
      'category',
      'seo',
      'links',
    ])
    const all = await bob.get('layouts')
    expect(Object.keys(all.body)).toEqual([article, 'shared.seo'])
    expect((await bob.get('layouts/api::category.category')).status).toBe(404)
  })

  it('are changed by those who may, and returned to the usual ones', async () => {
    const { body: usual } = await ann.get(`layouts/${article}`)
    const changed = {
      ...usual,
      list: { ...usual.list, columns: ['id', 'title'], sort: 'views:desc', pageSize: 10, select: false },
      form: [
        [
          { name: 'title', size: 8 },
          { name: 'views', size: 4 },
        ],
      ],
      fields: {
        ...usual.fields,
        title: { label: 'Headline', description: 'At most 120 letters', readOnly: true },
      },
    }
    expect((await bob.put(`layouts/${article}`, changed)).status).toBe(403)
    expect(await ann.put(`layouts/${article}`, changed)).toMatchObject({ status: 200, body: changed })
    expect((await bob.get(`layouts/${article}`)).body).toEqual(changed)
    expect((await ann.delete(`layouts/${article}`)).status).toBe(200)
    expect((await bob.get(`layouts/${article}`)).body).toEqual(usual)
  })

  it('and roles and people are changed by one of two who name the version that both have read', async () => {
    const { body: role } = await ada.post('roles', { name: 'Guests', rights: [] })
    const { body: invited } = await ada.post('people', { email: 'eve@example.org', roles: [] })
    const { body: usual } = await ada.get(`layouts/${article}`)
    for (const [path, mine, theirs] of [
      [`people/${invited.person.id}`, { roles: [role.id] }, { active: false, roles: [] }],
      [`roles/${role.id}`, { name: 'Visitors' }, { rights: [{ action: 'layouts' }] }],
      [`layouts/${article}`, { ...usual, mainField: 'summary' }, { ...usual, form: [] }],
    ] as const) {
      const read = await ada.get(path)
      const match = (answer: { readonly headers: Headers }) => ({
        'If-Match': answer.headers.get('etag') ?? 'none',
      })
      const both = await Promise.all([mine, theirs].map((body) => ada.send('PUT', path, body, match(read))))
      expect([path, both.map(({ status }) => status).sort()]).toEqual([path, [200, 412]])
      const [done, refused] = both.toSorted((a, b) => a.status - b.status) as [typeof read, typeof read]
      expect(refused.body.error.details.code).toBe('precondition/changed')
      expect((await ada.get(path)).body).toEqual(done.body)

      // The answer has the version for the next change.
      expect((await ada.send('PUT', path, mine, match(done))).status).toBe(200)
      expect((await ada.send('DELETE', path, undefined, match(read))).status).toBe(412)
      expect((await ada.send('PUT', path, theirs)).status).toBe(200)
      expect((await ada.send('DELETE', path, undefined, match(await ada.get(path)))).status).toBe(200)
    }
  })

  it('with mistakes are refused, all at once', async () => {
    const { status, body } = await ada.put(`layouts/${article}`, {
      mainField: 'titel',
      list: { columns: [], pageSize: 0, sort: 'title', search: 1, filters: true, select: true },
      form: [
        [
          { name: 'title', size: 13 },
          { name: 'title', size: 1 },
          { name: 'createdBy', size: 1 },
        ],
      ],
      fields: { title: { label: '' }, other: { label: 'Other' } },
    })
    expect(status).toBe(400)
    expect(body.error.details.errors.map(({ path }: { path: string[] }) => path.join('.'))).toEqual([
      'mainField',
      'list.columns',
      'list.pageSize',
      'list.sort',
      'list.search',
      'form',
      'form',
      'form',
      'fields.title.label',
      'fields.other',
    ])
    expect((await ada.put('layouts/api::none.none', {})).status).toBe(404)
  })
})

describe('S-68: Saved views', () => {
  const view = {
    type: article,
    name: 'News',
    query: 'filters[title][$contains]=news&sort=title:asc',
    shared: false,
  }

  it('are own ones, or shared by those who may', async () => {
    const own = await bob.post('views', view)
    expect(own).toMatchObject({ status: 201, body: { ...view, mine: true } })
    expect((await bob.post('views', { ...view, shared: true })).status).toBe(403)
    const shared = await ann.post('views', { ...view, name: 'For all', shared: true })
    expect((await bob.get(`views?type=${article}`)).body).toEqual([own.body, { ...shared.body, mine: false }])
    expect((await ann.get('views')).body).toEqual([shared.body])
    // Neither another one's view nor a shared one is changed without the right.
    expect((await ann.put(`views/${own.body.id}`, view)).status).toBe(404)
    expect((await bob.delete(`views/${shared.body.id}`)).status).toBe(403)
    const renamed = await bob.put(`views/${own.body.id}`, { ...view, name: 'Old news' })
    expect(renamed.body).toEqual({ ...own.body, name: 'Old news' })
    expect((await bob.put(`views/${own.body.id}`, { ...view, shared: true })).status).toBe(403)
    expect((await bob.delete(`views/${own.body.id}`)).status).toBe(200)
    expect((await ada.delete(`views/${shared.body.id}`)).status).toBe(200)
    expect((await bob.get('views')).body).toEqual([])
  })

  it('belong to lists that the person may see, and are of the right form', async () => {
    const other = await ada.post('views', { ...view, type: 'api::category.category', shared: true })
    expect(other.status).toBe(201)
    expect((await bob.get('views')).body).toEqual([])
    const { status, body } = await bob.post('views', {
      type: 'api::category.category',
      name: ' ',
      query: 'x'.repeat(9_000),
      shared: 'yes',
    })
    expect(status).toBe(400)
    expect(body.error.details.errors.map(({ path }: { path: string[] }) => path[0])).toEqual([
      'type',
      'name',
      'query',
      'shared',
    ])
  })

  it('are queries, which run with the rights of who opens them', async () => {
    await ada.post('content/articles', { data: { title: 'T', note: 'secret' } })
    const query = 'filters[note][$contains]=secret&publicationState=preview'
    const shared = (await ada.post('views', { ...view, query, shared: true })).body
    const eve = await site.hire('eve', [{ action: 'read', type: article, fields: ['title'] }])
    const seen = (await eve.get('views')).body.find(({ id }: { id: number }) => id === shared.id)
    expect(seen.query).toBe(query)
    expect((await ann.get(`content/articles?${seen.query}`)).body.data).toHaveLength(1)
    // Not a matter of what the note says.
    for (const word of ['secret', 'other'])
      expect((await eve.get(`content/articles?${query.replace('secret', word)}`)).status).toBe(400)
    await ada.delete(`views/${shared.id}`)
  })

  it('are at most 500 of a person: one more is refused, and none is removed', async () => {
    const { body: me } = await bob.get('me')
    const { body: before } = await bob.get('views')
    const own = before.filter(({ mine }: { mine: boolean }) => mine).length
    await site.server.octavo.store.query(
      `insert into octavo_desk_views (editor_id, type, name, query, shared, changed_at)
       select ${me.person.id}, '${article}', 'view ' || n, '', false, now() from generate_series(1, ${500 - own}) n`,
    )
    const more = { type: article, name: 'One more', query: '' }
    expect(await bob.post('views', more)).toMatchObject({
      status: 400,
      body: { error: { details: { code: 'desk/too-many-views' } } },
    })
    const { body: views } = await bob.get('views')
    expect(views.filter(({ mine }: { mine: boolean }) => mine)).toHaveLength(500)
    await bob.delete(`views/${views.at(-1).id}`)
    expect((await bob.post('views', more)).status).toBe(201)
  })
})
