import { describe, expect, it } from 'vitest'
import { mistakesOf, part, type } from '../../../test/support/definitions.ts'

describe('S-17: names and options with SQL in them', () => {
  const evil = [
    'a"; drop table x; --',
    "a'b",
    'a b',
    'a;b',
    'a.b',
    'a$b',
    'a\0b',
    'a\nb',
    'é',
    '',
    ' ',
    '1a',
    '_a',
    '-a',
    'a`',
    'a)',
    '__component',
    '__proto__',
    'x'.repeat(201),
  ]
  const reserved = [
    'id',
    'ID',
    'createdAt',
    'created_at',
    'updatedAt',
    'createdBy',
    'updated_by',
    'createdById',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'prototype',
  ]

  it.each([...evil, ...reserved])('are refused in the attribute %j', (name) => {
    const attributes = Object.fromEntries([[name, { type: 'string' }]])
    for (const mistakes of [mistakesOf([type('a', attributes)]), mistakesOf([], [part('a.b', attributes)])]) {
      expect(mistakes).toHaveLength(1)
      expect(mistakes[0]).not.toContain('\n')
      expect(mistakes[0]).toMatch(/is no name|is too long|is a reserved name/)
    }
  })

  it.each([
    ...evil.filter((name) => !['_a', '__component'].includes(name)),
    'pg_class',
    'PG_x',
    'octavo_schema',
    'mikro_orm_migrations',
    'constructor',
    5,
    {},
  ])('are refused in the table %j', (collectionName) => {
    const [mistake, ...more] = mistakesOf([type('a', {}, { collectionName })])
    expect(mistake).toMatch(/^a: collectionName: /)
    expect(more).toEqual([])
  })

  it.each(evil)('are refused in the name %j of a type', (name) => {
    expect(mistakesOf([{ ...type('x'), info: { singularName: name, pluralName: 'xs' } }]).length).toBe(1)
    expect(mistakesOf([type('x', {}, { uid: `api::${name}.x"` })]).length).toBe(1)
    expect(mistakesOf([], [part(`shared.${name}"`)]).length).toBe(1)
  })

  it('accepts keywords of PostgreSQL, since everything is quoted', () => {
    const names = ['select', 'order', 'group', 'user', 'table', 'from', 'where', 'null', 'count', 'fields']
    expect(
      mistakesOf(
        names.map((name) =>
          type(name, Object.fromEntries(names.map((attribute) => [attribute, { type: 'string' }]))),
        ),
      ),
    ).toEqual([])
  })
})
