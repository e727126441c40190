import { expect, it } from 'vitest'
import { Parts } from './parts.ts'

const partsOf = (numbers: Iterable<number>): Parts => {
  const parts = new Parts()
  for (const number of numbers) parts.note(`entities/entities_${String(number).padStart(5, '0')}.jsonl`)
  return parts
}

it('S-41: The missing part of an archive is found among very many, which a small one may have', () => {
  const many = Array.from({ length: 200_000 }, (_, i) => i + 1)
  expect(partsOf(many).missing()).toBeUndefined()
  expect(partsOf(many.filter((number) => number !== 199_999)).missing()).toBe(
    'entities/entities_199999.jsonl',
  )
})
