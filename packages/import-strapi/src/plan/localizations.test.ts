import { describe, expect, it } from 'vitest'
import { groupLocalizations, type LocalizationLinks, type LocalizedEntry } from './localizations.ts'

const entry = (id: number, locale: string, updatedAt = ''): LocalizedEntry => ({ id, locale, updatedAt })

function grouped(entries: readonly LocalizedEntry[], links: Partial<LocalizationLinks>) {
  const keys: [id: number, key: number][] = []
  const doubled: { id: number; other: number; locale: string }[] = []
  groupLocalizations(
    [...entries].sort((a, b) => a.id - b.id),
    entries.length,
    { mutual: [], oneWay: [], ...links },
    {
      member: (id, key) => keys.push([id, key]),
      doubled: (id, other, locale) => doubled.push({ id, other, locale }),
    },
  )
  return { keys: keys.sort(([a], [b]) => a - b), doubled }
}

describe('groupLocalizations', () => {
  it('makes a group of entries that are linked in both directions', () => {
    const { keys, doubled } = grouped([entry(5, 'en'), entry(3, 'fr'), entry(9, 'de'), entry(7, 'en')], {
      mutual: [
        [5, 3],
        [3, 9],
        [5, 9],
      ],
    })
    expect(keys).toEqual([
      [3, 3],
      [5, 3],
      [9, 3],
    ])
    expect(doubled).toEqual([])
  })

  it('joins groups of several entries', () => {
    const entries = ['en', 'fr', 'de', 'nl', 'it', 'es'].map((locale, i) => entry(i + 1, locale))
    const { keys } = grouped(entries, {
      mutual: [
        [1, 2],
        [3, 4],
        [5, 6],
        [2, 3],
        [1, 4],
      ],
    })
    expect(keys).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 5],
      [6, 5],
    ])
  })

  it('does not follow the link of a copy to the localization of its original', () => {
    const { keys } = grouped([entry(1, 'nl'), entry(2, 'en'), entry(3, 'nl')], {
      mutual: [[1, 2]],
      oneWay: [[3, 2]],
    })
    expect(keys.map(([id]) => id)).toEqual([1, 2])
  })

  it('joins entries that are linked in one direction where no locale occurs twice', () => {
    const { keys } = grouped([entry(1, 'nl'), entry(2, 'en')], { oneWay: [[1, 2]] })
    expect(keys.map(([id]) => id)).toEqual([1, 2])
  })

  it('ignores links to entries that do not exist', () => {
    expect(grouped([entry(1, 'nl'), entry(2, 'en')], { mutual: [[1, 8]], oneWay: [[9, 2]] }).keys).toEqual([])
  })

  it('leaves the older of two entries in one locale outside the group', () => {
    const { keys, doubled } = grouped([entry(1, 'en', '2024'), entry(2, 'fr'), entry(3, 'en', '2025')], {
      mutual: [
        [1, 2],
        [2, 3],
        [1, 3],
      ],
    })
    expect(doubled).toEqual([{ id: 1, other: 3, locale: 'en' }])
    expect(keys.map(([id]) => id)).toEqual([2, 3])
  })

  it('compares the groups of a hostile archive once, not for each of their links', () => {
    // Two groups of 20,000 locales with one in common, and 20,000 links between them.
    const half = 20_000
    const entries = Array.from({ length: 2 * half }, (_, i) =>
      entry(i + 1, `l${i === 2 * half - 1 ? half - 1 : i}`),
    )
    const neighbours = entries.slice(1).map(({ id }): [number, number] => [id - 1, id])
    const { keys, doubled } = grouped(entries, {
      mutual: neighbours.filter(([id]) => id !== half),
      oneWay: Array.from({ length: half }, (_, i): [number, number] => [i + 1, half + i + 1]),
    })
    expect(doubled).toEqual([])
    expect(keys.every(([id, key]) => key === (id <= half ? 1 : half + 1))).toBe(true)
  })
})
