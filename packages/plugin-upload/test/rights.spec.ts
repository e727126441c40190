/** Rights on files: S-23, S-32 and S-33. */
import { type RequestState, unrestricted } from '@octavo/core'
import {
  type Permission,
  type UsersPermissionsOptions,
  usersPermissions,
} from '@octavo/plugin-users-permissions'
import type { Client } from '@octavo/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { form, openSite, type Site } from './site.ts'

const program: RequestState = unrestricted('fills the test')
const own = { uploadedBy: { id: '$user.id' } }
const action = (name: string): string => `plugin::upload.content-api.${name}`

let site: Site
let eve: Client
let ann: Client

/** A site where callers with an account have these permissions, and two of them. */
async function open(
  permissions: readonly (string | Permission)[],
  options: UsersPermissionsOptions = {},
): Promise<void> {
  const users = usersPermissions({
    ...options,
    permissions: { ...options.permissions, authenticated: permissions },
  })
  site = await openSite({}, { others: [users], rateLimit: false })
  const login = async (name: string): Promise<Client> => {
    const body = { username: name, email: `${name}@example.com`, password: 'secret-enough' }
    const { status, body: answer } = await site.api.post('/api/auth/local/register', { body })
    expect([status, answer.error]).toEqual([200, undefined])
    return withToken(site.api, answer.jwt)
  }
  ann = await login('ann')
  eve = await login('eve')
}

const withToken = (api: Client, token: string): Client => ({
  ...api,
  get: (path, request) => api.get(path, { ...request, token }),
  post: (path, request) => api.post(path, { ...request, token }),
  put: (path, request) => api.put(path, { ...request, token }),
  delete: (path, request) => api.delete(path, { ...request, token }),
})

const text = (content = 'a', name = 'a.txt') => [{ name, content }]
const uploaded = async (client: Client): Promise<{ id: number; url: string }> => {
  const { status, body } = await client.post('/api/upload', { body: form(text()) })
  expect([status, body.error]).toEqual([200, undefined])
  return body[0]
}
const contentOf = async ({ url }: { readonly url: string }) => (await fetch(site.url + url)).text()

describe('S-23: permissions that are limited to own files', () => {
  let hers: { id: number; url: string }
  beforeAll(async () => {
    await open([
      { action: action('upload'), where: own },
      { action: action('replace'), where: own },
      { action: action('find'), where: own, fields: ['name', 'url'] },
      { action: action('findOne'), where: own },
      { action: action('destroy'), where: own },
    ])
    hers = await uploaded(ann)
    await uploaded(eve)
  })
  afterAll(() => site.close())

  it('hide the files of others from the list, its filters and its search', async () => {
    const ids = async (client: Client, query = '') =>
      (await client.get(`/api/upload/files${query}`)).body.map(({ id }: { id: number }) => id)
    expect(await ids(ann)).toEqual([hers.id])
    expect(await ids(eve)).not.toContain(hers.id)
    expect(await ids(eve, `?filters[id]=${hers.id}`)).toEqual([])
    expect(await ids(eve, '?_q=a.txt')).not.toContain(hers.id)
  })

  it('answer with the permitted fields only, and filter by no other', async () => {
    const { body } = await ann.get('/api/upload/files')
    expect(Object.keys(body[0]).sort()).toEqual(['id', 'name', 'url'])
    expect((await ann.get('/api/upload/files?filters[mime][$startsWith]=text')).status).toBe(400)
    expect((await ann.get('/api/upload/files?sort=size')).status).toBe(400)
  })

  it('refuse to read, rename, replace and delete the file of another as one that does not exist', async () => {
    const requests = [
      () => eve.get(`/api/upload/files/${hers.id}`),
      () => eve.delete(`/api/upload/files/${hers.id}`),
      () => eve.post(`/api/upload?id=${hers.id}`, { body: form([], { fileInfo: { name: 'x.txt' } }) }),
      () => eve.post(`/api/upload?id=${hers.id}`, { body: form(text('evil')) }),
    ]
    for (const request of requests) expect((await request()).status).toBe(404)
    expect(await contentOf(hers)).toBe('a')
    const { body } = await ann.get(`/api/upload/files/${hers.id}`)
    expect(body.name).toBe('a.txt')
  })

  it('allow to read, rename, replace and delete own files', async () => {
    const mine = await uploaded(eve)
    const info = await eve.post(`/api/upload?id=${mine.id}`, {
      body: form([], { fileInfo: { name: 'x.txt' } }),
    })
    expect([info.status, info.body.name]).toEqual([200, 'x.txt'])
    const replaced = await eve.post(`/api/upload?id=${mine.id}`, { body: form(text('new')) })
    expect([replaced.status, await contentOf(mine)]).toEqual([200, 'new'])
    expect((await eve.delete(`/api/upload/files/${mine.id}`)).status).toBe(200)
  })

  it('hide the uploader of a file, and ignore it in bodies', async () => {
    for (const query of ['?populate=*', '?populate=uploadedBy', '?fields=*'])
      expect(JSON.stringify((await ann.get(`/api/upload/files/${hers.id}${query}`)).body)).not.toMatch(
        /uploadedBy|ann@/,
      )
    expect((await ann.get('/api/upload/files?filters[uploadedBy][id]=1')).status).toBe(400)
    const { body } = await eve.post('/api/upload', {
      body: form(text(), { fileInfo: { name: 'z.txt', uploadedBy: 1 }, uploadedBy: 1 }),
    })
    expect((await eve.get(`/api/upload/files/${body[0].id}`)).status).toBe(200)
  })
})

it('S-23: a limit that the action does not enforce stops the start', async () => {
  await expect(open([{ action: action('upload'), fields: ['name'] }])).rejects.toThrow(
    /fields.*content-api\.upload/,
  )
})

describe('S-33: replacing and attaching files', () => {
  let article: number
  beforeAll(async () => {
    await open([
      action('upload'),
      action('findOne'),
      { action: 'api::article.article.create', fields: ['title', 'cover'] },
      { action: 'api::article.article.update', fields: ['title', 'seo'] },
      'api::article.article.findOne',
    ])
    const entry = await site.server.octavo.entries('article', program).create({ title: 'A' })
    article = entry.id
  })
  afterAll(() => site.close())

  it('replacing needs the right plugin::upload.content-api.replace, which upload does not include', async () => {
    const file = await uploaded(ann)
    for (const client of [ann, eve]) {
      const { status } = await client.post(`/api/upload?id=${file.id}`, { body: form(text('evil')) })
      expect(status).toBe(403)
    }
    expect(await contentOf(file)).toBe('a')
    expect(await site.kept()).toHaveLength(1)
  })

  it('S-32: a file for an attribute that the role may not write is refused before anything is stored', async () => {
    const before = [await site.kept(), await site.rows()]
    const data = { title: 'B' }
    const bodies = [
      () => ann.post('/api/articles', { body: form([{ field: 'files.gallery', content: 'x' }], { data }) }),
      () =>
        ann.put(`/api/articles/${article}`, {
          body: form([{ field: 'files.cover', content: 'x' }], { data }),
        }),
      () =>
        ann.post('/api/upload', {
          body: form(text(), { ref: 'api::article.article', refId: String(article), field: 'gallery' }),
        }),
    ]
    for (const send of bodies) {
      const { status, body } = await send()
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringMatching(/"(?:gallery|cover)" that you may write/),
      ])
    }
    expect([await site.kept(), await site.rows()]).toEqual(before)
    const allowed = await ann.put(`/api/articles/${article}?populate=seo.image`, {
      body: form([{ field: 'files.seo.image', content: 'x' }], { data: { seo: {} } }),
    })
    expect([allowed.status, allowed.body.error]).toEqual([200, undefined])
    expect((await site.rows()).files).toBe((before[1] as { files: number }).files + 1)
  })
})

it('S-33: the response to a change of a file has only its readable attributes', async () => {
  await open([action('upload'), { action: action('find'), fields: ['name', 'url'] }])
  const { id } = await uploaded(ann)
  const body = form([], { fileInfo: { name: 'x.txt' } })
  const { status, body: answer } = await eve.post(`/api/upload?id=${id}`, { body })
  expect([status, Object.keys(answer).sort(), answer.name]).toEqual([200, ['id', 'name', 'url'], 'x.txt'])
  await site.close()
})

describe('S-33: the response to a write of a file', () => {
  const rename = (client: Client, id: number) =>
    client.post(`/api/upload?id=${id}`, { body: form([], { fileInfo: { name: 'x.txt' } }) })
  afterEach(() => site.close())

  it('a file that find hides may be changed with upload, and the answer is its id', async () => {
    await open([action('upload'), action('replace'), { action: action('find'), where: own }])
    const hers = await uploaded(ann)
    const renamed = await rename(eve, hers.id)
    expect([renamed.status, renamed.body]).toEqual([200, { id: hers.id }])
    const replaced = await eve.post(`/api/upload?id=${hers.id}`, { body: form(text('new')) })
    expect([replaced.status, replaced.body]).toEqual([200, { id: hers.id }])
    const seen = await rename(ann, hers.id)
    expect([seen.status, seen.body.name, seen.body.url]).toEqual([200, 'x.txt', hers.url])
  })

  it('without find and findOne, a new file is shown to its maker and a changed one is not', async () => {
    await open([action('upload')])
    const hers = await uploaded(ann)
    expect(hers.url).toContain('/uploads/')
    expect((await rename(ann, hers.id)).body).toEqual({ id: hers.id })
  })

  it('a new file that find hides is answered with its id, attached to an entry as well', async () => {
    await open([
      action('upload'),
      { action: action('find'), where: { name: 'seen.txt' } },
      ...['update', 'findOne'].map((as) => `api::article.article.${as}`),
    ])
    const { id } = await site.server.octavo.entries('article', program).create({ title: 'A' })
    const into = { ref: 'api::article.article', refId: String(id), field: 'gallery' }
    for (const fields of [{}, into]) {
      const files = [...text('a', 'hidden.txt'), ...text('a', 'seen.txt')]
      const { status, body } = await eve.post('/api/upload', { body: form(files, fields) })
      expect([status, body]).toEqual([
        200,
        [{ id: expect.any(Number) }, expect.objectContaining({ name: 'seen.txt' })],
      ])
    }
  })

  it('where of upload holds for a new file that is attached to an entry, which stores nothing when refused', async () => {
    await open([
      { action: action('upload'), where: { name: 'a.txt' } },
      ...['update', 'findOne'].map((as) => `api::article.article.${as}`),
    ])
    const { id } = await site.server.octavo.entries('article', program).create({ title: 'A' })
    const into = { ref: 'api::article.article', refId: String(id), field: 'gallery' }
    for (const fields of [{}, into]) {
      const { status } = await eve.post('/api/upload', { body: form(text('a', 'b.txt'), fields) })
      expect(status).toBe(403)
      expect([await site.kept(), (await site.rows()).files]).toEqual([[], 0])
    }
    expect((await eve.post('/api/upload', { body: form(text(), into) })).status).toBe(200)
  })
})

describe('S-33: attaching files by id', () => {
  const writing = [
    action('upload'),
    ...['create', 'update', 'findOne'].map((as) => `api::article.article.${as}`),
  ]
  const places: Readonly<Record<string, (id: number) => object>> = {
    'an attribute': (id) => ({ gallery: [id] }),
    'a connected list': (id) => ({ gallery: { connect: [{ id }] } }),
    'a component': (id) => ({ seo: { image: id } }),
    'a repeatable component': (id) => ({ todo: [{ task: 't', docs: [id] }] }),
    'a dynamic zone': (id) => ({ blocks: [{ __component: 'shared.seo', image: id }] }),
  }
  let hers: number
  const setUp = async (permissions: readonly (string | Permission)[], options?: UsersPermissionsOptions) => {
    await open(permissions, options)
    hers = (await uploaded(ann)).id
  }
  const create = (data: object) => eve.post('/api/articles', { body: { data: { title: 'A', ...data } } })
  afterEach(() => site.close())

  it('needs content-api.find on them or to have uploaded them, in every place', async () => {
    await setUp(writing)
    const mine = (await uploaded(eve)).id
    const { id } = await site.server.octavo.entries('article', program).create({ title: 'A' })
    for (const [place, data] of Object.entries(places)) {
      const own = await create(data(mine))
      expect([own.status, own.body.error], place).toEqual([200, undefined])
      const before = await site.rows()
      const absent = await create(data(999))
      expect([absent.status, absent.body.error.message], place).toEqual([
        400,
        expect.stringContaining('do not exist'),
      ])
      const answers = [
        await create(data(hers)),
        await eve.put(`/api/articles/${id}`, { body: { data: data(hers) } }),
      ]
      for (const { status, text } of answers) expect([status, text], place).toEqual([400, absent.text])
      expect(await site.rows(), place).toEqual(before)
    }
  })

  it('with content-api.find, its condition decides', async () => {
    await setUp([...writing, { action: action('find'), where: { name: 'a.txt' } }])
    const { id: other } = (await ann.post('/api/upload', { body: form(text('a', 'b.txt')) })).body[0]
    for (const [place, data] of Object.entries(places)) {
      expect((await create(data(hers))).status, place).toBe(200)
      expect((await create(data(other))).status, place).toBe(400)
    }
  })

  it('an entry keeps files that it has already, wherever they are in the same attribute', async () => {
    await setUp(writing)
    const articles = site.server.octavo.entries('article', program)
    for (const [place, data] of Object.entries(places)) {
      const { id } = await articles.create({ title: 'A', ...data(hers) })
      const put = (changed: object) => eve.put(`/api/articles/${id}`, { body: { data: changed } })
      const again = await put(data(hers))
      expect([again.status, again.body.error], place).toEqual([200, undefined])
      for (const [elsewhere, others] of Object.entries(places))
        if (Object.keys(others(1))[0] !== Object.keys(data(1))[0])
          expect((await put(others(hers))).status, `${place}, then ${elsewhere}`).toBe(400)
      expect((await put({ title: 'B' })).status).toBe(200)
    }
    const { id } = await articles.create({ title: 'A', gallery: [hers] })
    expect(
      (await eve.put(`/api/articles/${id}`, { body: { data: { gallery: { disconnect: [hers] } } } })).status,
    ).toBe(200)
    expect((await eve.put(`/api/articles/${id}`, { body: { data: { gallery: [hers] } } })).status).toBe(400)
  })

  it.each([
    ['the entry', []],
    ['the attribute', [{ action: 'api::article.article.findOne', fields: ['title'] }]],
    ['this entry', [{ action: 'api::article.article.findOne', where: { title: 'other' } }]],
  ])('a caller who may not read %s cannot discover its files by attaching', async (_, readers) => {
    await setUp([action('upload'), 'api::article.article.update', ...readers])
    for (const [place, data] of Object.entries(places)) {
      const { id } = await site.server.octavo
        .entries('article', program)
        .create({ title: 'A', ...data(hers) })
      const put = (file: number) => eve.put(`/api/articles/${id}`, { body: { data: data(file) } })
      const absent = await put(999)
      const present = await put(hers)
      expect([present.status, present.text], place).toEqual([400, absent.text])
      expect((await put((await uploaded(eve)).id)).status, place).toBe(200)
    }
  })

  it('files in the body are added to the named ones, including files of other users', async () => {
    await setUp([action('upload')], { permissions: { public: writing } })
    const data = { title: 'A', gallery: [], seo: {} }
    const parts = ['gallery', 'seo.image'].map((name) => ({ field: `files.${name}`, content: 'x' }))
    const { status, body } = await site.api.post('/api/articles', { body: form(parts, { data }) })
    expect([status, body.error]).toEqual([200, undefined])
    expect((await site.rows()).links).toBe(2)
  })

  it("farSide: 'find' requires no right where no permission limits files, as in the reference server", async () => {
    await setUp(writing, { farSide: 'find' })
    for (const [place, data] of Object.entries(places))
      expect((await create(data(hers))).status, place).toBe(200)
    await site.close()
    await setUp([...writing, { action: action('find'), where: own }], { farSide: 'find' })
    for (const [place, data] of Object.entries(places))
      expect((await create(data(hers))).status, place).toBe(400)
  })
})

describe('S-70: media that only programs write', () => {
  it('S-70: take no files of a caller, which are not stored', async () => {
    const attributes = { title: { type: 'string' }, badge: { type: 'media', writable: false } } as const
    const info = { singularName: 'member', pluralName: 'members' }
    site = await openSite({}, { contentTypes: [{ kind: 'collectionType', info, attributes }] })
    expect((await site.api.post('/api/members', { body: { data: { title: 'A' } } })).status).toBe(200)
    const place = { ref: 'api::member.member', refId: '1', field: 'badge' }
    const attempts = [
      await site.api.post('/api/upload', { body: form(text(), place) }),
      await site.api.post('/api/members', { body: memberWithBadge() }),
    ]
    const message = 'api::member.member has no attribute "badge" that you may write.'
    for (const { status, body } of attempts) expect([status, body.error.message]).toEqual([400, message])
    expect([await site.kept(), await site.rows()]).toEqual([[], { files: 0, links: 0 }])
  })
})

function memberWithBadge(): FormData {
  const body = new FormData()
  body.set('data', JSON.stringify({ title: 'B' }))
  body.set('files.badge', new Blob(['a']), 'a.txt')
  return body
}
