/** Parameters in forms that clients of Strapi 4 send, with the answers of Strapi 4.26.2. */
import { defineComponent, defineContentType } from '@octavo/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

const page = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages' },
  attributes: {
    title: { type: 'string' },
    views: { type: 'integer' },
    parent: { type: 'relation', relation: 'manyToOne', target: 'api::page.page', inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: 'api::page.page', mappedBy: 'parent' },
    links: { type: 'component', component: 'shared.link', repeatable: true },
    seo: { type: 'component', component: 'shared.seo' },
    blocks: { type: 'dynamiczone', components: ['shared.link', 'shared.seo'] },
  },
})
const link = defineComponent({ uid: 'shared.link', attributes: { label: { type: 'string' } } })
const seo = defineComponent({
  uid: 'shared.seo',
  attributes: {
    metaTitle: { type: 'string' },
    links: { type: 'component', component: 'shared.link', repeatable: true },
  },
})

let site: Site
beforeAll(async () => {
  site = await openSite({ contentTypes: [page], components: [link, seo] }, false)
  const links = ['a', 'b', 'b'].map((label) => ({ label }))
  const blocks = [
    { __component: 'shared.link', label: 'first' },
    { __component: 'shared.seo', metaTitle: 'second' },
  ]
  await site.api.post('/api/pages', {
    body: { data: { title: 'One', views: 1000, links, seo: { links }, blocks } },
  })
  await site.api.post('/api/pages', { body: { data: { title: 'Two', views: 7, parent: 1 } } })
})
afterAll(() => site.close())

const attributesOf = async (query: string) =>
  (await site.api.get(`/api/pages/1?fields=title&${query}`)).body.data.attributes

describe('pagination', () => {
  it.each([
    ['[page]=99999999999', { page: 99_999_999_999, pageSize: 25, pageCount: 1, total: 2 }, 0],
    ['[page]=9007199254740991&pagination[pageSize]=100', { pageSize: 100, total: 2 }, 0],
    ['[pageSize]=99999999999', { page: 1, pageSize: 100, total: 2 }, 2],
    ['[start]=99999999999', { start: 99_999_999_999, limit: 25, total: 2 }, 0],
    ['[limit]=99999999999', { start: 0, limit: 100, total: 2 }, 2],
    ['[pageSize]=1e1', { page: 1, pageSize: 10, total: 2 }, 2],
  ])('%s', async (query, pagination, count) => {
    const { status, body } = await site.api.get(`/api/pages?pagination${query}`)
    expect(status).toBe(200)
    expect(body.meta.pagination).toMatchObject(pagination)
    expect(body.data).toHaveLength(count)
  })
})

it.each(['fields[]=', 'fields[0]=title&fields[1]=', 'populate[children][fields]='])(
  '%s has an empty name: 400',
  async (query) => {
    const { status, body } = await site.api.get(`/api/pages?${query}`)
    expect([status, body.error?.name]).toEqual([400, 'ValidationError'])
  },
)

describe('the number of components', () => {
  it.each([
    ['populate[links][count]=true', { links: { count: 3 } }],
    ['populate[links][count]=true&populate[links][filters][label]=b', { links: { count: 2 } }],
    ['populate[seo][count]=true', { seo: { count: 1 } }],
    ['populate[seo][populate][links][count]=true', { seo: { links: { count: 3 } } }],
    ['populate[children][count]=true', { children: { data: { attributes: { count: 1 } } } }],
    [
      'populate[children][populate][links][count]=1',
      { children: { data: [{ attributes: { links: { count: 0 } } }] } },
    ],
  ])('%s', async (query, expected) => {
    expect(await attributesOf(query)).toMatchObject({ title: 'One', ...expected })
  })
})

it.each(['', 'false', 'true', '0', 'x'])('[on][shared.link]=%s keeps the component', async (value) => {
  const { blocks } = await attributesOf(`populate[blocks][on][shared.link]=${value}`)
  expect(blocks).toEqual([{ __component: 'shared.link', id: expect.any(Number), label: 'first' }])
})

it('a whole number may have an exponent, in filters and bodies', async () => {
  const { body } = await site.api.get('/api/pages?filters[views]=1e3&fields=id')
  expect(body.data).toEqual([{ id: 1, attributes: {} }])
  const put = await site.api.put('/api/pages/2', { body: { data: { views: '1e2' } } })
  expect([put.status, put.body.data.attributes.views]).toEqual([200, 100])
})

describe('a name without "=" in filters is null', () => {
  it.each([
    ['filters[parent]', [1]],
    ['filters[parent][title]', [1]],
    ['filters[views]', []],
    ['filters[views][$eq]', []],
    ['filters[title][$eqi]', []],
    ['filters[views][$ne]', [1, 2]],
    ['filters[title][$nei]', [1, 2]],
    ['filters[parent][$not]', [2]],
    ['filters[$not][parent]', [2]],
    ['filters[$or][0][parent]&filters[$or][1][title]=Two', [1, 2]],
    ['filters%5Bparent%5D', [1]],
    ['filters[seo]', [2]],
    ['filters[parent]=1', [2]],
    ['filters[title]=', []],
  ])('%s', async (filters, ids) => {
    const { status, body } = await site.api.get(`/api/pages?sort=id&${filters}`)
    expect([status, body.data?.map(({ id }: { readonly id: number }) => id)]).toEqual([200, ids])
  })

  it('also inside populate', async () => {
    const shown = async (filters: string): Promise<unknown> =>
      (await attributesOf(`populate[children][fields]=title&populate[children]${filters}`)).children.data
    expect(await shown('[filters][views]')).toEqual([])
    expect(await shown('[filters][views][$ne]')).toEqual([{ id: 2, attributes: { title: 'Two' } }])
  })
})
