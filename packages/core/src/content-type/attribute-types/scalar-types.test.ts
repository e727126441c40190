import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { type Bindable, InvalidValue } from '../attribute-type.ts'
import { jsonDepth } from './json.ts'
import { type ScalarTypeName, scalarTypes } from './table.ts'

const typeOf = (name: string) => {
  const type = scalarTypes.get(name)
  if (!type) throw new Error(`no type ${name}`)
  return type
}

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = [value]
  return value
}

const symbols: readonly unknown[] = [{}, [], ['a'], null, undefined, Symbol('s'), () => 1]

/** Valid values in a body with the stored values, and invalid ones. Every type has a row. */
const bodies: Record<
  ScalarTypeName,
  { readonly takes: readonly (readonly [unknown, Bindable])[]; readonly refuses: readonly unknown[] }
> = {
  string: {
    takes: [
      ['', ''],
      ['é', 'é'],
      ['5', '5'],
    ],
    refuses: [5, true, ...symbols, 'a\0b', '\ud800'],
  },
  text: { takes: [['a\nb', 'a\nb']], refuses: [5, ...symbols] },
  richtext: { takes: [['# a', '# a']], refuses: [5, ...symbols] },
  enumeration: { takes: [['news', 'news']], refuses: [5, ...symbols] },
  email: { takes: [['a@b.co', 'a@b.co']], refuses: [5, ...symbols] },
  password: { takes: [['Password123', 'Password123']], refuses: [12345678, ...symbols] },
  uid: { takes: [['a-b', 'a-b']], refuses: [5, ...symbols] },
  date: {
    takes: [
      ['2020-02-29', '2020-02-29'],
      ['2020-02-03T10:00:00Z', '2020-02-03'],
      [new Date(0), '1970-01-01'],
    ],
    refuses: ['2020-02-30', 'notadate', 20200203, '', true, ...symbols],
  },
  time: {
    takes: [
      ['09:00:00', '09:00:00'],
      ['09:00:00.25', '09:00:00.25'],
    ],
    refuses: ['25:00', '9:00', '', 9, ...symbols],
  },
  datetime: {
    takes: [
      ['2024-01-01T09:00:01.037Z', '2024-01-01T09:00:01.037Z'],
      ['2024-01-01', '2024-01-01T00:00:00.000Z'],
      [1_700_000_000_000, '2023-11-14T22:13:20.000Z'],
      [new Date(0), '1970-01-01T00:00:00.000Z'],
    ],
    refuses: ['nope', '2020-02-30T00:00:00Z', '', true, new Date(Number.NaN), 1e300, 1.5, ...symbols],
  },
  timestamp: {
    takes: [
      ['1643767322000', '1643767322000'],
      [1_643_767_322_000, '1643767322000'],
      ['2022-02-02T02:02:02.000Z', '1643767322000'],
      ['2022', '2022'],
    ],
    refuses: ['nope', '', true, '9223372036854775808', ...symbols],
  },
  integer: {
    takes: [
      [7, 7],
      ['7', 7],
      [' -7 ', -7],
      ['+7', 7],
      ['007', 7],
      ['7.0', 7],
      ['1e3', 1000],
      ['0x10', 16],
      [2_147_483_647, 2_147_483_647],
      [-0, 0],
    ],
    refuses: [
      'abc',
      '',
      1.5,
      '1.5',
      '1e-3',
      '1e10',
      2_147_483_648,
      -2_147_483_649,
      Number.NaN,
      true,
      ...symbols,
    ],
  },
  biginteger: {
    takes: [
      ['9223372036854775807', '9223372036854775807'],
      [5, '5'],
      ['-9223372036854775808', '-9223372036854775808'],
      [10n, '10'],
    ],
    // The number was rounded by JSON.parse.
    refuses: ['9223372036854775808', 2 ** 53, 1.5, 'x', '1'.repeat(1e6), ...symbols],
  },
  float: {
    takes: [
      [1.5, 1.5],
      ['1.5', 1.5],
      ['1e3', 1000],
      ['-.5', -0.5],
    ],
    refuses: ['x', '', '1e400', Number.POSITIVE_INFINITY, Number.NaN, '0x10', true, ...symbols],
  },
  decimal: {
    takes: [
      [4.25, '4.25'],
      ['4', '4.00'],
      [4.255, '4.26'],
      [-1e-9, '0.00'],
      ['999999999999999999.99', '999999999999999999.99'],
      [1e17, '100000000000000000.00'],
    ],
    refuses: [
      'x',
      '',
      1e18,
      '999999999999999999.995',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      true,
      ...symbols,
    ],
  },
  boolean: {
    takes: [
      [true, true],
      [false, false],
      ['true', true],
      ['FALSE', false],
      [1, true],
      [0, false],
      ['1', true],
      ['0', false],
    ],
    refuses: ['yes', 't', '', 2, ['1'], { toString: null }, ...symbols],
  },
  json: {
    takes: [
      ['plain', '"plain"'],
      [42, '42'],
      [{ a: [1, null] }, '{"a":[1,null]}'],
      [[], '[]'],
      [JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
      [nested(jsonDepth), JSON.stringify(nested(jsonDepth))],
    ],
    refuses: [
      'a\0b',
      { 'a\0': 1 },
      ['\udc00'],
      Number.NaN,
      new Date(),
      undefined,
      [undefined],
      [() => 1],
      1n,
      nested(jsonDepth + 1),
      nested(100_000),
    ],
  },
  array: {
    takes: [
      [[1, 'a'], '[1,"a"]'],
      [[], '[]'],
    ],
    refuses: ['[]', {}, 1, ['\0']],
  },
  blocks: { takes: [[[], '[]']], refuses: ['[]', {}, [1], [{ type: 'nope' }]] },
}

/** Valid and invalid texts in a filter. */
const queries: Record<
  ScalarTypeName,
  { readonly takes: readonly (readonly [string, Bindable])[]; readonly refuses: readonly string[] }
> = {
  string: {
    takes: [
      ['', ''],
      ['%_\\', '%_\\'],
    ],
    refuses: ['\0'],
  },
  text: { takes: [['a', 'a']], refuses: ['\0'] },
  richtext: { takes: [['a', 'a']], refuses: ['\0'] },
  // Valid, but matches nothing.
  enumeration: { takes: [['no such value', 'no such value']], refuses: ['\0'] },
  email: { takes: [['half an addr', 'half an addr']], refuses: ['\0'] },
  password: { takes: [], refuses: ['\0'] },
  uid: { takes: [['has space', 'has space']], refuses: ['\0'] },
  date: {
    takes: [
      ['2019-08-08', '2019-08-08'],
      ['2019-08-08T10:00:00Z', '2019-08-08'],
    ],
    refuses: ['notadate', '2019-02-30', '2019', '1700000000000', ''],
  },
  time: {
    takes: [
      ['12:00:00', '12:00:00'],
      ['12:00:00.5', '12:00:00.5'],
    ],
    refuses: ['12:00', '99:99', ''],
  },
  datetime: {
    takes: [
      ['2023-06-15', '2023-06-15T00:00:00.000Z'],
      ['2023', '2023-01-01T00:00:00.000Z'],
      ['1700000000000', '2023-11-14T22:13:20.000Z'],
    ],
    refuses: ['garbage', ''],
  },
  timestamp: {
    takes: [
      ['1643767322000', '1643767322000'],
      ['2022-02-02T02:02:02Z', '1643767322000'],
    ],
    refuses: ['x', ''],
  },
  integer: {
    takes: [
      ['9223372036854775807', '9223372036854775807'],
      ['-5', '-5'],
      ['5.00', '5'],
      ['1e3', '1000'],
    ],
    refuses: ['abc', '1.5', 'Infinity', '9223372036854775808', '3,4', ''],
  },
  biginteger: { takes: [['9007199254740993', '9007199254740993']], refuses: ['1e3', ''] },
  float: { takes: [['0.1', 0.1]], refuses: ['x', '1e400', ''] },
  // Not rounded to two places.
  decimal: {
    takes: [
      ['3.005', '3.005'],
      ['1e3', '1000'],
    ],
    refuses: ['x', ''],
  },
  boolean: {
    takes: [
      ['true', true],
      ['1', true],
      ['t', true],
      ['False', false],
      ['0', false],
      ['f', false],
    ],
    refuses: ['yes', 'no', '2', ''],
  },
  // A query string has no numbers.
  json: {
    takes: [
      ['42', '"42"'],
      ['a"b', '"a\\"b"'],
    ],
    refuses: ['\0'],
  },
  array: { takes: [['x', '"x"']], refuses: ['\0'] },
  blocks: { takes: [['x', '"x"']], refuses: ['\0'] },
}

describe.each([...scalarTypes.keys()] as ScalarTypeName[])('%s', (name) => {
  const type = typeOf(name)
  const definition = { type: name, enum: ['news', 'review'] }

  it('parses valid values of a body', () => {
    for (const [given, stored] of bodies[name].takes) expect(type.fromJson(given, definition)).toEqual(stored)
  })

  it('rejects invalid values of a body', () => {
    for (const given of bodies[name].refuses)
      expect(() => type.fromJson(given, definition), typeof given).toThrow(InvalidValue)
  })

  it('parses valid texts of a filter', () => {
    for (const [given, operand] of queries[name].takes)
      expect(type.fromQuery(given, definition)).toEqual(operand)
  })

  it('rejects invalid texts of a filter', () => {
    for (const given of queries[name].refuses)
      expect(() => type.fromQuery(given, definition), given).toThrow(InvalidValue)
  })

  it('throws no other error, and its constraints accept every parsed value', () => {
    const attempt = (read: () => Bindable): void => {
      try {
        expect(Array.isArray(type.constraints(read(), definition))).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidValue)
      }
    }
    fc.assert(fc.property(fc.anything(), (given) => attempt(() => type.fromJson(given, definition))))
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (given) =>
        attempt(() => type.fromQuery(given, definition)),
      ),
    )
  })

  it('checks any definition without throwing', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('min', 'max', 'minLength', 'maxLength', 'regex', 'enum'),
          fc.anything(),
        ),
        (keys) => {
          expect(Array.isArray(type.check({ ...keys, type: name }))).toBe(true)
        },
      ),
    )
  })

  it('marks the mistakes that the reference reports without a path', () => {
    const located = (): boolean => {
      try {
        type.fromJson(name === 'json' ? '\0' : { not: 'it' }, definition)
      } catch (error) {
        return error instanceof InvalidValue && error.located
      }
      throw new Error('it was taken')
    }
    expect(located()).toBe(!['date', 'time', 'datetime', 'timestamp'].includes(name))
  })
})

describe('constraints', () => {
  it.each([
    ['string', 'x', { minLength: 2 }, ['must be at least 2 characters']],
    ['string', '', { minLength: 2 }, ['must be at least 2 characters']],
    ['string', 'xxx', { maxLength: 2 }, ['must be at most 2 characters']],
    ['string', 'ab', { minLength: 2, maxLength: 2, regex: '^a' }, []],
    ['string', 'ba', { regex: '^a' }, ['must match /^a/']],
    ['string', '', { regex: '^a' }, []],
    ['string', '', { regex: '^a', required: true }, ['must match /^a/']],
    ['string', 'aa', { regex: /a/g }, []],
    ['email', 'nope', {}, ['must be a valid email']],
    ['email', '', {}, ['must be a valid email']],
    ['uid', 'has space', {}, ['may only have the characters A-Z a-z 0-9 - _ . ~']],
    ['uid', 'A-Za_z.0~9', {}, []],
    ['password', 'é'.repeat(37), {}, ['must be at most 72 bytes']],
    ['enumeration', 'x', { enum: ['a', 'b'] }, ['must be one of the following values: a, b']],
    ['integer', -1, { min: 0, max: 5 }, ['must be greater than or equal to 0']],
    ['integer', 6, { min: 0, max: 5 }, ['must be less than or equal to 5']],
    ['integer', 5, { min: 0, max: 5 }, []],
    ['decimal', '-0.01', { min: 0 }, ['must be greater than or equal to 0']],
    [
      'biginteger',
      '9007199254740993',
      { max: '9007199254740992' },
      ['must be less than or equal to 9007199254740992'],
    ],
    ['float', 1.5, { max: 1.4 }, ['must be less than or equal to 1.4']],
  ])('%s %j with %j', (name, value, keys, violations) => {
    expect(typeOf(name).constraints(value, { type: name, ...keys })).toEqual(violations)
  })

  it.each([
    ['string', 'xxx', { maxLength: 2 }, 'must be at most 2 characters'],
    ['email', `${'x'.repeat(64)}@${'x.'.repeat(200)}de`, {}, 'must be a valid email'],
    ['password', 'x'.repeat(73), {}, 'must be at most 72 bytes'],
  ])(
    'S-20: of %s do not run `regex`, which may take long, over a text that is too long',
    (name, value, keys, violation) => {
      const definition = { type: name, regex: '^a', ...keys }
      expect(typeOf(name).constraints(value, definition)).toEqual([violation])
    },
  )
})

describe('InvalidValue', () => {
  it('has no stack, so that a body with thousands of mistakes is refused quickly', () => {
    const limit = Error.stackTraceLimit
    expect(new InvalidValue('a number').stack).not.toMatch(/^ +at /m)
    expect(Error.stackTraceLimit).toBe(limit)
  })
})

describe('the check of a definition', () => {
  it.each([
    ['enumeration', {}, ['enum']],
    ['enumeration', { enum: [] }, ['enum']],
    ['enumeration', { enum: 'a,b' }, ['enum']],
    ['enumeration', { enum: ['a', 'b', 'a'] }, ['enum.2']],
    ['enumeration', { enum: ['a', 1] }, ['enum.1']],
    ['string', { minLength: -1 }, ['minLength']],
    ['string', { minLength: 1.5, maxLength: '5' }, ['minLength', 'maxLength']],
    ['string', { minLength: 5, maxLength: 2 }, ['minLength']],
    ['string', { minLength: null, maxLength: 2, regex: null }, []],
    ['string', { regex: '(' }, ['regex']],
    ['string', { regex: 5 }, ['regex']],
    ['integer', { min: 'x' }, ['min']],
    ['integer', { min: 5, max: 1 }, ['min']],
    ['biginteger', { min: '0', max: '9223372036854775807' }, []],
  ])('%s %j', (name, keys, paths) => {
    const mistakes = typeOf(name).check({ type: name, ...keys })
    expect(mistakes.map(({ path }) => path.join('.'))).toEqual(paths)
  })
})
