import { expect, it } from 'vitest'
import { queryShape } from './query-shape.ts'

it('The shape of a query has the attributes in filters and sort, and no values or other parameters', () => {
  expect(
    queryShape('filters[email][$eq]=a@b.c&sort=name:desc&filters[x][$null]&token=secret&_q=secret'),
  ).toBe('filters[email][$eq]=*&sort=name:desc&filters[x][$null]=*')
})
