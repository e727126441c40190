import { describe, expect, it } from 'vitest'
import { type Answer, compare } from './compare.ts'
import { Findings } from './report/report.ts'
import { textReport } from './report/text.ts'

const answer = (status: number, body: unknown): Answer => ({
  status,
  contentType: 'application/json',
  body,
  isJson: true,
})
const entry = (id: number, more: object = {}) => ({ id, attributes: { title: `Title ${id}`, ...more } })
const list = (ids: readonly number[], pagination: object = { page: 1, pageSize: 25, total: 60 }) => ({
  data: ids.map((id) => entry(id)),
  meta: { pagination },
})
const error = (status: number, name: string, more: object = {}) =>
  answer(status, { data: null, error: { status, name, message: `${name} of a server`, details: more } })

type Case = readonly [path: string, old: Answer, now: Answer]
const reportOf = (...cases: readonly Case[]) => {
  const findings = new Findings()
  for (const [path, old, now] of cases)
    findings.add({ path, old, new: now }, compare(old, now), { old: 1, new: 1 })
  return findings.report('old', 'new')
}
const one = (path: string, old: Answer, now: Answer) => {
  const { groups } = reportOf([path, old, now])
  return groups.map(({ rank, title }) => `${rank}: ${title}`)
}

describe('The cause of a difference', () => {
  it('is none for other messages and codes of one error', () => {
    const old = error(400, 'ValidationError', { errors: [{ path: ['title'], message: 'a' }] })
    const now = error(400, 'ValidationError', { code: 'x/y', errors: [{ path: ['title'], message: 'b' }] })
    expect(compare(old, now)).toEqual([])
    const other = error(400, 'ValidationError', { errors: [{ path: ['name'], message: 'a' }] })
    expect(compare(old, other)).toHaveLength(1)
    expect(compare(old, error(400, 'ApplicationError'))).not.toEqual([])
  })

  it('is one for the lists without sort of all content-types, with their entries compared by id', () => {
    const { groups, different, deliberate } = reportOf(
      ['/api/articles', answer(200, list([3, 1, 2])), answer(200, list([1, 2, 3]))],
      ['/api/articles?fields=title', answer(200, list([9, 1, 4])), answer(200, list([1, 2, 3]))],
      ['/api/authors?populate=*', answer(200, list([2, 1])), answer(200, list([1, 2]))],
    )
    expect(groups).toMatchObject([
      { rank: 'deliberate', title: 'Lists without sort', requests: 3, contentTypes: ['articles', 'authors'] },
    ])
    expect([different, deliberate]).toEqual([0, 3])
  })

  it('is not hidden by the order of a list', () => {
    const now = list([1, 2])
    const [first] = now.data
    Object.assign(first?.attributes ?? {}, { title: 'Other' })
    expect(one('/api/articles', answer(200, list([2, 1])), answer(200, now))).toEqual([
      'changed: Another value at title',
      'deliberate: Lists without sort',
    ])
    expect(one('/api/articles?sort%5B0%5D=id', answer(200, list([2, 1])), answer(200, list([1, 2])))).toEqual(
      ['changed: Another order of data'],
    )
  })

  it.each<readonly [string, string, Answer, Answer]>([
    [
      'deliberate: Invalid requests are 400',
      '/api/a?sort=1',
      error(500, 'InternalServerError'),
      error(400, 'ValidationError'),
    ],
    [
      'deliberate: Unknown operators of filters are 400',
      '/api/a',
      answer(200, list([1])),
      error(400, 'ValidationError', { code: 'query/unknown-operator' }),
    ],
    [
      'deliberate: Drafts by their id are 404',
      '/api/a/1',
      answer(200, { data: entry(1, { publishedAt: null }) }),
      error(404, 'NotFoundError'),
    ],
    [
      'deliberate: related of files',
      '/api/upload/files/1',
      answer(200, {
        related: [
          { __type: 'a', id: 1 },
          { __type: 'a', id: 1 },
        ],
      }),
      answer(200, { related: [{ __type: 'a', id: 1 }] }),
    ],
    [
      'deliberate: Pages have a maximum',
      '/api/a?sort=id',
      answer(200, list([1, 2, 3], { page: 1, pageSize: 1000, total: 3 })),
      answer(200, list([1], { page: 1, pageSize: 1, total: 3 })),
    ],
    [
      'broken: 404 in place of 200',
      '/api/a/1',
      answer(200, { data: entry(1, { publishedAt: '2024' }) }),
      error(404, 'NotFoundError'),
    ],
    [
      'broken: 400 in place of 200, query/bad-populate',
      '/api/a',
      answer(200, list([])),
      error(400, 'ValidationError', { code: 'query/bad-populate' }),
    ],
    ['broken: 500 in place of 404', '/api/a', error(404, 'NotFoundError'), error(500, 'InternalServerError')],
    ['changed: 200 in place of 403', '/api/a', error(403, 'ForbiddenError'), answer(200, list([]))],
    [
      'changed: title is missing',
      '/api/a/1',
      answer(200, { data: entry(1) }),
      answer(200, { data: { id: 1, attributes: {} } }),
    ],
    [
      'added: words is new',
      '/api/a/1',
      answer(200, { data: entry(1) }),
      answer(200, { data: entry(1, { words: 3 }) }),
    ],
  ])('is "%s"', (cause, path, old, now) => {
    expect(one(path, old, now)).toEqual([cause])
  })

  it('hints at drafts behind a filter through a relation, and shows the ids that are missing', () => {
    const path = '/api/a?sort=id&filters%5Bauthor%5D%5Bname%5D=%C3%89milie'
    const report = reportOf([
      path,
      answer(200, list([1, 4, 7])),
      answer(200, list([1, 7], { page: 1, pageSize: 25, total: 58 })),
    ])
    expect(report.groups).toMatchObject([
      {
        rank: 'changed',
        note: expect.stringContaining('drafts'),
        examples: [{ onlyOld: ['4'], onlyNew: [] }],
      },
    ])
    const text = textReport(report)
    expect(text).toContain(
      '/api/a?sort=id&filters[author][name]=Émilie\n      old  1, 4, 7\n      new  1, 7\n      only old  4\n',
    )
  })

  it('orders groups: broken ones first, deliberate ones last, those of most requests first', () => {
    const { groups } = reportOf(
      ['/api/a', answer(200, list([2, 1])), answer(200, list([1, 2]))],
      ['/api/a/1', answer(200, { data: entry(1) }), answer(200, { data: entry(1, { words: 3 }) })],
      ['/api/a/2', answer(200, { data: entry(1) }), answer(200, { data: { id: 1, attributes: {} } })],
      ['/api/a/3', answer(200, {}), error(403, 'ForbiddenError')],
      ['/api/a/4', answer(200, {}), error(500, 'InternalServerError')],
      ['/api/a/5', answer(200, {}), error(500, 'InternalServerError')],
    )
    expect(groups.map(({ rank, requests }) => `${rank} ${requests}`)).toEqual([
      'broken 2',
      'broken 1',
      'changed 1',
      'added 1',
      'deliberate 1',
    ])
  })
})
