import { OctavoError } from '@octavo/database'
import { runs } from '@octavo/testing'
import fc from 'fast-check'
import qs from 'qs'
import { describe, expect, it } from 'vitest'
import { anyName, anyText } from '../../test/support/generated-queries.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import { decodeQuery } from './decode.ts'

const decode = (query: string, limits: Partial<Limits> = {}) =>
  Object.fromEntries(decodeQuery(query, { ...defaultLimits, ...limits }, (name) => name !== 'unasked'))

const refused = (query: string, limits: Partial<Limits> = {}): string => {
  try {
    decode(query, limits)
  } catch (error) {
    if (error instanceof OctavoError) return `${error.status} ${error.code}`
    throw error
  }
  return 'taken'
}

describe('a query string', () => {
  it.each([
    ['a=1', { a: '1' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['&&a=1&&b=2&', { a: '1', b: '2' }],
    ['a=x+y%20z', { a: 'x y z' }],
    ['a=x y', { a: 'x y' }],
    ['a=%2B', { a: '+' }],
    ['a=%25', { a: '%' }],
    ['a=1=2', { a: '1=2' }],
    ['a=ø%C3%B8😀', { a: 'øø😀' }],
    ['a%5Bb%5d=1', { a: { b: '1' } }],
    ['a[b%5D=1', { a: { b: '1' } }],
    ['a[b=c]=1', { a: { 'b=c': '1' } }],
    ['a[b%3Dc]=1', { a: { 'b=c': '1' } }],
    ['a=x]=y', { a: 'x]=y' }],
    ['a=[b]=y', { a: '[b]=y' }],
    ['a[b]=c]=d', { a: { b: 'c]=d' } }],
    ['[a][b]=1', { a: { b: '1' } }],
    ['a.b=1', { 'a.b': '1' }],
    ['unasked=1&unasked[a]=2', {}],
  ])('%s', (query, tree) => {
    expect(decode(query)).toEqual(tree)
  })
})

describe('lists', () => {
  it.each([
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[]=1', { a: ['1'] }],
    ['a[0]=1', { a: ['1'] }],
    ['a[7]=1', { a: ['1'] }],
    ['a[1]=y&a[0]=x', { a: ['x', 'y'] }],
    ['a[10]=z&a[9]=y&a[900]=x', { a: ['y', 'z', 'x'] }],
    ['a[]=1&a[5]=2', { a: ['1', '2'] }],
    ['a=1&a[0]=2', { a: ['1', '2'] }],
    ['a[0][b]=1&a[0][c]=2&a[1][b]=3', { a: [{ b: '1', c: '2' }, { b: '3' }] }],
    ['a[][b]=1&a[][c]=2', { a: [{ b: '1', c: '2' }] }],
    ['a[01]=1', { a: { '01': '1' } }],
    ['a[-1]=1', { a: { '-1': '1' } }],
    ['a[1000000000]=1', { a: { '1000000000': '1' } }],
  ])('%s', (query, tree) => {
    expect(decode(query)).toEqual(tree)
  })

  it('have at most 1,000 elements in every form', () => {
    const forms: ((i: number) => string)[] = [
      (i) => `a[${i}]=${i}`,
      (i) => `a[]=${i}`,
      (i) => `a=${i}`,
      (i) => `a[b][${i * 7}]=${i}`,
    ]
    for (const form of forms) {
      const elements = Array.from({ length: 1001 }, (_, i) => form(i))
      expect(Object.values(decode(elements.slice(1).join('&')).a ?? []).flat()).toHaveLength(1000)
      expect(refused(elements.join('&'))).toBe('400 query/list-too-long')
    }
  })
})

describe('texts, lists and brackets for one name', () => {
  it.each([
    ['a=1&a[b]=2', { a: ['1', { b: '2' }] }],
    ['a[b]=2&a=1', { a: ['1', { b: '2' }] }],
    ['a=1&a[b]=2&a[c]=3&a=4', { a: ['1', '4', { b: '2', c: '3' }] }],
    ['a[0]=1&a[b]=2', { a: { 0: '1', b: '2' } }],
    ['a[b]=2&a[0]=1', { a: { 0: '1', b: '2' } }],
    ['a[b][c]=1&a[b]=2', { a: { b: ['2', { c: '1' }] } }],
    ['a[0]=1&a[0][b]=2', { a: [['1', { b: '2' }]] }],
  ])('%s', (query, tree) => {
    expect(decode(query)).toEqual(tree)
  })
})

describe('query strings of qs', () => {
  type Value = string | Value[] | { [key: string]: Value }
  const { value } = fc.letrec<{ value: Value; object: Value }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      anyText,
      fc.array(anyText, { minLength: 2, maxLength: 30 }),
      tie('object'),
    ),
    object: fc.dictionary(anyName, tie('value'), { minKeys: 1, maxKeys: 3 }),
  }))
  const named = fc.record({
    a: value,
    b: fc.array(fc.dictionary(anyName, value, { minKeys: 1 }), { minLength: 1, maxLength: 25 }),
  })
  const plain = (tree: unknown) => JSON.parse(JSON.stringify(tree))

  it('are decoded to the original values', () => {
    fc.assert(
      fc.property(named, fc.boolean(), (tree, encodeValuesOnly) => {
        const limits = { queryLength: 10 ** 7, parameters: 10 ** 5 }
        expect(
          plain(decode(qs.stringify(tree, { encodeValuesOnly: false, arrayFormat: 'indices' }), limits)),
        ).toEqual(plain(tree))
        const { a } = tree
        for (const arrayFormat of ['indices', 'brackets', 'repeat'] as const) {
          const text = qs.stringify({ a }, { arrayFormat, format: encodeValuesOnly ? 'RFC1738' : 'RFC3986' })
          expect(plain(decode(text, limits))).toEqual(plain({ a }))
        }
      }),
      { numRuns: runs(80, 4_000) },
    )
  })
})

describe('bounds', () => {
  it('are checked before decoding', () => {
    expect(refused(`unasked=${'x'.repeat(65_528)}`)).toBe('taken')
    expect(refused(`unasked=${'x'.repeat(65_529)}`)).toBe('413 query/too-long')
    expect(refused(Array(2000).fill('unasked=1').join('&&'))).toBe('taken')
    expect(refused(Array(2001).fill('unasked=1').join('&'))).toBe('400 query/too-many-parameters')
    expect(refused(`unasked${'[a]'.repeat(40)}=1`)).toBe('taken')
    expect(refused(`unasked${'[a]'.repeat(41)}=1`)).toBe('400 query/too-deep')
    expect(refused(`unasked${'%5Ba%5D'.repeat(41)}=1`)).toBe('400 query/too-deep')
    expect(refused(`unasked=${'[a]'.repeat(41)}`)).toBe('taken')
  })
})

describe('invalid query strings', () => {
  it.each([
    'a=%',
    'a=%zz',
    'a=%ff',
    'a=%C3',
    'a=%ED%A0%80',
    '%ff=1',
    'a=%00',
    'a%00=1',
    'a=\0',
    'unasked=%00',
    'a=\ud800',
    'a[b=1',
    'a]b[=1',
    'a]=1',
    'a[%5B]=1',
    'a[=1',
    'a[b]c=1',
    'a[b]c[d]=1',
    'a[[b]]=1',
    'a[b]]=1',
  ])('%j is a 400', (query) => {
    expect(refused(query)).toBe('400 query/malformed')
  })
})

describe('names of Object.prototype', () => {
  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
    '%s is a name like any other',
    (name) => {
      const tree = decodeQuery(`${name}=1&a[${name}][${name}]=2&a[b]=3`, defaultLimits, () => true)
      expect([...tree.keys()]).toEqual([name, 'a'])
      const a = tree.get('a') as { [key: string]: unknown }
      expect(Object.getPrototypeOf(a)).toBeNull()
      expect(Object.keys(a)).toEqual([name, 'b'])
      expect(Object.entries(a[name] as object)).toEqual([[name, '2']])
      expect({}).not.toHaveProperty('b')
    },
  )
})
