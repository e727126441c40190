import type { Store } from '@octavo/database'
import { openStore, silentLogger, sql, toStatement } from '@octavo/database'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Bindable } from '../../src/content-type/attribute-type.ts'
import { type ScalarTypeName, scalarTypes } from '../../src/content-type/attribute-types/table.ts'

let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({
    database: database.url,
    limits: { statementTime: 60_000, connectionTime: 15_000, queueTime: 10_000 },
    logger: silentLogger,
  })
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

/** A value in a body, its value in a response (when different), and its text. */
interface Sample {
  readonly body: unknown
  readonly answer?: unknown
  readonly text: string
  /** Filters that match the value, and one that does not. */
  readonly found: readonly string[]
  readonly missed: string
}

const samples: Record<ScalarTypeName, readonly Sample[]> = {
  string: [{ body: 'Åb%_\\"', text: 'Åb%_\\"', found: ['Åb%_\\"'], missed: 'x' }],
  text: [{ body: 'a\nb', text: 'a\nb', found: ['a\nb'], missed: 'x' }],
  richtext: [{ body: '# a', text: '# a', found: ['# a'], missed: 'x' }],
  enumeration: [{ body: 'news', text: 'news', found: ['news'], missed: 'no such value' }],
  email: [
    { body: 'Me@example.org', text: 'Me@example.org', found: ['Me@example.org'], missed: 'me@example.org' },
  ],
  password: [{ body: 'secret', text: 'secret', found: [], missed: 'x' }],
  uid: [{ body: 'a-b', text: 'a-b', found: ['a-b'], missed: 'a' }],
  date: [
    {
      body: '2020-02-29',
      text: '2020-02-29',
      found: ['2020-02-29', '2020-02-29T23:00:00-05:00'],
      missed: '2020-02-28',
    },
    { body: '0001-01-01', text: '0001-01-01', found: ['0001-01-01'], missed: '2001-01-01' },
    { body: '9999-12-31', text: '9999-12-31', found: ['9999-12-31'], missed: '9999-12-30' },
  ],
  time: [
    { body: '01:13:00.25', text: '01:13:00.25', found: ['01:13:00.25', '01:13:00.250'], missed: '01:13:00' },
    { body: '00:00:30', text: '00:00:30', found: ['00:00:30', '00:00:30.000'], missed: '00:00:31' },
    {
      body: '23:59:59.9999',
      answer: '23:59:59.999',
      text: '23:59:59.999',
      found: ['23:59:59.999'],
      missed: '00:00:00',
    },
  ],
  datetime: [
    {
      body: '2024-01-01T09:00:01.037Z',
      text: '2024-01-01T09:00:01.037Z',
      found: ['2024-01-01T09:00:01.037Z', '1704099601037', '2024-01-01T10:00:01.037+01:00'],
      missed: '2024-01-01',
    },
    {
      body: '2024',
      answer: '2024-01-01T00:00:00.000Z',
      text: '2024-01-01T00:00:00.000Z',
      found: ['2024', '2024-01-01'],
      missed: '2023',
    },
    {
      body: '0001-01-01',
      answer: '0001-01-01T00:00:00.000Z',
      text: '0001-01-01T00:00:00.000Z',
      found: ['0001'],
      missed: '2001',
    },
    {
      body: '9999-12-31T23:59:59.9999Z',
      answer: '9999-12-31T23:59:59.999Z',
      text: '9999-12-31T23:59:59.999Z',
      found: ['9999-12-31T23:59:59.999Z'],
      missed: '9999',
    },
  ],
  timestamp: [
    {
      body: 1_643_767_322_000,
      answer: '1643767322000',
      text: '1643767322000',
      found: ['1643767322000', '2022-02-02T02:02:02Z'],
      missed: '0',
    },
  ],
  integer: [
    { body: '7', answer: 7, text: '7', found: ['7', '+7', '07'], missed: '9223372036854775807' },
    { body: -2_147_483_648, text: '-2147483648', found: ['-2147483648'], missed: '0' },
  ],
  biginteger: [
    {
      body: '9007199254740993',
      text: '9007199254740993',
      found: ['9007199254740993'],
      missed: '9007199254740992',
    },
  ],
  float: [
    { body: -0.762265, text: '-0.762265', found: ['-0.762265', '-762265e-6'], missed: '-0.76226' },
    { body: 1e300, text: '1e+300', found: ['1e300'], missed: '0' },
    { body: 5e-324, text: '5e-324', found: ['5e-324'], missed: '0' },
  ],
  decimal: [
    { body: 4.25, text: '4.25', found: ['4.25', '4.250', '425e-2'], missed: '4.251' },
    { body: '8', answer: 8, text: '8', found: ['8', '8.00'], missed: '8.001' },
    { body: 4.2, text: '4.2', found: ['4.2'], missed: '4' },
    { body: 1.005, answer: 1.01, text: '1.01', found: ['1.01'], missed: '1.005' },
    { body: 100, text: '100', found: ['100'], missed: '1' },
  ],
  boolean: [
    { body: 1, answer: true, text: 'true', found: ['true', '1', 't', 'True'], missed: 'false' },
    { body: 'false', answer: false, text: 'false', found: ['false', '0', 'f'], missed: '1' },
  ],
  json: [
    {
      body: { b: [1, null, { 'd"': 'é\u2028' }], a: '' },
      text: '{"a": "", "b": [1, null, {"d\\"": "é\u2028"}]}',
      found: [],
      missed: '{}',
    },
    { body: 42, text: '42', found: [], missed: '42' },
    { body: 'plain "text"', text: '"plain \\"text\\""', found: ['plain "text"'], missed: 'plain' },
  ],
  array: [{ body: [1, 'two'], text: '[1, "two"]', found: [], missed: '1' }],
  blocks: [
    {
      body: [{ type: 'paragraph', children: [{ type: 'text', text: 'x' }] }],
      text: '[{"type": "paragraph", "children": [{"text": "x", "type": "text"}]}]',
      found: [],
      missed: 'x',
    },
  ],
}

const query = async (statement: ReturnType<typeof toStatement>) => {
  const [row] = await store.query(statement.text, statement.values as readonly Bindable[])
  return row?.[0]
}

describe.each(Object.entries(samples) as [ScalarTypeName, readonly Sample[]][])('%s', (name, list) => {
  const type = scalarTypes.get(name)
  if (!type) throw new Error(name)
  const definition = { type: name, enum: ['news'] }
  const raw = (text: string) => sql.raw(text)

  it.each(list)('stores and returns $body', async ({ body, answer = body, text, found, missed }) => {
    const stored = type.fromJson(body, definition)
    const column = sql`${stored}::${raw(type.parameter)}::${raw(type.column(definition))}`
    const json = await query(toStatement(sql`select json_build_object('x', ${type.toJson(column)})::text`))
    expect(JSON.parse(String(json))).toEqual({ x: answer })
    expect(await query(toStatement(sql`select ${type.toText(column)}`))).toBe(text)
    expect(
      await query(
        toStatement(sql`select to_json(${type.toJson(sql`null::${raw(type.column(definition))}`)})`),
      ),
    ).toBeNull()
    if (type.toJsonText)
      expect(await query(toStatement(sql`select ${type.toJsonText(column)}`))).toBe(
        await query(toStatement(sql`select to_json(${type.toJson(column)})::text`)),
      )

    const equals = async (operand: string) => {
      const value = type.fromQuery(operand, definition) as string // or a number or boolean, as an element of a list
      return query(
        toStatement(
          sql`select ${column} = ${value}::${raw(type.parameter)} and ${column} = any(${[value]}::${raw(type.parameter)}[])`,
        ),
      )
    }
    for (const operand of found) expect(await equals(operand), operand).toBe('t')
    expect(await equals(missed), missed).toBe('f')
  })

  it('binds the largest valid operands of filters', async () => {
    const widest: Partial<Record<ScalarTypeName, readonly string[]>> = {
      integer: ['-9223372036854775808', '9223372036854775807'],
      biginteger: ['-9223372036854775808', '9223372036854775807'],
      float: ['1.7976931348623157e308', '1e-999'],
      decimal: ['9'.repeat(400), `${'9'.repeat(300)}e999`, '1e-999'],
      datetime: ['-62135596800000', '253402300799999'],
      timestamp: ['-9223372036854775808', '9223372036854775807'],
    }
    for (const text of widest[name] ?? []) {
      const value = type.fromQuery(text, definition)
      await expect(
        query(toStatement(sql`select ${value}::${raw(type.parameter)} is not null`)),
      ).resolves.toBe('t')
    }
  })
})
