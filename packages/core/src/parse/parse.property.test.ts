import { OctavoError } from '@octavo/database'
import { runs } from '@octavo/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anyName,
  anyText,
  garbageArbitrary,
  rawQueryArbitrary,
} from '../../test/support/generated-queries.ts'
import { parse } from '../../test/support/parsed.ts'
import { defaultLimits } from '../limits.ts'
import { decodeQuery } from './decode.ts'
import { printQuery } from './print.ts'
import type { RawQuery, RawValue } from './raw.ts'

const anyValue = fc.oneof(
  anyText,
  fc.array(anyText, { minLength: 1, maxLength: 25 }),
  fc.dictionary(anyName, anyText, { minKeys: 1 }),
)

const params = new Map([
  ['locale', { scope: 'own' as const }],
  ['publicationState', { scope: 'inherit' as const }],
  ['meta', { scope: 'root' as const }],
])

const queries = rawQueryArbitrary({
  component: fc.tuple(anyName, anyName).map((names) => names.join('.')),
  rootParams: { meta: anyValue },
  childParams: { locale: anyValue, publicationState: anyText },
})

/** The tree without places. */
function withoutPlaces(node: unknown): unknown {
  if (node instanceof Map)
    return Object.fromEntries([...node].map(([name, value]) => [`"${name}"`, withoutPlaces(value)]))
  if (Array.isArray(node)) return node.map(withoutPlaces)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === 'at' ? '' : key === 'value' ? value : withoutPlaces(value),
    ]),
  )
}

const parsed = (query: string): RawQuery => parse(query, { params, limits: { queryLength: 10 ** 6 } })

describe('any query', () => {
  it('is unchanged by printing and parsing', () => {
    fc.assert(
      fc.property(queries, (query) => {
        expect(withoutPlaces(parsed(printQuery(query)))).toEqual(withoutPlaces(query))
      }),
      { numRuns: runs(100, 5_000) },
    )
  })

  it('can have percent-encoded brackets', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const text = printQuery(query)
        expect(parsed(text.replaceAll('[', '%5B').replaceAll(']', '%5d'))).toEqual(parsed(text))
      }),
      { numRuns: runs(50, 2_500) },
    )
  })

  it('prints to a text that parses to the same tree, including places', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const text = printQuery(query)
        expect(printQuery(parsed(text))).toBe(text)
      }),
      { numRuns: runs(50, 2_500) },
    )
  })
})

describe('any text at all', () => {
  it('parses to a query or gives a 4xx', () => {
    fc.assert(
      fc.property(garbageArbitrary, (text) => {
        try {
          parsed(text)
        } catch (error) {
          expect(error).toBeInstanceOf(OctavoError)
          expect((error as OctavoError).status).toBeOneOf([400, 413])
        }
      }),
      { numRuns: runs(500, 20_000) },
    )
  })

  it('is unaffected by undeclared parameters', () => {
    fc.assert(
      fc.property(queries, anyName, anyText, (query, name, value) => {
        const text = printQuery(query)
        const unknown = `x${encodeURIComponent(name)}=${encodeURIComponent(value)}`
        expect(withoutPlaces(parsed(`${unknown}&${text}&${unknown}`))).toEqual(withoutPlaces(parsed(text)))
      }),
      { numRuns: runs(50, 2_500) },
    )
  })
})

describe('decoding', () => {
  const key = fc
    .array(
      fc.constantFrom('', '0', '1', '2', '19', '20', '25', 'a', 'b', '__proto__', 'length', '1000000000'),
      { maxLength: 4 },
    )
    .map((segments) => `a${segments.map((segment) => `[${segment}]`).join('')}`)

  const leaves = (value: RawValue): string[] =>
    typeof value === 'string' ? [value] : Object.values(value).flatMap(leaves)

  it('preserves every value in any mix of brackets, lists and texts', () => {
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 30 }), (keys) => {
        const text = keys.map((name, i) => `${name}=v${i}`).join('&')
        const tree = decodeQuery(text, defaultLimits, () => true)
        expect(leaves(tree.get('a') ?? '').sort()).toEqual(keys.map((_, i) => `v${i}`).sort())
      }),
      { numRuns: runs(300, 12_000) },
    )
  })
})
