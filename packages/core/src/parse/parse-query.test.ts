import { describe, expect, it } from 'vitest'
import { parse, refusal } from '../../test/support/parsed.ts'

const nothing = {
  fields: undefined,
  sort: [],
  filters: undefined,
  populate: { all: false, named: new Map() },
  params: new Map(),
  pagination: { kind: 'page' },
  search: undefined,
}

describe('a query', () => {
  it('that is empty gives the shared default', () => {
    expect(parse('')).toEqual(nothing)
    expect(parse('')).toBe(parse(''))
    expect(Object.isFrozen(parse(''))).toBe(true)
    expect(parse('&&')).toEqual(nothing)
  })

  it('S-02: ignores undeclared parameters', () => {
    for (const name of [
      'where',
      'lookup',
      'select',
      'orderBy',
      'Filters',
      'filters.a',
      'filters ',
      '__proto__',
      'constructor',
      'x[y]',
      'plugins[i18n][locale]',
      'published_at_null',
    ]) {
      expect(parse(`${name}[updatedBy][password][$startsWith]=$2a`)).toEqual(nothing)
      expect(parse(`${name}=1&sort=id`)).toEqual(parse('sort=id'))
    }
  })

  it('includes the parameters that plugins declared, unparsed', () => {
    const params = new Map([
      ['locale', {}],
      ['meta', { scope: 'root' as const }],
      ['limit', {}],
    ])
    expect(parse('locale[0]=fr&locale[1]=de&meta=&limit=3&other=1', { params }).params).toEqual(
      new Map([
        ['locale', { value: ['fr', 'de'], at: 'locale' }],
        ['meta', { value: '', at: 'meta' }],
        ['limit', { value: '3', at: 'limit' }],
      ]),
    )
    expect(refusal('limit=3')).toMatch('query/misplaced-paging')
  })

  it('can combine all parameters', () => {
    expect(
      parse(
        'sort=id&fields[0]=title&populate=author&filters[id]=1&pagination[limit]=2&_q=x&publicationState=preview',
        { params: new Map([['publicationState', {}]]) },
      ),
    ).toEqual({
      fields: [{ name: 'title', at: 'fields[0]' }],
      sort: [{ path: ['id'], direction: 'asc', at: 'sort' }],
      filters: {
        kind: 'field',
        name: 'id',
        at: 'filters[id]',
        child: { kind: 'compare', operator: '$eq', values: ['1'], at: 'filters[id]' },
      },
      populate: {
        all: false,
        named: new Map([
          [
            'author',
            {
              ...nothing,
              pagination: undefined,
              at: 'populate',
              page: undefined,
              count: false,
              on: undefined,
              of: undefined,
            },
          ],
        ]),
      },
      params: new Map([['publicationState', { value: 'preview', at: 'publicationState' }]]),
      pagination: { kind: 'offset', limit: 2 },
      search: 'x',
    })
  })
})
