/** Random values of attributes. */
import fc from 'fast-check'
import type { Attribute } from './model.ts'

/** Upper and lower case, accents, what a browser encodes, and what an index orders by. `%`, `_` and `\` are wildcards in Strapi. */
const words = [
  'Alpha',
  'beta',
  'Gamma ray',
  'delta',
  'Éclair',
  'zoo',
  'Öl',
  "O'Neil",
  'ÄRGER',
  'straße',
  'e',
  '',
]

export const word = fc.constantFrom(...words)

const digits = (value: number): string => String(value).padStart(2, '0')
export const day = fc
  .record({ year: fc.integer({ min: 2010, max: 2019 }), month: fc.integer({ min: 1, max: 9 }) })
  .map(({ year, month }) => `${year}-${digits(month)}-1${month}`)
export const time = fc
  .record({ hour: fc.integer({ min: 10, max: 19 }), minute: fc.nat({ max: 59 }) })
  .map(({ hour, minute }) => `${hour}:${digits(minute)}:00`)
export const moment = fc.tuple(day, time).map(([on, at]) => `${on}T${at}.000Z`)

const hundredths = fc.nat({ max: 1_000 }).map((value) => value / 100)

/** Values of a body by the type of their attribute. */
const bodyValues: Readonly<Record<string, (attribute: Attribute) => fc.Arbitrary<unknown>>> = {
  string: ({ minLength = 0, maxLength = 99 }) =>
    fc
      .tuple(word, word)
      .map((pair) => pair.join(' ').trim().padEnd(Number(minLength), 'x').slice(0, Number(maxLength))),
  text: () => word,
  richtext: () => word,
  email: () => fc.nat({ max: 8 }).map((n) => `u${n}@example.org`),
  enumeration: ({ enum: names = [] }) => fc.constantFrom(...(names as readonly string[])),
  integer: () => fc.nat({ max: 20 }),
  biginteger: () => fc.integer({ min: 1, max: 20 }).map((n) => `${n}000000000`),
  decimal: () => hundredths,
  float: () => fc.nat({ max: 1_000 }).map((n) => n / 8),
  boolean: () => fc.boolean(),
  date: () => day,
  time: () => time,
  datetime: () => moment,
  password: () => fc.constant('secret12'),
  json: () => fc.constantFrom<unknown>({ a: 1 }, [1, 2], 's', null, { b: { c: [true] } }),
}

/** `undefined` for a type whose values the server makes. */
export const bodyValue = (attribute: Attribute): fc.Arbitrary<unknown> | undefined =>
  bodyValues[attribute.type]?.(attribute)

/** Texts of a filter by the type of the attribute. */
const operands: Readonly<Record<string, (attribute: Attribute) => fc.Arbitrary<string | number>>> = {
  enumeration: ({ enum: names = [] }) => fc.constantFrom(...(names as readonly string[])),
  integer: () => fc.oneof(fc.integer({ min: -5, max: 20 }), fc.constantFrom('5.0', '')),
  biginteger: () => fc.nat({ max: 20 }).map((n) => `${n}000000000`),
  decimal: () => fc.oneof(hundredths, fc.constant('')),
  float: () => fc.nat({ max: 1_000 }).map((n) => n / 8),
  boolean: () => fc.constantFrom('true', 'false', '1', '0', 't', ''),
  date: () => day,
  time: () => time,
  datetime: () => fc.oneof(moment, day, fc.constant('2024')),
  timestamp: () => moment,
}

export const operand = (attribute: Attribute): fc.Arbitrary<string | number> =>
  // The empty text is no id.
  attribute.name === 'id' ? fc.integer({ min: -1, max: 20 }) : (operands[attribute.type]?.(attribute) ?? word)
