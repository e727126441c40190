/** Names that nothing reads: ignored as the contract has it and logged in development, or refused with the option `strict`. */
import { defineComponent, defineContentType } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: {
    title: { type: 'string', required: true },
    secret: { type: 'string', private: true },
    cuisine: { type: 'relation', relation: 'manyToOne', target: 'api::cuisine.cuisine' },
    blocks: { type: 'dynamiczone', components: ['shared.quote', 'shared.gallery'] },
    quotes: { type: 'component', component: 'shared.quote', repeatable: true },
  },
})
const cuisine = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'cuisine', pluralName: 'cuisines' },
  attributes: { name: { type: 'string' } },
})
const quote = defineComponent({ uid: 'shared.quote', attributes: { text: { type: 'string' } } })
const gallery = defineComponent({
  uid: 'shared.gallery',
  attributes: { first: { type: 'component', component: 'shared.quote' } },
})
/** Declares a parameter with a value that names something. */
const tenants = definePlugin({
  name: 'tenants',
  setup: (host) => {
    host.param('tenant', {
      read: String,
      default: '',
      unknown: (name) => (name === 'north' || name === '' ? undefined : { name, known: ['north'] }),
    })
  },
})

const open = (more: object = {}) =>
  openSite(
    { contentTypes: [article, cuisine], components: [quote, gallery], plugins: [tenants], ...more },
    false,
  )
let lenientSite: Site
let strictSite: Site
let lenient: Site['api']
let strict: Site['api']
beforeAll(async () => {
  lenientSite = await open()
  strictSite = await open({ strict: true })
  lenient = lenientSite.api
  strict = strictSite.api
})
afterAll(async () => {
  await lenientSite.close()
  await strictSite.close()
})
const warnings = (): readonly string[] =>
  lenientSite.log.filter(({ level }) => level === 'warn').map(({ message }) => message)

/** Queries and what is said about them. */
const queries: readonly (readonly [string, string])[] = [
  ['filter[title]=x', 'There is no parameter "filter"; did you mean "filters"?'],
  ['publicationstate=preview', 'There is no parameter "publicationstate"'],
  ['_limit=5', 'There is no parameter "_limit"; did you mean "pagination[limit]"?'],
  ['_where[title]=x', 'There is no parameter "_where"; did you mean "filters"?'],
  ['pagination[pagesize]=5', 'There is no parameter "pagination[pagesize]"; did you mean "pageSize"?'],
  [
    'populate=cusine',
    'populate: there is nothing to populate under the name "cusine"; did you mean "cuisine"?',
  ],
  [
    'populate[cusine][fields]=name',
    'populate[cusine]: there is nothing to populate under the name "cusine"; did you mean "cuisine"?',
  ],
  ['populate=seo', 'populate: there is nothing to populate under the name "seo"'],
  ['populate=title', 'populate: there is nothing to populate under the name "title"'],
  [
    'populate[cuisine][field]=name',
    'There is no parameter "populate[cuisine][field]"; did you mean "fields"?',
  ],
  [
    'populate[blocks][on][shared.qote]=true',
    'populate[blocks]: there is nothing to populate under the name "shared.qote"; did you mean "shared.quote"?',
  ],
  [
    'populate[blocks][populate]=frist',
    'populate[blocks][populate]: there is nothing to populate under the name "frist"; did you mean "first"?',
  ],
  ['tenant=nroth', 'tenant: there is no "nroth"; did you mean "north"?'],
]

describe('Names that nothing reads', () => {
  it.each(queries)('%s is answered and logged once', async (query, message) => {
    const plain = await lenient.get('/api/articles')
    for (let i = 0; i < 2; i++) {
      // Two texts: a repeated one has its plan already.
      const { status, text } = await lenient.get(`/api/articles?${query}&sort=${i === 0 ? 'id' : 'title'}`)
      expect([status, text]).toEqual([200, plain.text])
    }
    const logged = warnings().filter((one) => one.includes(message))
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('api::article.article.find: ')
    expect(logged[0]).toMatch(/[^.?][.?] It is ignored; the option strict refuses it\.$/)
  })

  it.each(queries)('%s is 400 with strict', async (query, message) => {
    const { status, body } = await strict.get(`/api/articles?${query}`)
    expect([status, body.error.name, body.error.message]).toEqual([
      400,
      'ValidationError',
      expect.stringContaining(message),
    ])
  })

  it('are looked up for the first twenty of a request, so that many of them take no time', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `unheard${i}`)
    const before = warnings().length
    await lenient.get(`/api/articles?${names.map((name) => `${name}=1`).join('&')}`)
    expect(warnings().length - before).toBe(20)
    const data = { title: 'First', ...Object.fromEntries(names.map((name) => [name, 1])) }
    const { status, body } = await strict.post('/api/articles', { body: { data } })
    expect([status, body.error.details.errors.length]).toEqual([400, 20])
  })

  it('in a body are ignored and logged, or refused together with the other mistakes', async () => {
    const data = {
      title: 'First',
      titel: 'x',
      secrt: 'x',
      quotes: [{ text: 'a' }, { txt: 'b' }],
      blocks: [{ __component: 'shared.gallery', first: { id: 1, texd: 'c' } }],
    }
    const created = await lenient.post('/api/articles', { body: { data } })
    expect(created.status).toBe(200)
    const said = [
      ['titel', 'titel is no attribute of article; did you mean "title"?'],
      // The name of a private attribute is no hint.
      ['secrt', 'secrt is no attribute of article.'],
      // In the order of the definition, as other mistakes.
      ['blocks.0.first.texd', 'blocks[0].first.texd is no attribute of shared.quote; did you mean "text"?'],
      ['quotes.1.txt', 'quotes[1].txt is no attribute of shared.quote; did you mean "text"?'],
    ] as const
    for (const [, message] of said)
      expect(warnings().filter((one) => one.includes(message.replace(/\.$/, '')))).toHaveLength(1)

    const refused = await strict.post('/api/articles', { body: { data: { ...data, title: null } } })
    const errors: readonly { readonly path: readonly string[]; readonly message: string }[] =
      refused.body.error.details.errors
    expect(refused.status).toBe(400)
    expect(errors.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ...said,
      ['title', 'title may not be null.'],
    ])
  })

  it('are not the names of an answer that is sent back', async () => {
    const data = {
      title: 'First',
      quotes: [{ text: 'a' }],
      blocks: [{ __component: 'shared.quote', text: 'b' }],
    }
    const created = await strict.post('/api/articles?populate=*', { body: { data } })
    expect(created.status).toBe(200)
    const { id, attributes } = created.body.data
    const again = await strict.put(`/api/articles/${id}?populate=*`, {
      body: { data: { id, ...attributes, cuisine: null } },
    })
    expect([again.status, again.body.error]).toEqual([200, undefined])
    expect(again.body.data.attributes.quotes).toEqual(attributes.quotes)
    for (const query of [
      'populate=*',
      'populate[blocks][populate]=first',
      'populate[cuisine][fields]=name&pagination[pageSize]=5&tenant=north',
      'populate[blocks][on][shared.gallery][populate]=first',
      'populate[found][of]=cuisine',
    ])
      expect((await strict.get(`/api/articles?${query}`)).status).toBe(200)
  })
})

describe('The 400 of an unknown attribute', () => {
  it.each([
    ['filters[titel]=x', 'filters[titel]: article has no attribute "titel"; did you mean "title"?'],
    ['sort=titel', 'sort: article has no attribute "titel"; did you mean "title"?'],
    ['fields=titel', 'fields: article has no attribute "titel"; did you mean "title"?'],
    [
      'filters[cuisine][nmae]=x',
      'filters[cuisine][nmae]: cuisine has no attribute "nmae"; did you mean "name"?',
    ],
    // Not the name of a private one.
    ['filters[secrt]=x', 'filters[secrt]: article has no attribute "secrt".'],
  ])('%s names the nearest one', async (query, message) => {
    const { status, body } = await lenient.get(`/api/articles?${query}`)
    expect([status, body.error.message]).toEqual([400, message])
  })
})
