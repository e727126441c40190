import { describe, expect, it } from 'vitest'
import { parse, refusal } from '../../test/support/parsed.ts'

describe('pagination', () => {
  it.each([
    ['sort=id', { kind: 'page' }],
    ['pagination=', { kind: 'page' }],
    ['pagination[page]=2&pagination[pageSize]=10', { kind: 'page', page: 2, pageSize: 10 }],
    ['pagination[pageSize]=100000', { kind: 'page', pageSize: 100_000 }],
    ['pagination[pageSize]=-5', { kind: 'page', pageSize: -5 }],
    ['pagination[page]=-0', { kind: 'page', page: 0 }],
    ['pagination[page]=+3', { kind: 'page', page: 3 }],
    ['pagination[page]=%2B3', { kind: 'page', page: 3 }],
    ['pagination[page]=007', { kind: 'page', page: 7 }],
    ['pagination[start]=30', { kind: 'offset', start: 30 }],
    ['pagination[limit]=-1', { kind: 'offset', limit: -1 }],
    [
      'pagination[start]=1&pagination[limit]=2&pagination[withCount]=false',
      { kind: 'offset', start: 1, limit: 2, withCount: false },
    ],
    ['pagination[withCount]=1', { kind: 'page', withCount: true }],
    ['pagination[withCount]=t', { kind: 'page', withCount: true }],
    ['pagination[withCount]=f', { kind: 'page', withCount: false }],
    ['pagination[foo]=1&pagination[pageSize]=2', { kind: 'page', pageSize: 2 }],
    [
      'pagination[after]=abc&pagination[pageSize]=2',
      { kind: 'cursor', direction: 'after', cursor: 'abc', pageSize: 2, at: 'pagination[after]' },
    ],
    [
      'pagination[before]=&pagination[withCount]=1',
      { kind: 'cursor', direction: 'before', cursor: '', withCount: true, at: 'pagination[before]' },
    ],
    ['pagination[page][]=2', { kind: 'page', page: 2 }],
    ['pagination[page][0]=2&pagination[pageSize][7]=3', { kind: 'page', page: 2, pageSize: 3 }],
    ['pagination[start][]=2&pagination[limit][0]=-1', { kind: 'offset', start: 2, limit: -1 }],
    ['pagination[withCount][]=false', { kind: 'page', withCount: false }],
    [
      'pagination[after][]=abc',
      { kind: 'cursor', direction: 'after', cursor: 'abc', at: 'pagination[after]' },
    ],
    ['pagination[page]=99999999999', { kind: 'page', page: 99_999_999_999 }],
    ['pagination[page]=1e1&pagination[pageSize]=0x2', { kind: 'page', page: 10, pageSize: 2 }],
    ['pagination[page]=5.0', { kind: 'page', page: 5 }],
    ['pagination[page]=', { kind: 'page', page: 0 }],
    ['pagination[start]=%20&pagination[limit]=', { kind: 'offset', start: 0, limit: 0 }],
  ])('%s', (query, expected) => {
    expect(parse(query).pagination).toEqual(expected)
  })

  const number = 'expected a whole number of at most 9007199254740991'
  const flag = 'expected true, 1, t, false, 0 or f'
  it.each([
    ['pagination[page]=abc', `pagination[page]: ${number}, not "abc".`],
    ['pagination[pageSize]=2.7', `pagination[pageSize]: ${number}, not "2.7".`],
    ['pagination[page]=9007199254740992', `pagination[page]: ${number}, not "9007199254740992".`],
    ['pagination[start]=-9007199254740992', `pagination[start]: ${number}, not "-9007199254740992".`],
    ['pagination[start]=Infinity', `pagination[start]: ${number}, not "Infinity".`],
    ['pagination[limit]=99999999999999999999', `pagination[limit]: ${number}, not "99999999999999999999".`],
    ['pagination[page]=1&pagination[page]=2', `pagination[page]: ${number}, not "["1","2"]".`],
    ['pagination[page][]=x', `pagination[page]: ${number}, not "["x"]".`],
    ['pagination[page][0][0]=2', `pagination[page]: ${number}, not "[["2"]]".`],
    ['pagination[page][a]=1', `pagination[page]: ${number}, not "{"a":"1"}".`],
    ['pagination[withCount]=', `pagination[withCount]: ${flag}, not "".`],
    ['pagination[withCount]=True', `pagination[withCount]: ${flag}, not "True".`],
    [
      'pagination=2',
      'pagination: expected [page] and [pageSize], [start] and [limit], or [after] or [before] and [pageSize], not "2".',
    ],
    [
      'pagination[]=2',
      'pagination: expected [page] and [pageSize], [start] and [limit], or [after] or [before] and [pageSize], not "["2"]".',
    ],
  ])('%s is refused', (query, message) => {
    expect(refusal(query)).toBe(`400 query/bad-paging ${message}`)
  })

  it.each(['pagination[page]=1&pagination[limit]=2', 'pagination[start]=0&pagination[pageSize]=2'])(
    '%s mixes the methods',
    (query) => {
      expect(refusal(query)).toBe(
        '400 query/mixed-paging pagination: use page with pageSize, or start with limit, not both.',
      )
    },
  )

  it.each(['page', 'pageSize', 'start', 'limit'])('%s outside pagination is refused', (name) => {
    const message = `Invalid parameter "${name}": did you mean pagination[${name}]?`
    expect(refusal(`${name}=1`)).toBe(`400 query/misplaced-paging ${message}`)
    expect(refusal(`${name}[a]=1`, { kind: 'one' })).toBe(`400 query/misplaced-paging ${message}`)
  })

  it('is ignored for one entry', () => {
    expect(parse('pagination[page]=2', { kind: 'one' }).pagination).toEqual({ kind: 'page' })
    expect(parse('pagination[page]=x', { kind: 'one' }).pagination).toEqual({ kind: 'page' })
  })
})
