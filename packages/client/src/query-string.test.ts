import fc from 'fast-check'
import { parse } from 'qs'
import { describe, expect, it } from 'vitest'
import { queryString } from './query-string.ts'

describe('queryString', () => {
  it('writes names in brackets, and lists with their indexes', () => {
    expect(
      queryString({
        filters: { title: { $in: ['a&b', 'ü'] }, views: { $gt: 1 } },
        sort: ['title:desc'],
        populate: { author: true },
        locale: undefined,
        day: new Date(0),
      }),
    ).toBe(
      'filters[title][$in][0]=a%26b&filters[title][$in][1]=%C3%BC&filters[views][$gt]=1&sort[0]=title%3Adesc&populate[author]=true&day=1970-01-01T00%3A00%3A00.000Z',
    )
  })

  it('refuses an empty list of a filter, which would be no filter at all', () => {
    expect(() => queryString({ filters: { id: { $in: [] } } })).toThrow('filters[id][$in] is an empty list')
    expect(() => queryString({ filters: { id: { $in: [undefined] } } })).toThrow('filters[id][$in]')
    expect(() => queryString({ populate: { articles: { filters: { id: { $in: [] } } } } })).toThrow(
      'populate[articles][filters][id][$in] is an empty list',
    )
    // These hold for every entry.
    expect(queryString({ filters: { $and: [], id: { $notIn: [] } } })).toBe('')
    expect(() => queryString({ filters: { $or: [{ id: { $notIn: [] } }, { title: 'a' }] } })).toThrow(
      'filters[$or][0][id][$notIn] is an empty list',
    )
    expect(queryString({ fields: [], sort: [], populate: { filters: { fields: [] } } })).toBe(
      'populate[filters]=true',
    )
  })

  it('refuses an object that is no value, which would be no filter at all', () => {
    expect(() => queryString({ filters: { id: Promise.resolve(1) } })).toThrow('filters[id] is a Promise')
    expect(() => queryString({ filters: { id: { $in: new Set([1]) } } })).toThrow('filters[id][$in] is a Set')
    expect(() => queryString({ populate: new Set(['author']) })).toThrow('populate is a Set')
    expect(queryString({ filters: Object.create(null), populate: { author: Object.create(null) } })).toBe(
      'populate[author]=true',
    )
  })

  it('populates what has an object without options', () => {
    expect(queryString({ populate: { author: {}, seo: { populate: { image: {} } }, tags: undefined } })).toBe(
      'populate[author]=true&populate[seo][populate][image]=true',
    )
    expect(queryString({ populate: { body: { on: { 'body.text': { fields: undefined } } } } })).toBe(
      'populate[body][on][body.text]=true',
    )
    expect(queryString({ populate: {}, pagination: {}, filters: {} })).toBe('')
  })

  it('is read back as it was written', () => {
    const name = fc
      .stringMatching(/^[a-zA-Z$][\w$.:]{0,8}$/)
      .filter((text) => !Object.hasOwn(Object.prototype, text))
    const { tree } = fc.letrec<{ tree: unknown; list: unknown; object: unknown; text: string }>((tie) => ({
      text: fc.string(),
      list: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
      object: fc.dictionary(name, tie('tree'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
      tree: fc.oneof({ maxDepth: 4 }, tie('text'), tie('list'), tie('object')),
    }))
    const queries = fc.dictionary(name, tree, { maxKeys: 4, noNullPrototype: true })
    fc.assert(
      fc.property(queries, (query) => {
        expect(parse(queryString(query), { depth: 20, arrayLimit: 100 })).toEqual(query)
      }),
      { numRuns: 200 },
    )
  })
})
