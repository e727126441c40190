import { describe, expect, it } from 'vitest'
import { line, parse, refusal } from '../../test/support/parsed.ts'
import { operators } from '../operator/table.ts'

const filters = (query: string) => line(parse(query).filters)

describe('filters', () => {
  it.each([
    ['filters=', ''],
    ['filters[title]=Zebra', 'title.$eq Zebra'],
    ['filters[title][$eq]=', 'title.$eq '],
    ['filters[title]=', 'title.$eq '],
    ['filters[title][$eq]=a,b', 'title.$eq a,b'],
    ['filters[id][0]=1&filters[id][1]=2', 'id.$in 1|2'],
    ['filters[id]=1&filters[id]=2', 'id.$in 1|2'],
    ['filters[id][]=1', 'id.$in 1'],
    ['filters[id][$in]=3,4', 'id.$in 3,4'],
    ['filters[id][$in][]=3&filters[id][$in][]=4', 'id.$in 3|4'],
    ['filters[title][$contains][0]=Zeb&filters[title][$contains][1]=app', 'title.$contains Zeb|app'],
    ['filters[rating][$between][0]=2&filters[rating][$between][1]=4', 'rating.$between 2|4'],
    ['filters[rating][$between]=2&filters[rating][$between]=4', 'rating.$between 2|4'],
    ['filters[views][$notNull]=f', 'views.$notNull f'],
    ['filters[views][$null]', 'views.$null '],
    ['filters[views][$gt]=1&filters[views][$lt]=9', 'views.($gt 1 and $lt 9)'],
    ['filters[views][$gt]=1000&filters[status]=news', '(views.$gt 1000 and status.$eq news)'],
    ['filters[author][mentor][name][$eq]=Ada', 'author.mentor.name.$eq Ada'],
    ['filters[author]=1', 'author.$eq 1'],
    ['filters[author][name]=a&filters[author][id]=2', 'author.(name.$eq a and id.$eq 2)'],
    ['filters[$or][0][title]=a&filters[$or][1][title]=b', '(title.$eq a OR title.$eq b)'],
    ['filters[$or][0][title]=a', 'OR(title.$eq a)'],
    ['filters[$or][0][a]=1&filters[$or][0][b]=2&filters[$or][1][c]=3', '((a.$eq 1 and b.$eq 2) OR c.$eq 3)'],
    [
      'filters[$or][1][0][a]=1&filters[$or][1][1][b]=2&filters[$or][0][c]=3',
      '(c.$eq 3 OR (a.$eq 1 and b.$eq 2))',
    ],
    [
      'filters[$or][0][a]=1&filters[$or][1][$and][0][b]=2&filters[$or][1][$and][1][c]=3',
      '(a.$eq 1 OR (b.$eq 2 AND c.$eq 3))',
    ],
    ['filters[$or][0][a]=1&filters[$or][1][b]=2&filters[c]=3', '((a.$eq 1 OR b.$eq 2) and c.$eq 3)'],
    ['filters[author][$or][0][name]=a&filters[author][$or][1][id]=1', 'author.(name.$eq a OR id.$eq 1)'],
    [
      'filters[title][$and][0][$startsWith]=t&filters[title][$and][1][$endsWith]=r',
      'title.($startsWith t AND $endsWith r)',
    ],
    ['filters[$not][status]=news', 'NOT status.$eq news'],
    ['filters[$not][0][a]=1&filters[$not][1][b]=2', 'NOT (a.$eq 1 and b.$eq 2)'],
    ['filters[title][$not]=x', 'title.NOT $eq x'],
    ['filters[title][$not][0]=x&filters[title][$not][1]=y', 'title.NOT $in x|y'],
    ['filters[title][$not][$contains]=e', 'title.NOT $contains e'],
    ['filters[title][$not][$not][$contains]=e', 'title.NOT NOT $contains e'],
    ['filters[0][status]=news&filters[1][featured]=true', '(status.$eq news and featured.$eq true)'],
    ['filters[0][status]=news&filters[featured]=true', '(status.$eq news and featured.$eq true)'],
    ['filters[0][0][a]=1', 'a.$eq 1'],
    ['filters[a]=1&filters[a][$gt]=2&filters[a][$lt]=3', 'a.($in 1 and ($gt 2 and $lt 3))'],
    ['filters[a][$gt]=2&filters[a]=1', 'a.($in 1 and $gt 2)'],
    ['filters[a][0]=1&filters[a][1]=2&filters[a][$gt]=0', 'a.($in 1|2 and $gt 0)'],
    ['filters[$eq]=1', '$eq 1'],
    ['filters[__proto__][x]=1', '__proto__.x.$eq 1'],
    ['filters[constructor]=1', 'constructor.$eq 1'],
    ['filters[t1.password][$startsWith]=a', 't1.password.$startsWith a'],
    ['filters[title"]=1', 'title".$eq 1'],
    ['filters[a=b]=1', 'a=b.$eq 1'],
  ])('%s', (query, expected) => {
    expect(filters(query)).toBe(expected)
  })

  it('records the place of each condition', () => {
    expect(parse('filters[a][$gt]=1&filters[$or][0][b][0]=2').filters).toEqual({
      kind: 'and',
      explicit: false,
      at: 'filters',
      children: [
        {
          kind: 'field',
          name: 'a',
          at: 'filters[a]',
          child: { kind: 'compare', operator: '$gt', values: ['1'], at: 'filters[a][$gt]' },
        },
        {
          kind: 'or',
          explicit: true,
          at: 'filters[$or]',
          children: [
            {
              kind: 'field',
              name: 'b',
              at: 'filters[$or][0][b]',
              child: { kind: 'compare', operator: '$in', values: ['2'], at: 'filters[$or][0][b]' },
            },
          ],
        },
      ],
    })
  })

  it.each(Object.entries(operators))('$s accepts the operands of its row', (operator, { operand }) => {
    const one = `filters[a][${operator}]=1`
    const two = `filters[a][${operator}][0]=1&filters[a][${operator}][1]=2`
    expect([one, two].map((query) => (taken(query) ? line(parse(query).filters) : 'refused'))).toEqual([
      operand === 'pair' ? 'refused' : `a.${operator} 1`,
      operand === 'flag' ? `a.${operator} 1` : `a.${operator} 1|2`,
    ])
    expect(taken(`${two}&filters[a][${operator}][2]=3`)).toBe(operand !== 'pair')
    expect(taken(`filters[a][${operator}][$eq]=1`)).toBe(false)
    expect(taken(`filters[a][${operator}][0][0]=1`)).toBe(false)
  })

  const taken = (query: string): boolean => {
    try {
      refusal(query)
      return false
    } catch {
      return true
    }
  }

  it.each([
    ['filters=x', 'filters: expected conditions, such as [name][$eq]=value, not "x".'],
    ['filters[]=x', 'filters[0]: expected conditions, such as [name][$eq]=value, not "x".'],
    ['filters[0]=x', 'filters[0]: expected conditions, such as [name][$eq]=value, not "x".'],
    ['filters[]=', 'filters[0]: expected conditions, such as [name][$eq]=value, not "".'],
    ['filters[$or]=x', 'filters[$or]: $or takes a list of groups, such as $or[0][name][$eq]=value.'],
    ['filters[$or][title]=x', 'filters[$or]: $or takes a list of groups, such as $or[0][name][$eq]=value.'],
    [
      'filters[$and][0][a]=1&filters[$and][b]=2',
      'filters[$and]: $and takes a list of groups, such as $and[0][name][$eq]=value.',
    ],
    ['filters[$or][0]=x', 'filters[$or][0]: expected conditions, such as [name][$eq]=value, not "x".'],
    ['filters[$not]=x', 'filters[$not]: expected conditions, such as [name][$eq]=value, not "x".'],
    [
      'filters[views][$between]=1,2',
      'filters[views][$between]: $between takes two values, [0] and [1], not "1,2".',
    ],
    ['filters[title][$eq][$eq]=x', 'filters[title][$eq]: $eq takes a value, not "{"$eq":"x"}".'],
  ])('%s is refused', (query, message) => {
    expect(refusal(query)).toBe(`400 query/bad-filter ${message}`)
  })

  const known = [...Object.keys(operators), '$and', '$or', '$not'].join(', ')

  it.each([
    ['$EQ', '$eq'],
    ['$OR', '$or'],
    ['$contain', '$contains'],
    ['$notNul', '$notNull'],
    ['$nto', '$not'],
    ['$like', '$contains'],
    ['$nin', '$notIn'],
  ])('%s is not an operator, %s is', (operator, meant) => {
    expect(refusal(`filters[a][b][${operator}]=1`)).toBe(
      `400 query/unknown-operator filters[a][b][${operator}]: there is no operator "${operator}"; did you mean "${meant}"? There are ${known}.`,
    )
  })

  it.each(['$matches', '$', '$__proto__', '$constructor'])('%s is not an operator', (operator) => {
    expect(refusal(`filters[a][b][${operator}]=1`)).toBe(
      `400 query/unknown-operator filters[a][b][${operator}]: there is no operator "${operator}"; there are ${known}.`,
    )
  })

  it('limits the number of conditions of the whole request', () => {
    const limits = { filterNodes: 4 }
    const or = (n: number) => Array.from({ length: n }, (_, i) => `filters[$or][${i}][a]=1`).join('&')
    expect(parse(or(3), { limits }).filters).toBeDefined()
    expect(refusal(or(4), { limits })).toBe(
      '400 query/filter-too-large filters hold more than 4 conditions in all.',
    )
    expect(
      refusal('filters[a][$gt]=1&filters[a][$gt]=2&filters[a][$gt]=3&filters[a][$gt]=4&filters[a][$gt]=5', {
        limits,
      }),
    ).toMatch('too-large')
    expect(parse(Array(100).fill('filters[id][$in]=1').join('&'), { limits }).filters).toBeDefined()
    expect(refusal(`${or(2)}&populate[x][filters][a]=1&populate[y][filters][a]=1`, { limits })).toMatch(
      'too-large',
    )
  })
})
