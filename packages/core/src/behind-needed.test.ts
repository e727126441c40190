import fc from 'fast-check'
import { expect, it } from 'vitest'
import { behindNeeded } from './behind-needed.ts'

interface Item {
  readonly needs: number | undefined
}

const items = fc.integer({ min: 0, max: 12 }).chain((count) =>
  fc.array(fc.record({ needs: fc.option(fc.nat({ max: 12 }), { nil: undefined }) }), {
    minLength: count,
    maxLength: count,
  }),
)

const ordered = (given: readonly Item[]): readonly Item[] =>
  behindNeeded(given, ({ needs }) => (needs === undefined ? undefined : given[needs]))

it('has each item once, behind the one that it needs', () => {
  fc.assert(
    fc.property(items, (given) => {
      const result = ordered(given)
      expect(new Set(result)).toEqual(new Set(given))
      expect(result).toHaveLength(given.length)
      for (const item of given) {
        const chain = new Set<Item>()
        let one: Item | undefined = item
        while (one && !chain.has(one)) {
          chain.add(one)
          one = one.needs === undefined ? undefined : given[one.needs]
        }
        const needed = item.needs === undefined ? undefined : given[item.needs]
        // An item whose needs lead into a circle has no first item to follow.
        if (needed && !one) expect(result.indexOf(needed)).toBeLessThan(result.indexOf(item))
      }
    }),
  )
})

it('keeps the order of items that need none, or one before them', () => {
  const given = [{ needs: undefined }, { needs: 0 }, { needs: undefined }, { needs: 1 }]
  expect(ordered(given)).toEqual(given)
})

it('orders a chain of fifty thousand', () => {
  const given = Array.from({ length: 50_000 }, (_, i): Item => ({ needs: i + 1 }))
  expect(ordered(given)).toEqual([...given].reverse())
})
