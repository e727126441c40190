import { describe, expect, it } from 'vitest'
import { groupLocalizations } from './localizations.ts'

const entry = (id: number, locale: string, updatedAt = '') => ({ id, locale, updatedAt })
const both = (...pairs: readonly [number, number][]): [number, number][] =>
  pairs.flatMap(([a, b]): [number, number][] => [
    [a, b],
    [b, a],
  ])

describe('Localizations', () => {
  it('are a group where the links go both ways', () => {
    const { keys, doubled } = groupLocalizations(
      [entry(5, 'en'), entry(3, 'fr'), entry(9, 'de'), entry(7, 'en')],
      both([5, 3], [3, 9], [5, 9]),
    )
    expect([...keys].sort()).toEqual([
      [3, 3],
      [5, 3],
      [9, 3],
    ])
    expect(doubled).toEqual([])
  })

  it('of a copy that points to the localization of its original stay with the original', () => {
    const { keys } = groupLocalizations(
      [entry(1, 'nl'), entry(2, 'en'), entry(3, 'nl')],
      [...both([1, 2]), [3, 2]],
    )
    expect([...keys.keys()].sort()).toEqual([1, 2])
  })

  it('that are linked in one direction are joined where no locale occurs twice', () => {
    const { keys } = groupLocalizations([entry(1, 'nl'), entry(2, 'en')], [[1, 2]])
    expect([...keys.keys()].sort()).toEqual([1, 2])
  })

  it('in one locale twice: the newest stays, the other is named', () => {
    const { keys, doubled } = groupLocalizations(
      [entry(1, 'en', '2024'), entry(2, 'fr'), entry(3, 'en', '2025')],
      both([1, 2], [2, 3], [1, 3]),
    )
    expect(doubled).toEqual([{ id: 1, other: 3, locale: 'en' }])
    expect([...keys.keys()].sort()).toEqual([2, 3])
  })
})
