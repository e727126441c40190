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
])('what is nearest to %s', (name, candidates, expected) => {
  expect(nearest(name, candidates)).toBe(expected)
})

it('asks, or says what else there is to say', () => {
  expect(didYouMean('auther', ['author'], '; no')).toBe('; did you mean "author"?')
  expect(didYouMean('zzz', ['author'], '; no')).toBe('; no')
})

it('gives up on what is no name', () => {
  expect(nearest('x'.repeat(1e6), ['x'.repeat(1e6)])).toBeUndefined()
})
