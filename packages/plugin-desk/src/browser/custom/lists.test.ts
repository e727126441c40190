import { expect, it } from 'vitest'
import { choicesOf, listIn } from './lists.ts'

it.each([
  ['a list', ['a', 'b'], ['a', 'b'], ['b']],
  ['a text that has a list', '["a", "b"]', ['a', 'b'], '["b"]'],
  ['nothing', null, [], ['b']],
  ['an empty list', [], [], ['b']],
])('%s is read, and another list has its form', (_, value, items, written) => {
  const list = listIn(value, 'json')
  expect(list?.items).toEqual(items)
  expect(list?.withItems(['b'])).toEqual(written)
})

it('nothing in an attribute of text becomes a text that has a list', () => {
  expect(listIn(undefined, 'string')?.withItems(['b'])).toBe('["b"]')
})

it.each([{ a: 1 }, ['a', 1], [{ name: 'a' }], 'a, b', '{}', 5, ''])('%j is no list of texts', (value) => {
  expect(listIn(value, 'json')).toBeUndefined()
})

it('options are labels with values, or values', () => {
  expect(choicesOf(['Rond-point:rondpoint', 'Rue'])).toEqual([
    { label: 'Rond-point', value: 'rondpoint' },
    { label: 'Rue', value: 'Rue' },
  ])
  expect(choicesOf({ format: 'hex' })).toEqual([])
})
