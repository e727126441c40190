import { expect, it } from 'vitest'
import { join, param, sql, toStatement, where } from './sql.ts'

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
