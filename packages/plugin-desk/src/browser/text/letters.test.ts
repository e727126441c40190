import { expect, it } from 'vitest'
import { labelOf } from '../model/entries.ts'
import { initialsOf } from '../model/rights.ts'
import { slugOf } from '../values/slug.ts'
import { en } from './en.ts'
import { beginningOf, isBlank } from './index.ts'

const family = '👩‍👩‍👧‍👦'

it.each([
  ['Ann Author', 'AA'],
  ['ada@example.org', 'AD'],
  ['🎉 Party', '🎉P'],
  [`${family} Smith`, `${family}S`],
  [`A${family}`, `A${family}`],
  ['e\u0301lise o\u0308zil', 'E\u0301O\u0308'],
  ['محمد علي', 'مع'],
  ['明日', '明日'],
  ['', ''],
])('the initials of %s are whole letters', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

it('a text is cut between two letters', () => {
  expect(beginningOf('short', 120)).toBe('short')
  expect(beginningOf('abcdef', 3)).toBe('abc')
  expect(beginningOf(`ab${family}cd`, 5)).toBe('ab')
  expect(beginningOf('ab🎉🎉', 3)).toBe('ab')
  expect(beginningOf('e\u0301e\u0301', 3)).toBe('e\u0301')
  // A text of marks without end is cut somewhere.
  expect(beginningOf(`e${'\u0301'.repeat(500)}`, 120)).toHaveLength(120)
})

it.each(['', '  ', '\u00a0', '\u200b\u2060', '\u00ad', '\u200f', '\u3164', null, true])(
  'an entry with the title %j is named by its number',
  (title) => {
    const type = { attributes: { title: { type: 'string' } }, layout: { mainField: 'title' } } as never
    expect(labelOf({ id: 7, attributes: { title } }, type, 'article', en)).toBe('Untitled article 7')
    if (typeof title === 'string') expect(isBlank(title)).toBe(true)
  },
)

it.each([
  ['The quiet river', 'the-quiet-river'],
  ['Die Straße', 'die-strasse'],
  ['Привет мир', 'privet-mir'],
  ['e\u0301te\u0301', 'ete'],
  ['🎉 Party 🎉', 'party'],
  ['明日', ''],
  ['🎉', ''],
])('the address of %s is made as the server makes it', (title, address) => {
  expect(slugOf(title)).toBe(address)
})
