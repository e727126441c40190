import { describe, expect, it } from 'vitest'
import { wordsOf } from './condition-words.ts'

describe('A condition in words', () => {
  it.each([
    [{ locale: { $eq: { $runtime: 'i18n.default', value: 'en' } } }, 'locale is en (default)'],
    [
      { locale: { $eq: { $runtime: 'i18n.default-of-caller', value: 'en' } } },
      'locale is en (default of caller)',
    ],
    [{ author: { id: { $eq: { $runtime: 'user.id', value: 7 } } } }, 'author.id is 7 (user.id)'],
    [{ publishedAt: { $lte: { $runtime: 'now' } } }, 'publishedAt is at most now'],
    [{ publishedAt: { $notNull: true } }, 'publishedAt is set'],
    [{ publishedAt: { $null: true } }, 'publishedAt is empty'],
    [{ publishedAt: { $null: false } }, 'publishedAt is set'],
    [{ rating: { $gte: 1, $lt: 5 } }, 'rating is at least 1 and rating is less than 5'],
    [
      { $or: [{ a: { $eq: 'x' } }, { $and: [{ b: { $ne: 1 } }, { c: { $in: [1, 2] } }] }] },
      'a is x or (b is not 1 and c is one of 1, 2)',
    ],
    [{ $not: { title: { $containsi: 'a' } } }, 'not (title $containsi a)'],
  ])('%j', (condition, words) => {
    expect(wordsOf(condition, 'i18n')).toBe(words)
  })
})
