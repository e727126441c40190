import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scalarTypes } from '../content-type/attribute-types/table.ts'
import type { Model, RelationAttribute, ScalarAttribute } from '../content-type/model.ts'
import { allOf, meetsNull, negate } from './condition.ts'
import type { Condition } from './plan.ts'

// Only compared by identity here.
const attribute = {
  kind: 'scalar',
  name: 'a',
  column: 'a',
  type: scalarTypes.get('string'),
} as unknown as ScalarAttribute
const relation = { kind: 'relation', name: 'r' } as unknown as RelationAttribute
const target = { uid: 't' } as unknown as Model

const compare = (operator: '$eq' | '$null' | '$notNull'): Condition => ({
  kind: 'compare',
  attribute,
  operator,
  operands: [],
  asText: false,
})

const conditions: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(compare('$eq'), compare('$null'), compare('$notNull')),
    fc.boolean().map((value): Condition => ({ kind: 'constant', value })),
    tie('condition').map((child): Condition => ({ kind: 'not', child })),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
      )
      .map(([kind, children]): Condition => ({ kind, children })),
    tie('condition').map(
      (child): Condition => ({
        kind: 'related',
        attribute: relation,
        target,
        within: undefined,
        child,
        orNone: meetsNull(child),
      }),
    ),
  ),
})).condition

type Row = { readonly a: string | null; readonly r: readonly Row[] } | undefined
const rowsTo = (depth: number): fc.Arbitrary<Exclude<Row, undefined>> =>
  fc.record({
    a: fc.constantFrom(null, 'x', 'y'),
    r: depth === 0 ? fc.constant([]) : fc.array(rowsTo(depth - 1), { maxLength: 2 }),
  })
const rows = rowsTo(4)

/** The result over a left join of the related rows: without related rows, one row of nulls. `$eq` compares with `x`. */
function joined(condition: Condition, row: Row, negated: boolean): boolean | undefined {
  const opposite = (truth: boolean | undefined) => (negated && truth !== undefined ? !truth : truth)
  switch (condition.kind) {
    case 'constant':
      return opposite(condition.value)
    case 'matches':
      // None is generated here.
      return undefined
    case 'not':
      return joined(condition.child, row, !negated)
    case 'compare': {
      const value = row?.a ?? null
      if (condition.operator === '$null') return opposite(value === null)
      if (condition.operator === '$notNull') return opposite(value !== null)
      return value === null ? undefined : opposite(value === 'x')
    }
    case 'and':
    case 'or': {
      const truths = condition.children.map((child) => joined(child, row, negated))
      const decisive = (condition.kind === 'and') === negated
      return truths.includes(decisive) ? decisive : truths.includes(undefined) ? undefined : !decisive
    }
    case 'added':
      throw new Error('There are no operators of plugins here')
    case 'related': {
      const related: readonly Row[] = row && row.r.length > 0 ? row.r : [undefined]
      const truths = related.map((one) => joined(condition.child, one, negated))
      return truths.includes(true) ? true : truths.includes(undefined) ? undefined : false
    }
  }
}

describe('meetsNull', () => {
  it('returns whether a row of nulls satisfies the condition', () => {
    fc.assert(
      fc.property(conditions, (condition) => {
        expect(meetsNull(condition)).toBe(joined(condition, undefined, false) === true)
      }),
    )
  })
})

describe('negate', () => {
  it('equals the opposite over the joined rows', () => {
    fc.assert(
      fc.property(conditions, rows, (condition, row) => {
        expect(joined(negate(condition), row, false)).toBe(joined(condition, row, true))
      }),
      { numRuns: 500 },
    )
  })
  it('negates comparisons only, and is its own inverse', () => {
    fc.assert(
      fc.property(conditions, rows, (condition, row) => {
        const check = (c: Condition): void => {
          if (c.kind === 'not') expect(c.child.kind).toBe('compare')
          if (c.kind === 'and' || c.kind === 'or') c.children.forEach(check)
          if (c.kind === 'related') check(c.child)
        }
        const once = negate(condition)
        if (condition.kind !== 'not') check(negate(negate(once)))
        expect(joined(negate(once), row, false)).toBe(joined(condition, row, false))
      }),
    )
  })
})

describe('allOf', () => {
  it('drops conditions without effect, and returns a single condition unchanged', () => {
    const one = compare('$null')
    expect(allOf([undefined, { kind: 'constant', value: true }])).toBeUndefined()
    expect(allOf([undefined, one])).toBe(one)
    expect(allOf([one, one])).toEqual({ kind: 'and', children: [one, one] })
  })
})
