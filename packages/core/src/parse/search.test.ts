import { describe, expect, it } from 'vitest'
import { parse, refusal } from '../../test/support/parsed.ts'

describe('_q', () => {
  it.each([
    ['_q=river', 'river'],
    ['_q=river+lantern', 'river lantern'],
    ['_q=%25_*%5C', '%_*\\'],
    ['_q=a%26b=c]=d', 'a&b=c]=d'],
    ['_q=', undefined],
    ['_q', undefined],
    ['sort=id', undefined],
  ])('%s', (query, expected) => {
    expect(parse(query).search).toBe(expected)
  })

  it.each(['_q=a&_q=b', '_q[]=a', '_q[a]=b'])('%s is refused', (query) => {
    expect(refusal(query)).toBe('400 query/bad-search _q: expected one text.')
  })

  it('is limited to 1,000 characters', () => {
    expect(parse(`_q=${'x'.repeat(1000)}`).search).toHaveLength(1000)
    expect(refusal(`_q=${'x'.repeat(1001)}`)).toBe(
      '400 query/search-too-long _q: a phrase may have at most 1000 characters.',
    )
  })
})
