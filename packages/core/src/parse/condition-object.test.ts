import { describe, expect, it } from 'vitest'
import { line } from '../../test/support/parsed.ts'
import { parseConditions } from './condition-object.ts'

describe('parseConditions', () => {
  it.each([
    [{ title: 'Zebra' }, 'title.$eq Zebra'],
    [{ views: 7, hidden: false }, '(views.$eq 7 and hidden.$eq false)'],
    [{ author: { id: '$user.id' } }, 'author.id.$eq $user.id'],
    [{ author: null }, 'author.$null true'],
    [{ id: [1, 2] }, 'id.$in 1|2'],
    [{ views: { $between: [1, 9] } }, 'views.$between 1|9'],
    [{ $or: [{ public: true }, { owner: 7 }] }, '(public.$eq true OR owner.$eq 7)'],
    [{}, '()'],
    [{ day: { $gt: new Date(0) } }, 'day.$gt 1970-01-01T00:00:00.000Z'],
  ])('parses %j as the same conditions in filters', (conditions, parsed) => {
    expect(line(parseConditions(conditions, 'where'))).toBe(parsed)
  })

  it.each([
    [{ $or: [] }, 'where[$or]: the list has no elements'],
    [{ title: [] }, 'where[title]: the list has no elements'],
    [{ author: {} }, 'where[author]: the object has no conditions'],
    [{ $or: [{ title: 'a' }, {}] }, 'where[$or][1]: the object has no conditions'],
    [{ author: Promise.resolve(1) }, 'where[author]: expected a text'],
    [{ id: { $in: new Set([1]) } }, 'where[id][$in]: expected a text'],
    [new Set(), 'where: expected a text'],
    [{ title: { $eq: null } }, 'where[title][$eq]: $eq takes a value'],
    [{ title: undefined }, 'where[title]: expected a text'],
    [{ title: { $like: 'a' } }, 'where[title][$like]: there is no operator "$like"'],
    [{ $and: { title: 'a' } }, 'where[$and]: $and takes a list of groups'],
  ])('refuses %j', (conditions, message) => {
    expect(() => parseConditions(conditions, 'where')).toThrow(message)
  })
})
