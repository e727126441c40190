import { describe, expect, it } from 'vitest'
import { parse } from '../../test/support/parsed.ts'
import { printQuery } from './print.ts'

describe('a printed query', () => {
  it.each([
    ['', ''],
    ['sort=author.name:DESC,id', 'sort[0][author][name]=desc&sort[1][id]=asc'],
    ['fields=a&fields=b', 'fields[0]=a&fields[1]=b'],
    ['fields[]=*', 'fields=*'],
    ['populate=*,a.b&populate[c]=0', 'populate[0]=*&populate[a][populate][b]=true&populate[c]=false'],
    ['populate[a][limit]=1&populate[a][count]=t', 'populate[a][limit]=1&populate[a][count]=true'],
    ['populate[z][on][b.c]=*', 'populate[z][on][b.c]=true'],
    ['filters[a]=1&filters[b][$in]=2', 'filters[0][a][$eq]=1&filters[1][b][$in]=2'],
    ['filters[a][]=1&filters[a][]=2', 'filters[a][$in][0]=1&filters[a][$in][1]=2'],
    [
      'filters[$or][0][a]=1&filters[$or][1][$not][b]=%26',
      'filters[$or][0][a][$eq]=1&filters[$or][1][$not][b][$eq]=%26',
    ],
    [
      'pagination[limit]=2&pagination[withCount]=0&_q=a+b',
      'pagination[limit]=2&pagination[withCount]=false&_q=a%20b',
    ],
    ['pagination[pageSize]=2&pagination[before]=a-b_', 'pagination[before]=a-b_&pagination[pageSize]=2'],
    ['pagination[after]=', 'pagination[after]='],
  ])('%s → %s', (query, printed) => {
    expect(printQuery(parse(query))).toBe(printed)
  })

  it('rejects names that cannot be written in brackets', () => {
    for (const query of ['populate=5', 'populate=a[b]', 'sort=a]']) {
      expect(() => printQuery(parse(query))).toThrow(RangeError)
    }
  })
})
