/** S-22: a write needs rights on every entry whose key or link it changes. Ids that the caller cannot find do not exist. */
import { unrestricted } from '@octavo/core'
import { afterEach, describe, expect, it } from 'vitest'
import { type Permission, stateOfCaller } from '../src/index.ts'
import { openFarSide, ownRights, rightsBut } from './far-side.ts'

let site: Awaited<ReturnType<typeof openFarSide>>
afterEach(() => site?.close())

const state = unrestricted('looks at what is there')
const user = 'plugin::users-permissions.user'
const everywhere = (name: string): Record<string, Partial<Permission>> => ({
  [`api::${name}.${name}.find`]: {},
  [`api::${name}.${name}.findOne`]: {},
})

/** The ids in a relation of an entry, read without narrowing. */
async function ids(name: string, id: number, relation: string): Promise<readonly number[]> {
  const entry = await site.server.octavo.entries(name, state).findOne(id, { populate: relation })
  if (!entry) throw new Error(`There is no ${name} ${id}`)
  const { data } = entry.attributes[relation] as { data: { id: number }[] | { id: number } | null }
  return data === null ? [] : [data].flat().map((one) => one.id)
}
const put = (path: string, data: object, token = site.ada) =>
  site.api.put(`/api/${path}`, { token, body: path.startsWith('users') ? data : { data } })
const connect = (name: string, id: number, relation: string, value: unknown) =>
  site.server.octavo.entries(name, state).update(id, { [relation]: value })
const message = (type: string, count = 1) =>
  `${count} relation(s) of type ${type} associated with this entity do not exist`
const refused = { status: 403, body: { data: null, error: { name: 'ForbiddenError' } } }

describe('S-22: an id that the caller cannot find does not exist', () => {
  const forms: Readonly<Record<string, (id: number) => unknown>> = {
    'an id': (id) => id,
    'a text': (id) => String(id),
    'an object': (id) => ({ id }),
    'an object with its type': (id) => ({ id, type: 'api::project.project' }),
    'a list': (id) => [id],
    connect: (id) => ({ connect: [id] }),
    'connect with a position': (id) => ({ connect: [{ id, position: { start: true } }] }),
    set: (id) => ({ set: [id] }),
  }
  it('in each form of an id', async () => {
    site = await openFarSide()
    for (const [name, form] of Object.entries(forms)) await expectUnknown(name, form)
  })

  async function expectUnknown(name: string, form: (id: number) => unknown): Promise<void> {
    const hidden = await put('notes/1', { project: form(2) })
    const absent = await put('notes/1', { project: form(999) })
    expect(hidden, name).toMatchObject({
      status: 400,
      body: { error: { name: 'ValidationError', message: message('api::project.project') } },
    })
    expect(hidden.text, name).toBe(absent.text)
    expect(await ids('note', 1, 'project'), name).toEqual([])
    expect((await put('notes/1', { project: form(1) })).status, name).toBe(200)
    expect(await ids('note', 1, 'project'), name).toEqual([1])
    await connect('note', 1, 'project', null)
  }

  it('in new entries, lists, components, zones and polymorphic relations', async () => {
    site = await openFarSide()
    const bodies: readonly (readonly [string, (id: number) => object])[] = [
      ['notes', (id) => ({ project: id })],
      ['articles', (id) => ({ tags: [1, id] })],
      ['articles', (id) => ({ parts: [{ note: 1 }, { note: id }] })],
      ['articles', (id) => ({ zone: [{ __component: 'shared.part', note: id }] })],
      ['comments', (id) => ({ subject: { id, type: 'api::article.article', field: 'comments' } })],
      ['comments', (id) => ({ subject: { id, type: 'api::memo.memo' } })],
      ['badges', (id) => ({ holder: id })],
    ]
    for (const [path, body] of bodies) {
      const ask = (id: number) =>
        site.api.post(`/api/${path}`, { token: site.ada, body: { data: { owner: 1, ...body(id) } } })
      const [hidden, absent] = [await ask(2), await ask(999)]
      expect(hidden.status, path).toBe(400)
      expect(hidden.text).toBe(absent.text)
      expect((await ask(1)).status, path).toBe(200)
    }
  })

  it('own drafts can be found like published entries', async () => {
    site = await openFarSide()
    await connect('article', 3, 'publishedAt', null)
    await connect('article', 4, 'publishedAt', null)
    expect((await put('tags/1', { articles: [3] })).status).toBe(200)
    expect((await put('tags/1', { articles: [4] })).text).toBe(
      (await put('tags/1', { articles: [999] })).text,
    )
  })

  it('a type without find has no entries', async () => {
    site = await openFarSide(rightsBut({ 'api::project.project.find': null }))
    const answers = [await put('notes/1', { project: 1 }), await put('notes/1', { project: 999 })]
    expect(answers[0]).toMatchObject({
      status: 400,
      body: { error: { message: message('api::project.project') } },
    })
    expect(answers[0]?.text).toBe(answers[1]?.text)
  })

  it('disconnecting it has no effect, and no entry is positioned next to it', async () => {
    site = await openFarSide()
    await connect('article', 1, 'tags', [2, 1])
    expect((await put('articles/1', { tags: { disconnect: [2] } })).status).toBe(200)
    expect(await ids('article', 1, 'tags')).toEqual([2, 1])
    const beside = (id: number) =>
      put('articles/1', { tags: { connect: [{ id: 3, position: { before: id } }] } })
    const [hidden, absent] = [await beside(2), await beside(4)]
    expect(hidden.status).toBe(400)
    expect(hidden.text.replaceAll('2', '4')).toBe(absent.text)
    expect((await beside(1)).status).toBe(200)
  })

  it('without the right to find users, the own user exists and others do not', async () => {
    site = await openFarSide(rightsBut({ [`${user}.find`]: null }))
    const post = (id: unknown) =>
      site.api.post('/api/memos', { token: site.ada, body: { data: { name: 'new', owner: id } } })
    expect((await post(1)).status).toBe(200)
    expect((await post({ connect: [{ id: 1 }] })).status).toBe(200)
    expect((await post(2)).text).toBe((await post(999)).text)
  })
})

describe('S-22: a key belongs to the row that holds it', () => {
  it('a child of another owner cannot be connected, by user routes or content routes', async () => {
    site = await openFarSide(rightsBut({ ...everywhere('memo'), ...everywhere('note') }))
    for (const memos of [[2], { connect: [2] }, { set: [1, 2] }]) {
      expect(await put('users/1', { memos })).toMatchObject(refused)
      expect(await ids('memo', 2, 'owner')).toEqual([2])
    }
    expect(await put('projects/1', { notes: [2] })).toMatchObject(refused)
    expect(
      await site.api.post('/api/projects', { token: site.ada, body: { data: { owner: 1, notes: [2] } } }),
    ).toMatchObject(refused)
    expect((await put('projects/1', { notes: [1, 3] })).status).toBe(200)
    expect(await ids('project', 1, 'notes')).toEqual([1, 3])
    expect((await put('projects/1', { notes: [3, 1] })).status).toBe(200)
  })

  it('an own child cannot be connected to another owner: `update` is checked before and after', async () => {
    site = await openFarSide()
    // Ada's memo would lose its owner.
    expect(await put('users/1', { memos: { disconnect: [1] } })).toMatchObject(refused)
    expect(await put('users/1', { memos: [] })).toMatchObject(refused)
    expect(await ids('memo', 1, 'owner')).toEqual([1])
  })

  it('the attribute must be in the fields of the permission', async () => {
    site = await openFarSide(
      rightsBut({ 'api::note.note.update': { where: { owner: { id: '$user.id' } }, fields: ['name'] } }),
    )
    expect(await put('projects/1', { notes: [1] })).toMatchObject(refused)
    expect((await put('projects/1', { notes: [] })).status).toBe(200)
    expect((await put('projects/1', { name: 'New' })).status).toBe(200)
  })

  it('the child of a one-to-one relation cannot be connected, from either side', async () => {
    site = await openFarSide(rightsBut({ ...everywhere('badge'), ...everywhere('seat') }))
    await connect('badge', 2, 'holder', 2)
    // Bob's badge would lose its seat.
    expect(await put('badges/1', { holder: 2 })).toMatchObject(refused)
    expect(await put('seats/1', { badge: 2 })).toMatchObject(refused)
    expect(await ids('badge', 2, 'holder')).toEqual([2])
    expect((await put('badges/1', { holder: 4 })).status).toBe(200)
    expect((await put('seats/1', { badge: 1 })).status).toBe(200)
    // A seat with another badge, which the caller cannot find.
    await connect('seat', 3, 'badge', 4)
    expect(await put('seats/3', { badge: 3 })).toMatchObject(refused)
    expect(await ids('seat', 3, 'badge')).toEqual([4])
  })

  it('setting a list does not remove children that the caller cannot find', async () => {
    site = await openFarSide()
    await connect('project', 1, 'notes', [2, 1])
    expect((await put('projects/1', { notes: [3] })).status).toBe(200)
    expect(await ids('note', 2, 'project')).toEqual([1])
    expect(await ids('note', 1, 'project')).toEqual([])
    expect(await ids('note', 3, 'project')).toEqual([1])
  })
})

describe('S-22: a link of a many-to-many relation belongs to the side without mappedBy', () => {
  it('setting a list does not remove entries that the caller cannot find', async () => {
    site = await openFarSide(rightsBut(everywhere('article')))
    await connect('article', 1, 'tags', [4, 1, 2])
    for (const [given, stored] of [
      [[3], [4, 2, 3]],
      [
        [1, 3],
        [4, 2, 1, 3],
      ],
      [{ set: [3, 1] }, [4, 2, 3, 1]],
      [[], [4, 2]],
      [null, [4, 2]],
    ]) {
      expect((await put('articles/1', { tags: given })).status).toBe(200)
      expect(await ids('article', 1, 'tags')).toEqual(stored)
    }
    const bulk = { update: [{ id: 1, tags: [1] }] }
    expect((await site.api.post('/api/articles/actions/bulk', { token: site.ada, body: bulk })).status).toBe(
      200,
    )
    expect(await ids('article', 1, 'tags')).toEqual([4, 2, 1])
    // Who finds all of them replaces all.
    expect((await put('articles/2', { tags: [2] }, site.bob)).status).toBe(200)
    await connect('article', 2, 'tags', [2, 4])
    expect((await put('articles/2', { tags: [] }, site.bob)).status).toBe(200)
    expect(await ids('article', 2, 'tags')).toEqual([])
  })

  it('an author may tag an article without `update` on tags, but not connect articles to a tag', async () => {
    site = await openFarSide(
      rightsBut({ ...everywhere('tag'), ...everywhere('article'), 'api::tag.tag.update': {} }),
    )
    expect((await put('articles/1', { tags: [2, 1] })).status).toBe(200)
    expect(await put('articles/2', { tags: [1] })).toMatchObject({ status: 404 })
    expect(await put('tags/1', { articles: [1, 2] })).toMatchObject(refused)
    await connect('article', 2, 'tags', [1])
    expect(await put('tags/1', { articles: [1] })).toMatchObject(refused)
    expect(await put('tags/1', { articles: { disconnect: [2] } })).toMatchObject(refused)
    expect(await ids('article', 2, 'tags')).toEqual([1])
    expect((await put('tags/1', { articles: { disconnect: [1] } })).status).toBe(200)
    expect((await put('tags/1', { articles: [2, 3] })).status).toBe(200)
    expect(await ids('tag', 1, 'articles')).toEqual([2, 3])
  })

  it('a polymorphic link belongs to the entry that has the morphTo', async () => {
    site = await openFarSide(rightsBut({ ...everywhere('comment'), ...everywhere('article') }))
    expect(await put('articles/1', { comments: [2] })).toMatchObject(refused)
    expect((await put('articles/1', { comments: [1, 3] })).status).toBe(200)
    await connect('article', 1, 'comments', [1, 2])
    expect(await put('articles/1', { comments: [1] })).toMatchObject(refused)
    expect(await put('articles/1', { comments: { disconnect: [2] } })).toMatchObject(refused)
    expect(await ids('article', 1, 'comments')).toEqual([1, 2])
    // A to-one attribute loses its former comment.
    await connect('article', 2, 'headline', 4)
    const subject = { id: 2, type: 'api::article.article', field: 'headline' }
    expect(await put('comments/1', { subject })).toMatchObject(refused)
    expect(await ids('article', 2, 'headline')).toEqual([4])
  })
})

describe('S-22: rights on other entries are checked', () => {
  it('in bulk', async () => {
    site = await openFarSide(rightsBut(everywhere('note')))
    const bulk = (body: object) => site.api.post('/api/projects/actions/bulk', { token: site.ada, body })
    expect(
      await bulk({
        update: [
          { id: 1, notes: [1] },
          { id: 3, notes: [2] },
        ],
      }),
    ).toMatchObject(refused)
    expect(await bulk({ create: [{ owner: 1 }, { owner: 1, notes: [2] }] })).toMatchObject(refused)
    expect(await ids('note', 1, 'project')).toEqual([])
    expect((await bulk({ create: [{ owner: 1, notes: [1] }], update: [{ id: 3, notes: [3] }] })).status).toBe(
      200,
    )
  })

  it('for a program with the rights of a user, and not for an unrestricted one', async () => {
    site = await openFarSide(rightsBut(everywhere('memo')))
    const { octavo } = site.server
    const caller = stateOfCaller({ userId: 1, grants: (await octavoGrants()).grants })
    const users = octavo.entries('user', caller)
    await expect(users.update(1, { memos: [2] })).rejects.toMatchObject({ status: 403 })
    await expect(
      octavo.transaction(async (tx) => {
        await tx.entries('user').update(1, { memos: [1, 2] } as object)
      }, caller),
    ).rejects.toMatchObject({ status: 403 })
    await octavo.entries('user', state).update(1, { memos: [1, 2] })
    expect(await ids('user', 1, 'memos')).toEqual([1, 2])
  })

  it('in the response, at every node', async () => {
    site = await openFarSide(
      rightsBut({
        'api::article.article.find': { where: { owner: { id: '$user.id' } }, fields: ['name', 'tags'] },
        'api::article.article.findOne': null,
        'api::article.article.update': {},
      }),
    )
    await connect('article', 1, 'tags', [1, 2])
    const { body } = await put('articles/1?populate=tags,owner', { name: 'New' })
    expect(body.data.attributes).toMatchObject({ name: 'New', tags: { data: [{ id: 1 }] } })
    expect(Object.keys(body.data.attributes)).toEqual(['name', 'tags'])
    const foreign = await put('articles/2?populate=*', { name: 'Known by its id' })
    expect(foreign).toMatchObject({ status: 200, body: { data: { id: 2, attributes: {} } } })
    expect(foreign.body.data.attributes).toEqual({})
    await site.close()

    site = await openFarSide(['api::memo.memo.update', 'api::memo.memo.create', 'api::memo.memo.delete'])
    const { attributes } = (await put('memos/2', { name: 'Blind' })).body.data
    expect(attributes).toEqual({})
    const made = await site.api.post('/api/memos', { token: site.ada, body: { data: { name: 'Made' } } })
    expect(made.body.data.attributes.name).toBe('Made')
    const { body: gone } = await site.api.delete('/api/memos/4', { token: site.ada })
    expect(gone.data).toMatchObject({ id: 4, attributes: {} })
    expect(gone.data.attributes).toEqual({})
  })

  async function octavoGrants() {
    const { grantsOf } = await import('../src/rights/grants.ts')
    return { grants: grantsOf(rightsBut(everywhere('memo'))) }
  }
})

describe("S-22: farSide: 'find'", () => {
  const plain = ['note', 'project', 'tag', 'article'].flatMap((name) =>
    ['find', 'update'].map((action) => `api::${name}.${name}.${action}`),
  )
  const without = plain.filter((action) => !/(note|article)\.update$/.test(action))

  it('requires only `find` on the other entry, as the reference server does', async () => {
    site = await openFarSide(without)
    expect(await put('projects/1', { notes: [2] })).toMatchObject(refused)
    await site.close()
    site = await openFarSide(without, { farSide: 'find' })
    expect((await put('projects/1', { notes: [2] })).status).toBe(200)
    expect((await put('tags/1', { articles: [2] })).status).toBe(200)
    expect((await put('projects/1', { notes: [999] })).status).toBe(400)
  })

  it('requires `update` where either type has a condition or a field list for the role', async () => {
    const find = 'api::note.note.findOne'
    for (const limit of [{ fields: ['name'] }, { where: { owner: { id: '$user.id' } } }] as const) {
      for (const action of [find, 'api::project.project.delete']) {
        site = await openFarSide([...without, { action, ...limit }], { farSide: 'find' })
        expect(await put('projects/1', { notes: [2] }), action).toMatchObject(refused)
        await site.close()
      }
    }
    expect(ownRights.length).toBeGreaterThan(0)
  })
})
