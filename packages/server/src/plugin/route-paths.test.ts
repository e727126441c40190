import { expect, it } from 'vitest'
import { shapeOf } from './route-paths.ts'

it.each([
  ['/api/Articles', '/api', 'articles 1'],
  ['/api/Articles/', '/api', 'articles 1'],
  ['/api/articles/count', '/api', 'articles 2'],
  ['/api/articles/1/actions/publish', '/api', 'articles 4'],
  ['/articles/1', '', 'articles 2'],
  ['/', '', ' 0'],
])('the shape of %s below "%s" is "%s"', (path, prefix, shape) => {
  expect(shapeOf(path, prefix)).toBe(shape)
})
