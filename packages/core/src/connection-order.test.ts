import { expect, it } from 'vitest'
import { placements } from './connection-order.ts'

it('a list that is turned around has one place, and entries beside stored ones have one each', () => {
  const ids = Array.from({ length: 10_000 }, (_, i) => 10_000 - i)
  const turned = ids.map((id, i) => ({
    id,
    position: i === 0 ? { kind: 'start' } : { kind: 'after', id: id + 1 },
  }))
  expect(placements(turned)).toEqual(ids.map((id) => ({ id, at: { kind: 'start' }, turn: 0 })))
  const scattered = ids.map((id) => ({ id, position: { kind: 'before', id: id + 10_000 } }))
  expect(placements(scattered)).toEqual(scattered.map(({ id, position: at }, turn) => ({ id, at, turn })))
})
