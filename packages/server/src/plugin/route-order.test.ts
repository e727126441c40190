import { expect, it } from 'vitest'
import { compareRanks, overlapsOf, ranksOf } from './route-order.ts'

it('The more exact path comes first, from the left', () => {
  const paths = [
    '/api/users/*rest',
    '/api/:type/me',
    '/api/users/:id',
    '/api/users/me',
    '/api/users/:id.json',
    '/api/users/:id/posts',
    '/api/users/me/:what',
  ]
  expect(paths.toSorted((a, b) => compareRanks(ranksOf(a), ranksOf(b)))).toEqual([
    '/api/users/me',
    '/api/users/me/:what',
    '/api/users/:id.json',
    '/api/users/:id',
    '/api/users/:id/posts',
    '/api/users/*rest',
    '/api/:type/me',
  ])
})

it('Routes of different plugins that match the same path are named, and no others', () => {
  const route = (plugin: string, path: string, method: 'GET' | 'PUT' = 'GET') => ({ plugin, path, method })
  expect(
    overlapsOf([
      route('users', '/api/users/:id'),
      route('users', '/api/users/me'),
      route('profile', '/api/Users/me', 'PUT'),
      route('users', '/api/users/:id', 'PUT'),
      route('profile', '/api/users/:id/picture'),
      route('pages', '/docs/*path'),
      route('profile', '/docs/profile'),
    ]),
  ).toEqual([
    'PUT /api/Users/me of the plugin "profile" answers requests that /api/users/:id of the plugin "users" matches too, since it is the more exact path',
  ])
})
