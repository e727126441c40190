import { describe, expect, it } from 'vitest'
import { mistakesOf, one, part } from '../../../test/support/definitions.ts'

describe('cyclic components', () => {
  const required = { required: true }

  it('are rejected when no entry can be complete', () => {
    const ring = [
      part('a.a', { b: one('a.b', required) }),
      part('a.b', { c: one('a.c', { ...required, repeatable: true }) }),
      part('a.c', { z: { type: 'dynamiczone', components: ['a.a', 'a.b'], ...required } }),
    ]
    const mistakes = mistakesOf([], ring)
    expect(mistakes).toHaveLength(3)
    expect(mistakes[0]).toMatch(/^a\.a: attributes\.b: requires a\.b, which requires a\.a again without end/)
  })

  it.each([
    ['the link is optional', [part('a.a', { b: one('a.b', required) }), part('a.b', { a: one('a.a') })]],
    ['a list may be empty', [part('a.a', { children: one('a.a', { repeatable: true }) })]],
    [
      'a zone has another way out',
      [part('a.a', { z: { type: 'dynamiczone', components: ['a.a', 'a.b'], ...required } }), part('a.b')],
    ],
  ])('are valid when %s', (_, components) => {
    expect(mistakesOf([], components)).toEqual([])
  })
})
