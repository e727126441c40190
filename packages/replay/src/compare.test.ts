import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, compare } from './compare.ts'

const answer = (body: unknown): Answer => ({
  status: 200,
  contentType: 'application/json',
  body,
  isJson: true,
})

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON with the keys of every object in the opposite order. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned)
  if (!isObject(value)) return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(entries.map(([key, item]) => [key, turned(item)]))
}

/** One text for each JSON value, independent of the order of its keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))) : item,
  )

// Through text, like responses: JSON has no -0.
const json = fc.jsonValue({ maxDepth: 4 }).map((value): unknown => JSON.parse(JSON.stringify(value)))

describe('compare', () => {
  it('finds no difference between a JSON value and itself, in any order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(compare(answer(value), answer(turned(value)))).toEqual([])
      }),
    )
  })

  it('finds a difference between two JSON values exactly when they differ', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(compare(answer(a), answer(b)).length > 0).toBe(canonical(a) !== canonical(b))
      }),
    )
  })
})
