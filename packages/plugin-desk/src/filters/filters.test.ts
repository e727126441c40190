import fc from 'fast-check'
import { expect, describe as group, it } from 'vitest'
import { type Condition, describe, english, operatorsFor, readFilters, writeFilters } from './index.ts'

const name = fc.constantFrom('title', 'author', 'tags', 'seo', 'views')
const path = (minLength: number) => fc.array(name, { minLength, maxLength: 3 })
const operator = fc.constantFrom(...Object.keys(english.operators), '$near')
const values = fc.array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 3 })

/** Conditions as reading makes them: no `of` directly above a comparison or another `of`, which are one path. */
const { condition } = fc.letrec<{ condition: Condition; inner: Condition }>((tie) => {
  const compare = (min: number) =>
    fc.record({ kind: fc.constant('comparison' as const), path: path(min), operator, values })
  const joined = (below: fc.Arbitrary<Condition>) =>
    fc.oneof(
      fc.record({
        kind: fc.constantFrom('all' as const, 'any' as const),
        conditions: fc.array(below, { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('not' as const), condition: below }),
    )
  const of = fc.record({ kind: fc.constant('of' as const), path: path(1), condition: joined(tie('inner')) })
  return {
    condition: fc.oneof({ maxDepth: 3 }, compare(1), joined(tie('condition')), of),
    inner: fc.oneof({ maxDepth: 3 }, compare(0), joined(tie('inner')), of),
  }
})

const equal = (path: readonly string[], value: string): Condition => ({
  kind: 'comparison',
  path,
  operator: '$eq',
  values: [value],
})

group('filters as conditions', () => {
  it('every condition is the same after it was written and read', () => {
    fc.assert(
      fc.property(condition, (given) => {
        expect(readFilters(`?sort=title&${writeFilters(given)}`)).toEqual(given)
      }),
      { numRuns: 300 },
    )
  })

  it.each<[string, Condition | undefined]>([
    ['filters=', undefined],
    ['sort=title', undefined],
    ['filters[title]=Zebra', equal(['title'], 'Zebra')],
    [
      'filters[id][0]=1&filters[id][1]=2',
      { kind: 'comparison', path: ['id'], operator: '$in', values: ['1', '2'] },
    ],
    [
      'filters[id][]=1&filters[id][]=2',
      { kind: 'comparison', path: ['id'], operator: '$in', values: ['1', '2'] },
    ],
    [
      'filters[rating][$between][0]=2&filters[rating][$between][1]=4',
      { kind: 'comparison', path: ['rating'], operator: '$between', values: ['2', '4'] },
    ],
    ['filters[author][mentor][name][$eq]=Ada', equal(['author', 'mentor', 'name'], 'Ada')],
    [
      'filters[$or][0][a]=1&filters[$or][1][b]=2',
      { kind: 'any', conditions: [equal(['a'], '1'), equal(['b'], '2')] },
    ],
    ['filters[$not][status]=news', { kind: 'not', condition: equal(['status'], 'news') }],
    ['filters[0][a]=1&filters[1][b]=2', { kind: 'all', conditions: [equal(['a'], '1'), equal(['b'], '2')] }],
    // Both conditions are about one tag; two groups under $and may be about two.
    [
      'filters[tags][name]=a&filters[tags][state]=b',
      {
        kind: 'of',
        path: ['tags'],
        condition: { kind: 'all', conditions: [equal(['name'], 'a'), equal(['state'], 'b')] },
      },
    ],
    [
      'filters[$and][0][tags][name]=a&filters[$and][1][tags][state]=b',
      { kind: 'all', conditions: [equal(['tags', 'name'], 'a'), equal(['tags', 'state'], 'b')] },
    ],
    [
      'filters[title][$not][$contains]=e',
      {
        kind: 'of',
        path: ['title'],
        condition: {
          kind: 'not',
          condition: { kind: 'comparison', path: [], operator: '$contains', values: ['e'] },
        },
      },
    ],
  ])('%s', (query, expected) => {
    const read = readFilters(query)
    expect(read).toEqual(expected)
    expect(readFilters(writeFilters(read))).toEqual(expected)
  })
})

group('filters in words', () => {
  const labels: Readonly<Record<string, string>> = {
    status: 'State',
    'author.name': 'Name',
    author: 'Author',
  }
  const label = (names: readonly string[]): string => labels[names.join('.')] ?? names.at(-1) ?? ''
  it.each([
    ['filters[status][$in][0]=news&filters[status][$in][1]=review', 'State is one of “news”, “review”'],
    ['filters[author][name][$containsi]=ada', 'Author › Name contains, in any case, “ada”'],
    ['filters[views][$between][0]=1&filters[views][$between][1]=9', 'views is between “1” and “9”'],
    ['filters[cover][$null]=false', 'cover is not empty'],
    ['filters[views][$gt]=1&filters[views][$lt]=9', '(views is more than “1” and views is less than “9”)'],
    [
      'filters[$or][0][status]=news&filters[$or][1][$not][status]=review',
      'State is “news” or not State is “review”',
    ],
    ['filters[place][$near]=52,13', 'place $near “52,13”'],
    ['filters[tags][name]=a&filters[tags][state][$ne]=b', 'tags with (name is “a” and state is not “b”)'],
    [
      'filters[$and][0][tags][name]=a&filters[$and][1][tags][state]=b',
      'tags › name is “a” and tags › state is “b”',
    ],
    ['filters[$not][author][$not][name]=Ada', 'not Author with (not Name is “Ada”)'],
    [
      'filters[status]=news&filters[author][$or][0][name]=Ada&filters[author][$or][1][born][$lt]=1900',
      'State is “news” and Author with (Name is “Ada” or born is less than “1900”)',
    ],
  ])('%s', (query, words) => {
    const read = readFilters(query)
    expect(read && describe(read, { label })).toBe(words)
  })

  it('offer the operators of a type', () => {
    expect(operatorsFor('integer')).toContain('$between')
    expect(operatorsFor('integer')).not.toContain('$startsWith')
    expect(operatorsFor('json')).not.toContain('$lt')
    expect(operatorsFor('media')).toEqual([])
  })
})
