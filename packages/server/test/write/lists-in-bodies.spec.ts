/** Lists in bodies: of components with a minimum, and of connected entries with their positions. */
import { defineComponent, defineContentType } from '@octavo/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { article, author, openSite, type Site, seo } from '../support/site.ts'

const slide = defineComponent({ uid: 'shared.slide', attributes: { text: { type: 'string' } } })
const list = { type: 'component', component: 'shared.slide', repeatable: true, min: 2 } as const
const zone = { type: 'dynamiczone', components: ['shared.slide'], min: 2 } as const
const page = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages' },
  attributes: {
    list,
    zone,
    pages: { type: 'relation', relation: 'oneToMany', target: 'api::page.page' },
  },
})
const strict = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'strict', pluralName: 'stricts' },
  attributes: { list: { ...list, required: true }, zone: { ...zone, required: true } },
})

let site: Site
beforeAll(async () => {
  site = await openSite({ contentTypes: [article, author, page, strict], components: [seo, slide] })
})
afterAll(() => site.close())

const post = (path: string, data: object) => site.api.post(`/api/${path}`, { body: { data } })
const item = { __component: 'shared.slide', text: 'x' }

describe.each(['list', 'zone'])('A %s with a minimum', (name) => {
  it('may be empty, as forms send what nobody has filled in, in a create and in an update', async () => {
    const created = await post('pages', { [name]: [] })
    expect(created.status).toBe(200)
    const { id } = (await post('pages', { [name]: [item, item] })).body.data
    expect((await site.api.put(`/api/pages/${id}`, { body: { data: { [name]: [] } } })).status).toBe(200)
    const { body } = await site.api.get(`/api/pages/${id}?populate=*`)
    expect(body.data.attributes[name]).toEqual([])
  })

  it('refuses fewer items, and an empty list where it is required', async () => {
    expect((await post('pages', { [name]: [item] })).status).toBe(400)
    const full = { list: [item, item], zone: [item, item] }
    expect((await post('stricts', full)).status).toBe(200)
    const { status, body } = await post('stricts', { ...full, [name]: [] })
    expect([status, body.error.details.errors[0].path]).toEqual([400, [name]])
  })
})

/** The ids of new pages. */
async function newPages(count: number): Promise<readonly number[]> {
  const ids: number[] = []
  for (let i = 0; i < count; i++) ids.push((await post('pages', {})).body.data.id)
  return ids
}

/** The list of a new page that connects these, or the status of the refusal. */
async function connect(items: readonly unknown[]): Promise<readonly number[] | number> {
  const { status, body } = await post('pages', { pages: { connect: items } })
  if (status !== 200) return status
  const path = `/api/pages/${body.data.id}?populate[pages][fields]=id`
  return (await site.api.get(path)).body.data.attributes.pages.data.map(({ id }: { id: number }) => id)
}

describe('Connecting beside an entry that the same list connects later', () => {
  it('is done after it, as editors send what they added from the end', async () => {
    const [a, b, c] = await newPages(3)
    expect(await connect([{ id: a, position: { before: b } }, { id: b }])).toEqual([a, b])
    const chain = [
      { id: a, position: { after: b } },
      { id: b, position: { before: c } },
      { id: c, position: { end: true } },
    ]
    expect(await connect(chain)).toEqual([b, a, c])
  })

  it('is done before that one moves where the list has it already, as in the reference', async () => {
    const [a = 0, b = 0, c = 0, d = 0] = await newPages(4)
    const page = `/api/pages/${(await post('pages', { pages: [a, b, c] })).body.data.id}`
    const change = async (...items: readonly object[]): Promise<readonly number[]> => {
      const body = { data: { pages: { connect: items } } }
      const put = await site.api.put(`${page}?populate[pages][fields]=id`, { body })
      return put.body.data.attributes.pages.data.map(({ id }: { id: number }) => id)
    }
    expect(await change({ id: a, position: { before: c } }, { id: c, position: { start: true } })).toEqual([
      c,
      b,
      a,
    ])
    expect(await change({ id: d, position: { after: b } }, { id: b })).toEqual([c, d, a, b])
    const beside = [
      { id: a, position: { before: b } },
      { id: b, position: { before: a } },
    ]
    expect(await change(...beside)).toEqual([c, d, b, a])
    await site.api.put(page, { body: { data: { pages: [a] } } })
    expect(await change({ id: d, position: { before: b } }, { id: b, position: { start: true } })).toEqual([
      d,
      b,
      a,
    ])
  })

  it('is 400 where each is beside the other', async () => {
    const [a, b] = await newPages(2)
    const circle = [
      { id: a, position: { before: b } },
      { id: b, position: { before: a } },
    ]
    expect(await connect(circle)).toBe(400)
  })
})

describe('A relation with nothing to change', () => {
  it('stays as it is, also in the form of an answer', async () => {
    const [a = 0, b] = await newPages(2)
    await site.api.put(`/api/pages/${a}`, { body: { data: { pages: [b] } } })
    for (const pages of [{}, { data: [] }, { data: [{ id: a, attributes: {} }] }, { data: null }]) {
      const put = await site.api.put(`/api/pages/${a}?populate=pages`, { body: { data: { pages } } })
      expect(put.status).toBe(200)
      expect(put.body.data.attributes.pages.data.map(({ id }: { id: number }) => id)).toEqual([b])
    }
    expect((await site.api.put(`/api/pages/${a}`, { body: { data: { pages: { add: [b] } } } })).status).toBe(
      400,
    )
  })
})

describe('One id twice in connect', () => {
  it('counts once with one position, and is 400 with two', async () => {
    const [a, b, c] = await newPages(3)
    expect(await connect([a, b, { id: a }])).toEqual([a, b])
    const first = { id: c, position: { before: a } }
    expect(await connect([a, first, b, first])).toEqual([c, a, b])
    expect(await connect([a, first, { id: c, position: { after: a } }])).toBe(400)
    expect(await connect([a, first, { id: c, position: { end: true } }])).toBe(400)
    expect(await connect([a, { id: c, position: { start: true } }, { id: c, position: { end: true } }])).toBe(
      400,
    )
  })
})
