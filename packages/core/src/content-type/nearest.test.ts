import { expect, it } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

it.each([
  ['auther', ['article', 'author'], 'author'],
  ['Author', ['author'], 'author'],
  ['strng', ['string', 'text'], 'string'],
  ['ab', ['cd', 'xy'], undefined],
  ['color', ['integer'], undefined],
  ['', ['a'], undefined],
  ['titel', ['text', 'title'], 'title'],
  ['a', ['xyz'], undefined],
])('the nearest candidate to %s', (name, candidates, expected) => {
  expect(nearest(name, candidates)).toBe(expected)
})

it('A suggestion is the nearest candidate, or the fallback', () => {
  expect(didYouMean('auther', ['author'], '; no')).toBe('; did you mean "author"?')
  expect(didYouMean('zzz', ['author'], '; no')).toBe('; no')
})

it('A text that is not a name has no suggestion', () => {
  expect(nearest('x'.repeat(1e6), ['x'.repeat(1e6)])).toBeUndefined()
})
