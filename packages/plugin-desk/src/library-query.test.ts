import { expect, it } from 'vitest'
import { type FileQuery, filesQuery, firstQuestion } from './library-query.ts'

const asked = (change: Partial<FileQuery>) => {
  const { sort, filters } = filesQuery({ path: '/3', ...firstQuestion, ...change }, 0)
  return { sort, filters }
}
const inFolder = { folderPath: { $eq: '/3' } }

it('the files of a folder are at first all of it, the newest on top', () => {
  expect(asked({})).toEqual({ sort: ['createdAt:desc', 'id:desc'], filters: { $and: [inFolder] } })
})

it.each([
  ['oldest', 'createdAt:asc'],
  ['byName', 'name:asc'],
  ['byNameDown', 'name:desc'],
  ['largest', 'size:desc'],
  ['smallest', 'size:asc'],
  ['byType', 'mime:asc'],
] as const)('the server sorts files %s', (order, sort) => {
  expect(asked({ order }).sort).toEqual([sort, 'id:desc'])
})

it('the server filters files by kind and by the day from which on they were added', () => {
  expect(asked({ kinds: ['images'], since: '2026-11-01' }).filters).toEqual({
    $and: [inFolder, { $or: [{ mime: { $startsWith: 'image/' } }] }, { createdAt: { $gte: '2026-11-01' } }],
  })
})
