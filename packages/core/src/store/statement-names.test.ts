import { expect, it } from 'vitest'
import { StatementNames } from './statement-names.ts'

it('names a text from the second time on, always the same', () => {
  const names = new StatementNames()
  expect([names.of('a'), names.of('a'), names.of('a')]).toEqual([undefined, 'octavo_1', 'octavo_1'])
})

it('names no more than the limit, and keeps those that it gave', () => {
  const names = new StatementNames(2)
  for (const text of ['a', 'a', 'b', 'b', 'c', 'c']) names.of(text)
  expect(['a', 'b', 'c'].map((text) => names.of(text))).toEqual(['octavo_1', 'octavo_2', undefined])
})

it('forgets texts that came once rather than keep them all', () => {
  const names = new StatementNames(2)
  for (const text of ['a', 'b', 'c', 'a', 'b']) expect(names.of(text)).toBeUndefined()
})
