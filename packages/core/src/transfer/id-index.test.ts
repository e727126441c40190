import fc from 'fast-check'
import { expect, it } from 'vitest'
import { IdIndex } from './id-index.ts'

const id = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 1, max: 2_147_483_647 }),
  // A common factor, and neighbours in the table.
  fc.integer({ min: 1, max: 1_000 }).map((number) => number * 1_048_576),
)

it('An index of ids has the results of a Map', () => {
  fc.assert(
    fc.property(fc.array(fc.option(id), { maxLength: 300 }), fc.array(id), (list, others) => {
      const index = new IdIndex(list.length)
      const map = new Map<number, number>()
      for (const [position, id] of list.entries()) {
        if (id === null || map.has(id)) continue
        map.set(id, position)
        index.set(id, position)
      }
      for (const id of [...map.keys(), ...others]) {
        expect(index.get(id)).toBe(map.get(id))
        expect(index.has(id)).toBe(map.has(id))
      }
      expect([...index.batches(7)].flat()).toEqual([...map.keys()])
    }),
  )
})
