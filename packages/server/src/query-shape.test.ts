import { expect, it } from 'vitest'
import { queryShape } from './query-shape.ts'

it('keeps what is filtered and sorted by, and no value or other parameter', () => {
  expect(
    queryShape('filters[email][$eq]=a@b.c&sort=name:desc&filters[x][$null]&token=secret&_q=secret'),
  ).toBe('filters[email][$eq]=*&sort=name:desc&filters[x][$null]=*')
})
