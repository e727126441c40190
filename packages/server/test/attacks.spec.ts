/** Attacks on content servers, by their numbers in docs/contract/threats.md. */
import { buildRegistry, type ContentTypeDefinition, DefinitionError, scalarTypes } from '@octavo/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const ask = (query: string) => site.api.get(`/api/articles?${query}`)

describe('S-02: only declared parameters reach the plan', () => {
  const names = [
    'where',
    'lookup',
    '_where',
    'filter',
    'having',
    'select',
    'columns',
    'include',
    'join',
    'orderBy',
    'limit_',
    'offset',
    'raw',
    'query',
    'params',
    'publicationState',
    'locale',
    'status',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'toString',
  ]
  it.each(names)('%s changes no byte', async (name) => {
    const plain = await ask('sort=id')
    for (const tail of [
      '[updatedBy][resetPasswordToken][$startsWith]=a',
      '[secret][$startsWith]=$2',
      '[note]=hidden 0',
      '=1',
      '[0]=x',
    ]) {
      const { status, text, headers } = await ask(`sort=id&${name}${tail}`)
      expect([status, text]).toEqual([200, plain.text])
      expect(headers.get('etag')).toBe(plain.headers.get('etag'))
    }
  })
})

describe('S-03: names come from the registry', () => {
  const names = [
    't1.password',
    'updatedBy',
    'createdBy',
    'author.name',
    'title"',
    "title'",
    'title->>x',
    'title::text',
    'title)',
    'title;--',
    't0.title',
    'note',
    'secret',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'author_id',
    'created_at',
    '*',
  ]
  it.each(names)('filters[%s] is unknown, alone and below', async (name) => {
    const bracket = `[${encodeURIComponent(name)}]`
    for (const query of [
      `filters${bracket}[$startsWith]=a`,
      `filters[author]${bracket}[$startsWith]=a`,
      `filters[updatedBy]${bracket}[$startsWith]=a`,
    ]) {
      const { status, body } = await ask(query)
      expect([query, status, body.error?.name]).toEqual([query, 400, 'ValidationError'])
    }
  })

  it.each(names.filter((name) => !name.includes('.') && name !== '*'))(
    'sort=%s and fields=%s are refused',
    async (name) => {
      for (const parameter of ['sort', 'fields']) {
        const { status } = await ask(`${parameter}=${encodeURIComponent(name)}`)
        expect([parameter, status]).toEqual([parameter, 400])
      }
    },
  )

  it('a private attribute and a missing one are refused with the same message', async () => {
    const [hidden, absent] = [await ask('filters[note]=x'), await ask('filters[nope]=x')]
    expect(hidden.text.replaceAll('note', 'nope')).toBe(absent.text)
  })

  it('a zero byte is refused', async () => {
    expect((await ask('filters[title]=a%00b')).status).toBe(400)
    expect((await ask('filters[a%00b]=1')).status).toBe(400)
  })
})

describe('S-17: definitions cannot inject SQL', () => {
  const evil = [
    'a"; drop table articles; --',
    "a'b",
    'a b',
    'a.b',
    'a)',
    '__proto__',
    'constructor',
    'x'.repeat(80),
    'pg_class',
    'é',
  ]
  const refuse = (definition: ContentTypeDefinition) =>
    expect(() =>
      buildRegistry({ contentTypes: [definition], components: [], attributeTypes: scalarTypes }),
    ).toThrow(DefinitionError)
  const type = (change: Partial<ContentTypeDefinition>): ContentTypeDefinition => ({
    kind: 'collectionType',
    info: { singularName: 'thing', pluralName: 'things' },
    attributes: { name: { type: 'string' } },
    ...change,
  })

  it.each(evil)('refuses the attribute %s', (name) => {
    if (name !== 'pg_class') refuse(type({ attributes: Object.fromEntries([[name, { type: 'string' }]]) }))
  })
  it.each(evil)('refuses the table %s', (name) => {
    // These two are names like any other for a table, which is quoted.
    if (name !== 'constructor' && name !== '__proto__') refuse(type({ collectionName: name }))
  })
  it.each(evil)('refuses the names %s', (name) => {
    if (name !== 'constructor' && name !== 'x'.repeat(80))
      refuse(type({ info: { singularName: name, pluralName: `${name}s` } }))
  })
  it.each([
    { type: 'string"' },
    { type: 'enumeration', enum: ["a'; --", 1] },
    { type: 'decimal', column: { type: 'raw' }, required: 'yes' },
  ])('refuses the attribute %o', (attribute) => {
    refuse(type({ attributes: { a: attribute as never } }))
  })
})

describe('S-20: expensive requests are refused before they run', () => {
  const nested = (depth: number): string =>
    `populate${'[author][populate][articles][populate]'.repeat(depth / 2)}[author]=true`

  it('populate is limited in depth and size', async () => {
    expect((await ask(`pagination[pageSize]=1&fields=id&${nested(8)}`)).status).toBe(200)
    const { status, body } = await ask(nested(60))
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/\d+/)])
  })

  it('populate=* at every place counts all that it opens', async () => {
    const stars = Array.from(
      { length: 12 },
      (_, i) => `populate${'[author][populate][articles][populate]'.repeat(i)}=*`,
    ).join('&')
    expect([200, 400]).toContain((await ask(`pagination[pageSize]=1&${stars}`)).status)
  })

  it('hundreds of conditions in $or are answered or refused with the bound, at once', async () => {
    const many = (n: number) =>
      Array.from({ length: n }, (_, i) => `filters[$or][${i}][title][$containsi]=x${i}`).join('&')
    expect((await ask(many(240))).status).toBe(200)
    const { status, body } = await ask(many(260))
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/at most 500|500/)])
  })

  it('a list of a thousand values is fine, one more is refused', async () => {
    const list = (n: number) =>
      Array.from({ length: n }, (_, i) => `filters[id][$in][${i}]=${i + 1}`).join('&')
    expect((await ask(list(1_000))).body.data).toHaveLength(3)
    const { status, body } = await ask(list(1_001))
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('1000')])
  })

  it.each([
    ['pagination[pageSize]=100000', 100],
    ['pagination[limit]=-1', 100],
    ['pagination[limit]=100000', 100],
  ])('%s is the maximum', async (query, size) => {
    const { pagination } = (await ask(query)).body.meta
    expect(pagination.pageSize ?? pagination.limit).toBe(size)
  })

  it('a phrase over its bound, too many parameters and too many brackets are refused', async () => {
    expect((await ask(`_q=${'x'.repeat(1_001)}`)).status).toBe(400)
    expect((await ask(`_q=${'x'.repeat(1_000)}`)).status).toBe(200)
    expect((await ask(Array.from({ length: 2_001 }, (_, i) => `a${i}=1`).join('&'))).status).toBe(400)
    expect((await ask(`filters${'[a]'.repeat(1_000)}=1`)).status).toBe(400)
  })

  it('a query string over its bound is refused with 413', async () => {
    const { status, body } = await ask(`a=${'x'.repeat(70_000)}`)
    expect([status, body.error.message]).toEqual([413, expect.stringContaining('65536')])
  })

  it('a statement over its time is 503 with the bound', async () => {
    if (site.server.octavo.store.engine !== 'postgresql') return
    const hurried = await openSite({ limits: { statementTime: 2_000 } })
    const { store } = hurried.server.octavo
    // A statement that waits for a lock exceeds its time limit on every machine.
    const { status, body } = await store.transaction(async (tx) => {
      await tx.query('lock table articles in access exclusive mode')
      return hurried.api.get('/api/articles')
    })
    expect([status, body.error.message]).toEqual([503, expect.stringContaining('2000 ms')])
    await hurried.close()
  })
})
