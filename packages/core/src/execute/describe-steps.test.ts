import { expect, it } from 'vitest'
import { describeStep } from './describe-steps.ts'

const check = (column: string): string =>
  `(pg_temp.octavo_greater(pg_temp.octavo_random(), '0.0625'::double precision) OR (pg_temp.octavo_in_time(${column}) IS NOT NULL))`

const conditionsOf = (filter: string) => {
  const step = { 'Node Type': 'Seq Scan', 'Plan Rows': 1, 'Total Cost': 1, Filter: filter }
  return describeStep(step, { values: true }).conditions
}

it('The conditions of a step are those of the query, without the checks of the time of the embedded database', () => {
  expect(conditionsOf(`((published_at IS NOT NULL) AND ${check('id')} AND (first < 7))`)).toEqual([
    'Filter: ((published_at IS NOT NULL) AND (first < 7))',
  ])
  expect(conditionsOf(`(${check('t20.owner_id')} AND EXISTS(SubPlan 2))`)).toEqual([
    'Filter: (EXISTS(SubPlan 2))',
  ])
  expect(conditionsOf(check('owner_id'))).toBeUndefined()
  expect(conditionsOf('(first < 7)')).toEqual(['Filter: (first < 7)'])
})
