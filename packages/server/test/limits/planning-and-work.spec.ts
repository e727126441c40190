/** Bounds by shape, and bounds that statements enforce while they run, by the numbers in docs/contract/threats.md. */
import { unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openNodes } from '../support/nodes.ts'
import type { Site } from '../support/site.ts'

/** Each caller reads people of its own only; the owner of these tests is `me`. */
const ownPeople = definePlugin({
  name: 'own-people',
  setup: (host) =>
    host.hook('query:node', ({ model }) => {
      const owner = model.uid === 'api::person.person' && model.attributes.get('owner')
      if (typeof owner !== 'object' || owner.kind !== 'scalar') return undefined
      const value = { kind: 'value', value: 'me' } as const
      return { kind: 'compare', attribute: owner, operator: '$eq', operands: [value], asText: false }
    }),
})

const list = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('&')
const terms = (count: number, value = 'q'): string =>
  list(count, (i) => `filters[$and][${i}][down][up][down][name][$ne]=${value}${i}`)
/** Populates lists within lists, the outermost with a filter. */
const levels = (count: number, filter = ''): string => {
  const path = Array.from({ length: count }, () => '[down]').join('[populate]')
  return `fields=id&populate${path}[fields]=id${filter && `&populate[down][filters][name]${filter}`}`
}

describe('S-34: the time to plan a statement is bounded by its shape', () => {
  let site: Site
  beforeAll(async () => {
    site = await openNodes()
  })
  afterAll(() => site.close())
  const get = (query: string) => site.api.get(`/api/nodes?${query}`)

  const explained = async (query: string) => {
    const type = site.server.octavo.registry.contentTypes.get('api::node.node')
    if (!type) throw new Error('There is no such type')
    const state = unrestricted('reads a statement')
    return site.server.octavo.explain({ type, action: 'find', kind: 'list', query, state })
  }

  /** The subqueries of a statement that PostgreSQL may join, and may not. */
  const subqueries = async (query: string) => {
    const text = (await explained(query)).statement?.text ?? ''
    const [all, fenced] = ['exists (select', ' offset 0)'].map((part) => text.split(part).length - 1)
    // The bound of the answer's bytes and a page after the first have an offset as well.
    return { joined: (all ?? 0) - (fenced ?? 0) + text.split('offset 0) as').length - 1, all: all ?? 0 }
  }

  it('PostgreSQL joins few related tables of a list; further ones are read for each row', async () => {
    // Planning twenty joined filters through three lists each took seconds: the filters are in the list and in its total.
    // On the embedded database, where joins do not check the time, only those through one list.
    const deep = site.server.octavo.store.engine === 'pglite' ? 0 : 1
    expect(await subqueries(terms(20))).toEqual({ joined: deep * 2 * 3, all: 2 * 20 * 3 })
    expect(await subqueries(terms(2))).toEqual({ joined: deep * 2 * 3, all: 2 * 2 * 3 })
    const short = 'filters[down][up][name]=q&filters[up][name]=q'
    expect(await subqueries(short)).toEqual({ joined: deep * 4 + 2, all: 6 })
  })

  it('PostgreSQL joins no related tables in populated lists, sorts and the further ranges of a cursor', async () => {
    const filtered = list(30, (i) => `populate[a${i}][of]=down&populate[a${i}][filters][up][name]=q${i}`)
    expect(await subqueries(filtered)).toEqual({ joined: 0, all: 30 })
    const sorts = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'name' : 'id'))
    const { body } = await get(`sort=${sorts}&pagination[after]=&pagination[pageSize]=1`)
    const next = `sort=${sorts}&filters[up][name]=n1&pagination[after]=${body.meta.pagination.next}`
    expect((await subqueries(next)).joined).toBeLessThanOrEqual(12)
  })

  it('more filters are refused, with their place, for every value alike', async () => {
    const { status, body } = await get(`fields=id&${terms(26)}`)
    expect([status, body.error?.details?.code]).toEqual([400, 'query/too-complex'])
    expect(body.error.message).toBe(
      'The query has 312 tables to read, most of them in filters[down][up][down][name], and the limit is 300. Request less at a time.',
    )
    expect((await get(`fields=id&${terms(26, 'n')}`)).body).toEqual(body)
  })

  it('comparisons, relations in a sort and populated places count as well', async () => {
    const at = async (query: string) => {
      const { status, body } = await get(query)
      expect([status, body.error?.details?.code], query.slice(0, 60)).toEqual([400, 'query/too-complex'])
      return /most of them in (.*), and/.exec(body.error.message)?.[1]
    }
    expect(await at(list(501, (i) => `filters[$or][${i}][name]=${i}`))).toBe('filters[name]')
    const sorts = Array.from({ length: 49 }, (_, i) => `down.up.down.up.${i % 2 ? 'name' : 'id'}`)
    expect(await at(`sort=${sorts.join()}`)).toMatch(/^sort=down\.up\.down\.up/)
    expect(await at(levels(7))).toBe(
      `populate${Array.from({ length: 7 }, () => '[down]').join('[populate]')}`,
    )
  })

  it('a sort and filters through relations like those of sites are answered', async () => {
    const queries = [
      `${terms(3)}&sort=up.name`,
      'filters[up][name]=n1&filters[down][name]=n2&populate[down][populate][up][fields]=id',
      'populate[down][limit]=2&populate[down][populate][down][limit]=2&populate[down][populate][down][populate][down][limit]=2',
    ]
    for (const query of queries) expect((await get(query)).status, query).toBe(200)
  })
})

describe('S-35: rows and bytes are counted while a statement runs', () => {
  const tooLarge = [413, 'PayloadTooLargeError']

  it('whatever values came before', async () => {
    const site = await openNodes({ limits: { answerRows: 2_000 } })
    try {
      const ask = async (filter: string) => {
        const { status, body } = await site.api.get(`/api/nodes?${levels(6, filter)}`)
        return [status, body.error?.name, body.error?.message]
      }
      for (let i = 0; i < 3; i++) expect((await ask('[$gte]=zzz'))[0]).toBe(200)
      const dear = await ask('[$gte]=n')
      expect(dear.slice(0, 2)).toEqual(tooLarge)
      expect(dear[2]).toMatch(/^The answer would have more than 2000 entries and components/)
      // Conditions that change nothing.
      const redundant = list(14, (i) => `populate[down][filters][$and][${i}][name][$notContains]=z${i}`)
      const { status } = await site.api.get(`/api/nodes?${levels(6)}&${redundant}`)
      expect(status).toBe(413)
      expect((await ask('[$gte]=zzz'))[0]).toBe(200)
    } finally {
      await site.close()
    }
  })

  it('in one list, in lists within lists, in a page by cursor, in the answer of a write', async () => {
    const site = await openNodes({ limits: { answerBytes: 20_000 } })
    try {
      const status = async (query: string) => {
        const { status, body } = await site.api.get(`/api/nodes?${query}`)
        return [status, body.error?.name]
      }
      expect(await status('populate[down]=true')).toEqual(tooLarge)
      expect(await status(levels(3))).toEqual(tooLarge)
      expect(await status('populate[down]=true&pagination[after]=')).toEqual(tooLarge)
      expect(await status('populate[down]=true&pagination[limit]=1')).toEqual([200, undefined])
      const write = await site.api.put(`/api/nodes/1?${levels(3)}`, { body: { data: { name: 'new' } } })
      expect(write.status).toBe(413)
      expect((await site.api.get('/api/nodes/1')).body.data.attributes.name).toBe('n1')
    } finally {
      await site.close()
    }
  })

  it('a write with lists within lists in its answer counts from nothing', async () => {
    const site = await openNodes({ limits: { answerRows: 2_000 } })
    try {
      for (let i = 0; i < 3; i++) {
        const { status } = await site.api.put(`/api/nodes/1?${levels(2)}`, {
          body: { data: { name: `${i}` } },
        })
        expect(status).toBe(200)
      }
    } finally {
      await site.close()
    }
  })

  it('a statement ends itself or is ended when its time is over, on both engines', async () => {
    const site = await openNodes({ limits: { statementTime: 300, embeddedStatementTime: 100 } })
    try {
      const dear = [
        'sort=down.up.down.up.name',
        'sort=down.up.down.up.down.id&pagination[withCount]=false',
        'fields=id&populate[down][sort]=down.up.down.name&populate[down][fields]=id',
      ]
      // Each takes minutes without a limit.
      for (const query of dear) {
        const { status, body } = await site.api.get(`/api/nodes?${query}`)
        expect([status, body.error?.details?.code], query).toEqual([503, 'database/timeout'])
      }
      expect((await site.api.get('/api/nodes?sort=name')).status).toBe(200)
    } finally {
      await site.close()
    }
  })
})

describe('Entries of others', () => {
  let site: Site
  beforeAll(async () => {
    site = await openNodes({ plugins: [ownPeople], api: { rest: { estimateCountAbove: 1 } } })
  })
  afterAll(() => site.close())

  it('S-36: the status of a request does not depend on values that the caller may not read', async () => {
    const ask = async (salary: number, query: string) => {
      const { status, body } = await site.api.get(`/api/people?filters[salary]=${salary}&${query}`)
      return [status, body.meta, body.error?.message]
    }
    const queries = [
      'fields=id',
      'sort=nodes.down.up.down.name&fields=id',
      'populate[nodes][sort]=down.up.down.up.down.name&fields=id',
      'sort=nodes.down.up.down.up.name&fields=id&pagination[withCount]=false',
    ]
    const { store } = site.server.octavo
    const spies = [vi.spyOn(store, 'execute'), vi.spyOn(store, 'query')] as const
    for (const query of queries) expect(await ask(49_000, query), query).toEqual(await ask(50_000, query))
    // No estimate decides, nor takes the place of a large total: it is made of the statistics of all entries.
    expect((await site.api.get('/api/people?fields=id')).body.meta.pagination.total).toBe(1_502)
    const texts = [
      ...spies[0].mock.calls.map(([{ text }]) => text),
      ...spies[1].mock.calls.map(([text]) => text),
    ]
    expect(texts.filter((text) => /^explain/i.test(text))).toEqual([])
    for (const spy of spies) spy.mockRestore()
  })

  it('S-37: an explanation has no figures of entries that the caller may not read', async () => {
    const { octavo } = site.server
    const explain = async (query: string, uid = 'api::person.person') => {
      const type = octavo.registry.contentTypes.get(uid)
      if (!type) throw new Error('There is no such type')
      return octavo.explain({ type, action: 'find', kind: 'list', query, state: unrestricted('explains') })
    }
    const [one, other] = await Promise.all(
      ['filters[salary]=49000', 'filters[salary]=50000'].map(async (query) => {
        const { times, plan, pruned, statement, nodes } = await explain(query)
        expect(Object.keys(times).sort()).toEqual(['compile', 'parse', 'resolve'])
        expect([plan, pruned.map(({ hides }) => hides)]).toEqual([undefined, [undefined]])
        return [pruned, statement, JSON.stringify(nodes).replace(/\d+000/, 'n')]
      }),
    )
    expect(one).toEqual(other)
    expect((await explain('populate=nodes')).plan).toBeUndefined()
    expect((await explain('', 'api::node.node')).plan).toBeDefined()
  })
})
