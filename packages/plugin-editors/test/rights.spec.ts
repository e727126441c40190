import { afterEach, describe, expect, it } from 'vitest'
import { article, type DeskSite, openDesk, program } from './desk.ts'

let site: DeskSite
afterEach(() => site?.close())

const articles = 'content/articles'
const all = '?publicationState=preview&locale=all&sort=id'
const ids = ({ body }: { body: { data: readonly { id: number }[] } }) => body.data.map(({ id }) => id)
const own = { createdBy: '$editor.id' } as const

describe('Reading', () => {
  it('shows entries by locale and condition, and attributes by path, also private ones', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const seo = { title: 'a', text: 'b' }
    await ada.post('/desk/api/content/articles', { data: { title: 'En', note: 'n', code: 'Secret-1', seo } })
    await ada.post('/desk/api/content/articles', { data: { title: 'Fr', locale: 'fr', seo } })
    await ada.post('/desk/api/content/articles', { data: { title: 'De', locale: 'de' } })
    expect(ids(await ada.get(`${articles}${all}`))).toEqual([1, 2, 3])
    const shown = await ada.get(`${articles}/1?publicationState=preview&populate=*`)
    expect(shown.body.data.attributes).toMatchObject({
      title: 'En',
      note: 'n',
      publishedAt: null,
      createdBy: { data: { id: 1, attributes: { firstname: 'Ada' } } },
      createdByCaller: 'editor 1',
    })
    expect(shown.body.data.attributes).not.toHaveProperty('code')
    expect(JSON.stringify(shown.body)).not.toContain('example.org')
    const rex = await site.hire('rex', [
      { action: 'read', type: article, fields: ['title', 'seo.title'], locales: ['fr'] },
    ])
    const list = await rex.get(`${articles}${all}&populate=*`)
    expect(ids(list)).toEqual([2])
    expect(list.body.data[0].attributes.seo).toEqual({ id: 2, title: 'a' })
    expect(list.body.data[0].attributes).not.toHaveProperty('note')
    expect((await rex.get(`${articles}/1?publicationState=preview`)).status).toBe(404)
    for (const query of [
      'filters[note]=n',
      'sort=note',
      'filters[seo][text]=b',
      'fields=views',
      'sort=seo.text',
    ])
      expect([query, (await rex.get(`${articles}${all}&${query}`)).status]).toEqual([query, 400])
    expect(ids(await rex.get(`${articles}${all}&filters[seo][title]=a`))).toEqual([2])
    expect((await rex.get('content/categories')).status).toBe(403)
    expect((await rex.get('content/users')).status).toBe(404)
    expect((await rex.get('content/nothing')).status).toBe(404)
  })

  it('is refused where the condition of a stored right has a mistake, with the right that has it', async () => {
    site = await openDesk()
    const bob = await site.hire('bob', [
      { action: 'read', type: article, where: { category: { name: 'x' } } },
    ])
    const { octavo } = site.server
    // As an earlier version took it, or of an attribute that the content-type had.
    for (const [where, mistake] of [
      ['{"category":{}}', 'where[category]: the object has no conditions.'],
      ['{"gone":1}', 'api::article.article has no attribute "gone"'],
    ]) {
      const right = `[{"action":"read","type":"${article}","where":${where}}]`
      await octavo.store.query(`update desk_roles set rights = '${right}' where id = 2`)
      const { status, body } = await bob.get(articles)
      expect([status, body.error.details.code]).toEqual([403, 'desk/broken-right'])
      expect(body.error.message).toBe(
        `A role of yours has a mistake in the condition of its right to read ${article}; a person who may change roles has to correct it: ${mistake}`,
      )
    }
  })

  it('shows each of two people, one after the other, what their own rights reach', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    await ada.post(articles, { data: { title: 'En', note: 'n' } })
    await ada.post(articles, { data: { title: 'Fr', note: 'n', locale: 'fr' } })
    const rights = [
      { locales: ['fr'], fields: ['title'] },
      { locales: ['en'], fields: ['note'] },
      { where: { title: 'Fr' } },
      { where: own },
    ]
    const seen: unknown[] = []
    for (const [i, right] of rights.entries()) {
      const person = await site.hire(`person-${i}`, [{ action: 'read', type: article, ...right }])
      const { body } = await person.get(`${articles}${all}`)
      seen.push(
        body.data.map(({ attributes: { title, note } }: { attributes: object & Record<string, unknown> }) => [
          title,
          note,
        ]),
      )
    }
    expect(seen).toEqual([[['Fr', undefined]], [[undefined, 'n']], [['Fr', 'n']], []])
  })

  it('leaves strangers, users and tokens as they were', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const made = await ada.post(articles, { data: { title: 'Draft', note: 'n' } })
    const visitor = site.visitor()
    expect((await visitor.get(`/api/articles/${made.body.data.id}`)).status).toBe(404)
    await ada.post(`${articles}/${made.body.data.id}/actions/publish`)
    const answer = await visitor.get('/api/articles?populate=*')
    expect(Object.keys(answer.body.data[0].attributes).sort()).toEqual(
      [
        'createdAt',
        'links',
        'locale',
        'localizations',
        'publishedAt',
        'seo',
        'summary',
        'title',
        'updatedAt',
        'views',
      ].sort(),
    )
    for (const query of ['filters[createdBy][firstname]=Ada', 'sort=createdByCaller', 'filters[note]=n'])
      expect((await visitor.get(`/api/articles?${query}`)).status).toBe(400)
  })
})

describe('Writing', () => {
  it('takes the attributes of the right, and names the first other one', async () => {
    site = await openDesk()
    const fields = ['title', 'seo.title']
    const bob = await site.hire('bob', [
      { action: 'create', type: article, fields, locales: ['en', 'fr'] },
      { action: 'read', type: article, where: own },
      { action: 'update', type: article, fields, where: own },
      { action: 'delete', type: article, where: own },
    ])
    const made = await bob.post(articles, { data: { title: 'Mine', seo: { title: 'a' } } })
    expect(made.body.data.attributes).toMatchObject({ title: 'Mine', publishedAt: null })
    const { id } = made.body.data
    const refused = await bob.put(`${articles}/${id}`, { data: { title: 'x', views: 5 } })
    expect(refused).toMatchObject({
      status: 403,
      body: {
        error: { message: 'You may not write "views"', details: { code: 'desk/field', field: 'views' } },
      },
    })
    expect(
      (await bob.put(`${articles}/${id}`, { data: { seo: { title: 'x', text: 'y' } } })).body.error.message,
    ).toBe('You may not write "seo.text"')
    expect((await bob.post(articles, { data: { title: 'De', locale: 'de' } })).status).toBe(403)
    const ada = await site.person('ada@example.org')
    const other = await ada.post(articles, { data: { title: 'Hers' } })
    expect((await bob.put(`${articles}/${other.body.data.id}`, { data: { title: 'x' } })).status).toBe(404)
    expect((await bob.delete(`${articles}/${other.body.data.id}`)).status).toBe(404)
    expect((await bob.delete(`${articles}/${id}`)).status).toBe(200)
  })

  it('keeps the values of components that the editor may not write', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const seo = { title: 'a', text: 'kept' }
    const made = await ada.post(`${articles}?populate=*`, {
      data: { title: 'T', seo, links: [seo, { title: 'b', text: 'too' }] },
    })
    const { id, attributes } = made.body.data
    const [first, second] = attributes.links
    const bob = await site.hire('bob', [
      { action: 'read', type: article },
      { action: 'update', type: article, fields: ['seo.title', 'links.title'] },
    ])
    const put = (data: object) => bob.put(`${articles}/${id}?populate=*`, { data })
    expect((await put({ seo: { title: 'new' } })).body.data.attributes.seo).toEqual({
      id: attributes.seo.id,
      title: 'new',
      text: 'kept',
    })
    expect((await put({ seo: null })).body.error.message).toBe('You may not write "seo"')
    expect((await put({ links: [{ id: first.id, title: 'only' }] })).status).toBe(403)
    expect((await put({ links: [] })).status).toBe(403)
    const links = [{ id: second.id, title: 'second' }, { id: first.id }, { title: 'third' }]
    expect((await put({ links })).body.data.attributes.links).toMatchObject([
      { id: second.id, title: 'second', text: 'too' },
      { id: first.id, title: 'a', text: 'kept' },
      { title: 'third', text: null },
    ])
  })

  it('publishes with the right to, however it is done', async () => {
    site = await openDesk()
    const bob = await site.hire('bob', [
      { action: 'create', type: article },
      { action: 'read', type: article },
      { action: 'update', type: article },
    ])
    const { body } = await bob.post(articles, { data: { title: 'Mine' } })
    const path = `${articles}/${body.data.id}`
    const publishedAt = '2024-01-01T00:00:00.000Z'
    expect((await bob.put(path, { data: { publishedAt } })).status).toBe(403)
    expect((await bob.post(articles, { data: { title: 'x', publishedAt } })).status).toBe(403)
    expect((await bob.post(`${path}/actions/publish`)).status).toBe(403)
    expect(
      (await bob.post(`${articles}/actions/bulk`, { update: [{ id: body.data.id, publishedAt }] })).status,
    ).not.toBe(200)
    const rex = await site.hire('rex', [
      { action: 'read', type: article },
      { action: 'publish', type: article, locales: ['en'] },
    ])
    expect((await rex.put(path, { data: { title: 'x' } })).status).toBe(403)
    expect((await rex.post(`${path}/actions/publish`)).body.data.attributes.publishedAt).toEqual(
      expect.any(String),
    )
    const fr = await bob.post(articles, { data: { title: 'Fr', locale: 'fr' } })
    expect((await rex.post(`${articles}/${fr.body.data.id}/actions/publish`)).status).toBe(404)
    // A published entry is changed by `update`, and unpublished by `publish`.
    expect((await bob.put(path, { data: { title: 'Later' } })).status).toBe(200)
    expect((await bob.put(path, { data: { publishedAt: null } })).status).toBe(403)
  })

  it('changes an entry from the other side of a relation with the right to change it', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const theirs = await ada.post(articles, { data: { title: 'Of Ada' } })
    await ada.post('content/categories', { data: { name: 'News' } })
    const category = 'api::category.category'
    const rex = await site.hire('rex', [
      { action: 'read', type: article },
      { action: 'create', type: article },
      { action: 'update', type: article, where: own },
      { action: 'read', type: category },
      { action: 'update', type: category },
    ])
    const mine = await rex.post(articles, { data: { title: 'Of Rex' } })
    const put = (id: number) => rex.put('content/categories/1', { data: { articles: { connect: [id] } } })
    expect((await put(theirs.body.data.id)).status).toBe(403)
    expect((await put(mine.body.data.id)).status).toBe(200)
    const inCategory = await ada.get(`${articles}${all}&filters[category][id]=1`)
    expect(ids(inCategory)).toEqual([mine.body.data.id])
  })

  it('records who made and who changed an entry, whatever the body says', async () => {
    site = await openDesk({}, {})
    const ada = await site.person('ada@example.org')
    const bob = await site.hire('bob', [
      { action: 'read', type: article },
      { action: 'update', type: article },
    ])
    const made = await ada.post(articles, { data: { title: 'T', createdBy: 2, updatedBy: 2 } })
    const path = `${articles}/${made.body.data.id}?populate=createdBy,updatedBy`
    await bob.put(path, { data: { title: 'U', createdBy: 2, createdByCaller: 'user 9' } })
    const { attributes } = (await ada.get(`${path}&publicationState=preview`)).body.data
    expect(attributes).toMatchObject({
      createdBy: { data: { id: 1 } },
      updatedBy: { data: { id: 2 } },
      createdByCaller: 'editor 1',
      updatedByCaller: 'editor 2',
    })
    const entries = site.server.octavo.entries('article', program)
    await entries.update(made.body.data.id, { title: 'By a program' })
    expect((await ada.get(`${path}&publicationState=preview`)).body.data.attributes.updatedByCaller).toBe(
      'editor 2',
    )
  })

  it('keeps the creator and the last writer of each localization', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const bob = await site.hire('bob', [
      { action: 'create', type: article },
      { action: 'read', type: article },
      { action: 'update', type: article },
    ])
    const english = (await ada.post(articles, { data: { title: 'T', category: null } })).body.data.id
    const french = (await bob.post(`${articles}/${english}/localizations`, { locale: 'fr', title: 'F' })).body
      .id
    const stored = async (id: number) => {
      const { attributes } = (
        await ada.get(`${articles}/${id}?populate=createdBy,updatedBy&publicationState=preview`)
      ).body.data
      const { createdBy, updatedBy, createdByCaller, updatedByCaller, updatedAt } = attributes
      return { by: [createdBy.data.id, updatedBy.data.id, createdByCaller, updatedByCaller], updatedAt }
    }
    const [first, second] = [await stored(english), await stored(french)]
    expect(first.by).toEqual([1, 1, 'editor 1', 'editor 1'])
    expect(second.by).toEqual([2, 2, 'editor 2', 'editor 2'])
    await ada.put(`${articles}/${french}`, { data: { title: 'G' } })
    expect((await stored(french)).by).toEqual([2, 1, 'editor 2', 'editor 1'])
    expect(await stored(english)).toEqual(first)
    await bob.put(`${articles}/${english}`, { data: { title: 'U' } })
    expect((await stored(french)).by).toEqual([2, 1, 'editor 2', 'editor 1'])
  })
})

describe('The rights of several roles', () => {
  it('never add up to more than each of them', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    for (const data of [
      { title: 'En', summary: 'e' },
      { title: 'Fr', summary: 'f', locale: 'fr' },
    ])
      await ada.post(articles, { data })
    const bob = await site.hire('bob', [
      { action: 'read', type: article, fields: ['title', 'summary'], locales: ['fr'] },
      { action: 'read', type: article, fields: ['title', 'views'], locales: ['en'] },
    ])
    const { body } = await bob.get(`${articles}${all}`)
    expect(body.data.map(({ attributes }: { attributes: object }) => Object.keys(attributes))).toEqual(
      [
        ['title', 'createdAt', 'updatedAt', 'publishedAt', 'createdByCaller', 'updatedByCaller', 'locale'],
        ['title', 'createdAt', 'updatedAt', 'publishedAt', 'createdByCaller', 'updatedByCaller', 'locale'],
      ].map((keys) => expect.arrayContaining(keys)),
    )
    expect(JSON.stringify(body)).not.toContain('summary')
  })

  it('answer what a person may do with an entry', async () => {
    site = await openDesk()
    const ada = await site.person('ada@example.org')
    const bob = await site.hire('bob', [
      { action: 'create', type: article },
      { action: 'read', type: article, locales: ['en'] },
      { action: 'update', type: article, where: own },
    ])
    const hers = await ada.post(articles, { data: { title: 'Hers' } })
    const his = await bob.post(articles, { data: { title: 'His' } })
    const fr = await ada.post(articles, { data: { title: 'Fr', locale: 'fr' } })
    const may = async (answer: typeof hers) => (await bob.get(`may/articles/${answer.body.data.id}`)).body
    expect(await may(hers)).toEqual({ read: true, update: false, delete: false, publish: false })
    expect(await may(his)).toEqual({ read: true, update: true, delete: false, publish: false })
    expect(await may(fr)).toMatchObject({ error: { status: 404 } })

    const [first, second, third] = [hers, his, fr].map(({ body }) => body.data.id)
    const list = (text: string) => bob.get(`may/articles?ids=${text}`)
    expect((await list(`${third},${second},${first},${second},999`)).body).toEqual({
      [first]: { read: true, update: false, delete: false, publish: false },
      [second]: { read: true, update: true, delete: false, publish: false },
    })
    const many = Array.from({ length: 100 }, (_, i) => i + 1).join(',')
    expect(Object.keys((await list(many)).body)).toEqual([String(first), String(second)])
    for (const text of ['', '1,', 'x', '1,-2', '1;2', `${many},101`])
      expect([text, await list(text)]).toMatchObject([
        text,
        { status: 400, body: { error: { message: 'ids must be from 1 to 100 ids, separated by commas' } } },
      ])
    expect((await bob.get('may/articles')).status).toBe(400)
    expect((await bob.get('may/nothing?ids=1')).status).toBe(404)
    expect((await bob.get('may/categories?ids=1')).body).toEqual({})
  })
})
