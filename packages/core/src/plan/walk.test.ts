import { describe, expect, it } from 'vitest'
import type { Model, RelationAttribute, ScalarAttribute } from '../content-type/model.ts'
import type { AddedOperator } from '../operator/added.ts'
import { added, allOf, anyOf, compare, constant, not, related } from './condition.ts'
import type { Condition } from './plan.ts'
import { each, every, reachesOut, some } from './walk.ts'

const [article, author] = [{ uid: 'article' }, { uid: 'author' }] as unknown as readonly [Model, Model]
const attribute = { name: 'a' } as unknown as ScalarAttribute
const relation = { name: 'author' } as unknown as RelationAttribute
const own = compare(attribute, '$eq', 1)
const within = compare(attribute, '$ne', 2)
const condition = allOf([
  not(own),
  anyOf([constant(false), related(relation, author, own, within)]),
]) as Condition

describe('a walk through a condition', () => {
  it('visits each part once, narrowing ones as well, with the model whose rows it is on', () => {
    const visited: [string, string][] = []
    each(condition, article, ({ kind }, { uid }) => visited.push([kind, uid]))
    expect(visited).toEqual([
      ['and', 'article'],
      ['not', 'article'],
      ['compare', 'article'],
      ['or', 'article'],
      ['constant', 'article'],
      ['related', 'article'],
      ['compare', 'author'],
      ['compare', 'author'],
    ])
  })

  it('ends at the first part that decides', () => {
    const kinds: string[] = []
    expect(some(condition, article, ({ kind }) => kinds.push(kind) === 3)).toBe(true)
    expect(kinds).toHaveLength(3)
    expect(every(condition, article, ({ kind }) => kind !== 'matches')).toBe(true)
    expect(every(condition, article, (one) => one !== within)).toBe(false)
  })
})

describe('a condition reaches other tables', () => {
  const operator = (reads?: readonly string[]): Condition =>
    added(
      attribute,
      { name: '$near', reads, read: () => (value: unknown) => value } as unknown as AddedOperator,
      '1',
    )

  it.each([
    ['a comparison', own, false],
    ['a relation', condition, true],
    ['an operator of a plugin that says nothing', not(operator()), true],
    ['an operator of a plugin that reads another type', operator(['author']), true],
    ['an operator of a plugin that reads its value only', operator([]), false],
  ])('%s', (_, one, reaches) => {
    expect(reachesOut(one, article)).toBe(reaches)
  })
})
