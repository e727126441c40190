import fc from 'fast-check'
import { expect, it } from 'vitest'
import { behindNeeded, placedTogether } from './behind-needed.ts'

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

interface Position {
  readonly kind: 'end' | 'start' | 'before' | 'after'
  readonly id?: number
}

const anyId = fc.integer({ min: 1, max: 9 })
const position: fc.Arbitrary<Position> = fc.oneof(
  fc.constantFrom<Position>({ kind: 'end' }, { kind: 'start' }),
  fc.record({ kind: fc.constantFrom('before', 'after'), id: anyId }),
)
const connections = fc.uniqueArray(fc.record({ id: anyId, position }), { selector: ({ id }) => id })

/** The list after entries went to one place, or to its end where the neighbour of the place is not in it. */
function put(list: readonly number[], ids: readonly number[], { kind, id }: Position): readonly number[] {
  const others = list.filter((one) => !ids.includes(one))
  if (kind === 'start') return [...ids, ...others]
  const beside = id === undefined ? -1 : others.indexOf(id)
  return others.toSpliced(beside < 0 ? others.length : beside + Number(kind === 'after'), 0, ...ids)
}

it('connections that are placed together have the result of each alone', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyId), connections, (list, connect) => {
      const alone = connect.reduce<readonly number[]>(
        (before, { id, position: at }) => put(before, [id], at),
        list,
      )
      const together = placedTogether(connect).reduce<readonly number[]>(
        (before, { ids, at }) => put(before, ids, at),
        list,
      )
      expect(together).toEqual(alone)
    }),
  )
})

it('a list that is turned around has one place', () => {
  const ids = Array.from({ length: 10_000 }, (_, i) => 10_000 - i)
  const connect = ids.map((id, i) => ({
    id,
    position: i === 0 ? { kind: 'start' } : { kind: 'after', id: id + 1 },
  }))
  expect(placedTogether(connect)).toEqual([{ ids, at: { kind: 'start' } }])
})
