import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bound,
  composed,
  join,
  Place,
  param,
  repeated,
  type Sql,
  sql,
  template,
  toStatement,
  where,
} from './sql.ts'

it('values become parameters in the order of the text', () => {
  const title = sql`"title" = ${'Emma'}`
  expect(toStatement(sql`select ${1} from "t" where ${title} and ${sql.val(2)} = ${3}`)).toEqual({
    text: 'select $1 from "t" where "title" = $2 and $3 = $4',
    values: [1, 'Emma', 2, 3],
  })
})

it('a fragment that is used twice has its parameters twice', () => {
  const id = param(7, 'int8')
  expect(toStatement(sql`${id} = ${id}`)).toEqual({ text: '$1::int8 = $2::int8', values: [7, 7] })
})

it('null, lists and dates are parameters', () => {
  const at = new Date(0)
  expect(toStatement(sql`${null}, ${[1, 2]}, ${at}`)).toEqual({
    text: '$1, $2, $3',
    values: [null, [1, 2], at],
  })
})

it('identifiers and literals are quoted', () => {
  const text = sql`${sql.id('a"; drop table "b')} = ${sql.lit("it's")} and ${sql.lit(7)} and ${sql.lit(null)}`
  expect(toStatement(text)).toEqual({
    text: `"a""; drop table ""b" = 'it''s' and 7 and null`,
    values: [],
  })
})

it('an object of a request is a value, whatever its keys', () => {
  const given = JSON.parse('{"texts":["drop table x"],"parts":[],"appendTo":"x"}') as { name: string }
  expect(toStatement(sql`select ${given}`)).toEqual({ text: 'select $1', values: [given] })
})

it('joins fragments and values', () => {
  expect(toStatement(sql`(${sql.join([sql.id('a'), 1, null])})`)).toEqual({
    text: '("a", $1, $2)',
    values: [1, null],
  })
  expect(toStatement(sql`(${sql.join([])})`).text).toBe('()')
  expect(toStatement(join([sql`a`, sql`b`], ' and ')).text).toBe('a and b')
  expect(toStatement(join([], ', ')).text).toBe('')
  expect(toStatement(sql`x${where([undefined])}`).text).toBe('x')
})

describe('a statement of a known form', () => {
  const name = { name: 'caller' }
  const leaf = fc.oneof(
    fc.constantFrom(
      sql`now()`,
      sql.id('a'),
      sql.lit(1),
      sql.lit('it'),
      sql.raw('2, '),
      bound(sql`${name}`, () => 7),
    ),
    fc.integer({ min: 0, max: 2 }).map((value): Sql => sql`x = ${value}`),
    fc.integer({ min: 0, max: 2 }).map((value) => param(value, 'int8')),
  )
  const fragments = fc.letrec<{ fragment: Sql }>((tie) => ({
    fragment: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc
        .tuple(fc.oneof(fc.integer({ min: 0, max: 2 }), tie('fragment')), tie('fragment'))
        .map(([one, other]): Sql => sql`(${one} and ${other})`),
      fc
        .tuple(tie('fragment'), fc.integer({ min: 0, max: 2 }))
        .map(([one, other]): Sql => sql`(${one} or ${other})`),
      fc.array(tie('fragment'), { maxLength: 3 }).map((all) => join(all, ', ')),
      fc.array(tie('fragment'), { maxLength: 3 }).map((all) => sql.join([...all, 1, null])),
    ),
  })).fragment

  it('has the text and the values that it has when it is composed', () => {
    fc.assert(
      fc.property(fragments, (fragment) => {
        expect(repeated(fragment)).toEqual(toStatement(fragment))
      }),
      { numRuns: 2_000 },
    )
  })

  it('is found again by its parts, wherever its values come from', () => {
    const list = template(sql`(${param(null, 'int8')})`)
    const of = (id: number) =>
      sql`select ${sql.id('b')}, ${sql.lit('c')}, ${sql.raw('d')} from t${where([sql`a = ${id}`, undefined, sql`b in ${list([id])}`])} limit ${param(id, 'int8')} ${sql.join([id, sql.val(id)])} ${join([sql`e`, bound(sql`${name}`, () => id)], ', ')}`
    const root = new Place()
    const ends = [1, 2, 3].map((id) => of(id).walk(root, []))
    expect(new Set(ends).size).toBe(1)
    expect(sql`${of(1)}${1}`.walk(root, [])).not.toBe(sql`${1}${of(1)}`.walk(root, []))
  })

  it('has one text, and values of its own', () => {
    const of = (id: number) => repeated(sql`select ${sql.id('b')} from t where id = ${id}`)
    expect([of(1), of(2)].map(({ values }) => values)).toEqual([[1], [2]])
    expect(repeated(composed('select $1', [5]))).toEqual({ text: 'select $1', values: [5] })
  })

  it('is forgotten among many, and composed again', () => {
    const long = 'x'.repeat(100_000)
    for (let i = 0; i < 100; i++)
      expect(repeated(sql`${sql.raw(`${long}${i}`)} ${i}`)).toEqual({ text: `${long}${i} $1`, values: [i] })
  })
})

it('a template has its text once, for other values each time', () => {
  const of = template(
    sql`insert into t values (${param(null, 'int8')}, ${sql.join([1, sql`now()`])}, ${null}::text)`,
  )
  const text = 'insert into t values ($1::int8, $2, now(), $3::text)'
  expect(toStatement(of([7, 8, 'a']))).toEqual({ text, values: [7, 8, 'a'] })
  expect(toStatement(sql`select ${0} from (${of([7, 8, 'a'])}) as x`).values).toEqual([0, 7, 8, 'a'])
})
