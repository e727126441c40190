/**
 * Random queries over the grammar. The caller provides names, values and operators, so that end-to-end tests can pass
 * those of their content-types.
 */
import fc, { type Arbitrary } from 'fast-check'
import { type OperatorName, operators } from '../../src/operator/table.ts'
import type {
  ParamPath,
  RawChild,
  RawField,
  RawFilter,
  RawNode,
  RawPagination,
  RawPopulate,
  RawQuery,
  RawSort,
  RawValue,
} from '../../src/parse/raw.ts'
import { isIndex } from '../../src/parse/value.ts'
import { anyCharacter } from './any-character.ts'

type ParamValues = { readonly [name: string]: Arbitrary<RawValue> }

/** The parts of queries. Defaults: any name that is valid in brackets, any text, every operator, no parameters. */
export interface QueryVocabulary {
  /** Names in `fields`, and last names in filters and sorts. */
  readonly field?: Arbitrary<string>
  /** Names in `populate`, and relations in filters and sorts. */
  readonly relation?: Arbitrary<string>
  /** Names in `[on]`; default none. */
  readonly component?: Arbitrary<string>
  /** Operands and search phrases. */
  readonly text?: Arbitrary<string>
  readonly operators?: readonly OperatorName[]
  /** Pages, sizes and offsets. Default: any whole number that pagination takes. */
  readonly number?: Arbitrary<number>
  /** Values of the parameters that plugins declared for the root. */
  readonly rootParams?: ParamValues
  /** Values of parameters that are valid inside `populate` too. */
  readonly childParams?: ParamValues
}

/** A generated tree has no places; print and parse it to get them. */
const nowhere = '' as ParamPath

/** Any text that a query string can hold. */
export const anyText: Arbitrary<string> = fc
  .string({
    unit: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'ab01%&=+,.:;$*[]#?\'"\\/-_ ') },
      { weight: 1, arbitrary: anyCharacter },
    ),
    maxLength: 12,
  })
  .filter((text) => !text.includes('\0'))

/** Names that cause errors in careless code. */
const awkward = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'length',
  '-1',
  '01',
  '1e3',
  'a=b',
  'a&b',
  'é',
  'on',
]

/** Any name that is valid in brackets and neither a star nor an operator. */
export const anyName: Arbitrary<string> = fc
  .oneof({ weight: 1, arbitrary: fc.constantFrom(...awkward) }, { weight: 2, arbitrary: anyText })
  .map((text) => text.replace(/[.[\]]/g, '').trim())
  .filter((name) => name !== '' && name !== '*' && !name.startsWith('$') && !isIndex(name))

const ask = (vocabulary: QueryVocabulary) => ({
  field: anyName,
  relation: anyName,
  text: anyText,
  operators: Object.keys(operators) as OperatorName[],
  number: fc.integer({ min: 1 - 2 ** 31, max: 2 ** 31 - 1 }),
  rootParams: {} as ParamValues,
  childParams: {} as ParamValues,
  ...vocabulary,
})

/** Trees like those of `parseQuery`, without places. */
export function rawQueryArbitrary(vocabulary: QueryVocabulary = {}): Arbitrary<RawQuery> {
  const { text, number, rootParams, childParams } = ask(vocabulary)
  return fc
    .tuple(
      nodeArbitrary(vocabulary, { ...childParams, ...rootParams }, 3),
      rootPaging(number),
      optional(text.filter((phrase) => phrase !== '')),
    )
    .map(([node, pagination, search]) => ({ ...node, pagination, search }))
}

/** Filters for the root: every comparison has a field. */
export const rawFilterArbitrary = (vocabulary: QueryVocabulary = {}): Arbitrary<RawFilter> =>
  groupArbitrary(vocabulary, 3)

export function rawSortArbitrary(vocabulary: QueryVocabulary = {}): Arbitrary<RawSort> {
  const { field, relation } = ask(vocabulary)
  return fc
    .tuple(fc.array(relation, { maxLength: 2 }), field, fc.constantFrom<'asc' | 'desc'>('asc', 'desc'))
    .map(([through, last, direction]) => ({ path: [...through, last], direction, at: nowhere }))
}

function nodeArbitrary(vocabulary: QueryVocabulary, params: ParamValues, depth: number): Arbitrary<RawNode> {
  return fc.record({
    fields: optional(fieldsArbitrary(ask(vocabulary).field)),
    sort: fc.array(rawSortArbitrary(vocabulary), { maxLength: 3 }),
    filters: optional(rawFilterArbitrary(vocabulary)),
    populate: populateArbitrary(vocabulary, depth),
    params: paramsArbitrary(params),
  })
}

/** Some of the declared parameters, each with one of its values. */
const paramsArbitrary = (params: ParamValues): Arbitrary<RawNode['params']> =>
  fc
    .tuple(
      ...Object.entries(params).map(([name, value]) =>
        optional(fc.record({ name: fc.constant(name), value })),
      ),
    )
    .map(
      (given) =>
        new Map(given.flatMap((param) => (param ? [[param.name, { value: param.value, at: nowhere }]] : []))),
    )

const fieldsArbitrary = (name: Arbitrary<string>): Arbitrary<readonly RawField[] | '*'> =>
  fc.oneof(
    fc.constant('*' as const),
    fc.array(
      name.map((n) => ({ name: n, at: nowhere })),
      { minLength: 1, maxLength: 4 },
    ),
  )

function populateArbitrary(vocabulary: QueryVocabulary, depth: number): Arbitrary<RawPopulate> {
  const named =
    depth === 0 ? fc.constant(new Map()) : placesArbitrary(vocabulary, ask(vocabulary).relation, depth)
  return fc.record({ all: fc.boolean(), named })
}

const placesArbitrary = (vocabulary: QueryVocabulary, name: Arbitrary<string>, depth: number) =>
  fc
    .array(
      fc.tuple(
        name,
        fc.oneof(
          { weight: 1, arbitrary: fc.constant(false as const) },
          { weight: 4, arbitrary: childArbitrary(vocabulary, depth - 1) },
        ),
      ),
      {
        maxLength: 3,
      },
    )
    .map((places) => new Map(places))

function childArbitrary(vocabulary: QueryVocabulary, depth: number): Arbitrary<RawChild> {
  const { number, childParams, component } = ask(vocabulary)
  return fc
    .tuple(
      nodeArbitrary(vocabulary, childParams, depth),
      optional(childPaging(number)),
      fc.boolean(),
      component && depth > 0
        ? optional(
            placesArbitrary(vocabulary, component, depth).filter(
              (on) => on.size > 0 && ![...on.values()].includes(false),
            ),
          )
        : fc.constant(undefined),
    )
    .map(([node, page, count, on]) => ({ ...node, at: nowhere, page, count, on, of: undefined }))
}

const isGiven = <T extends object>(paging: T): boolean => Object.keys(paging).length > 0

/** At least one number. */
const childPaging = (number: Arbitrary<number>): Arbitrary<RawPagination> =>
  fc.oneof(
    fc
      .record({ page: number, pageSize: number }, { requiredKeys: [] })
      .filter(isGiven)
      .map((numbers) => ({ kind: 'page', ...numbers }) as const),
    fc
      .record({ start: number, limit: number }, { requiredKeys: [] })
      .filter(isGiven)
      .map((numbers) => ({ kind: 'offset', ...numbers }) as const),
  )

const rootPaging = (number: Arbitrary<number>): Arbitrary<RawPagination> =>
  fc
    .tuple(
      fc.oneof(fc.constant({ kind: 'page' } as const), childPaging(number)),
      fc.record({ withCount: fc.boolean() }, { requiredKeys: [] }),
    )
    .map(([paging, count]) => ({ ...paging, ...count }))

/** Conditions on an entry's fields. */
function groupArbitrary(vocabulary: QueryVocabulary, depth: number): Arbitrary<RawFilter> {
  const field = fieldArbitrary(vocabulary, depth)
  if (depth === 0) return field
  const group = groupArbitrary(vocabulary, depth - 1)
  return fc.oneof(
    { weight: 4, arbitrary: field },
    { weight: 1, arbitrary: joinedArbitrary(group) },
    { weight: 1, arbitrary: notArbitrary(group) },
  )
}

function fieldArbitrary(vocabulary: QueryVocabulary, depth: number): Arbitrary<RawFilter> {
  const { field, relation } = ask(vocabulary)
  const on = (name: Arbitrary<string>, child: Arbitrary<RawFilter>): Arbitrary<RawFilter> =>
    fc.record({ kind: fc.constant('field'), name, child, at: fc.constant(nowhere) })
  const ofValue = on(field, valueArbitrary(vocabulary, Math.min(depth, 1)))
  if (depth === 0) return ofValue
  return fc.oneof(
    { weight: 3, arbitrary: ofValue },
    { weight: 1, arbitrary: on(relation, groupArbitrary(vocabulary, depth - 1)) },
  )
}

/** Conditions on one value, without `$and` and `$or`. */
function valueArbitrary(vocabulary: QueryVocabulary, depth: number): Arbitrary<RawFilter> {
  const compare = compareArbitrary(vocabulary)
  if (depth === 0) return compare
  const value = valueArbitrary(vocabulary, depth - 1)
  return fc.oneof(
    { weight: 5, arbitrary: compare },
    { weight: 1, arbitrary: implied(value) },
    { weight: 1, arbitrary: notArbitrary(value) },
  )
}

const notArbitrary = (child: Arbitrary<RawFilter>): Arbitrary<RawFilter> =>
  fc.record({ kind: fc.constant('not'), child, at: fc.constant(nowhere) })

const joinedArbitrary = (child: Arbitrary<RawFilter>): Arbitrary<RawFilter> =>
  fc.oneof(
    implied(child),
    fc.record({
      kind: fc.constantFrom<'and' | 'or'>('and', 'or'),
      explicit: fc.constant(true),
      children: fc.array(child, { minLength: 1, maxLength: 3 }),
      at: fc.constant(nowhere),
    }),
  )

/** Several conditions at one place. */
const implied = (child: Arbitrary<RawFilter>): Arbitrary<RawFilter> =>
  fc.record({
    kind: fc.constant('and'),
    explicit: fc.constant(false),
    children: fc.array(child, { minLength: 2, maxLength: 3 }),
    at: fc.constant(nowhere),
  })

function compareArbitrary(vocabulary: QueryVocabulary): Arbitrary<RawFilter> {
  const { text, operators: names } = ask(vocabulary)
  const lengths = {
    one: { minLength: 1, maxLength: 3 },
    list: { minLength: 1, maxLength: 30 },
    pair: { minLength: 2, maxLength: 2 },
    flag: { minLength: 1, maxLength: 1 },
  }
  return fc.constantFrom(...names).chain((operator) =>
    fc.record({
      kind: fc.constant('compare'),
      operator: fc.constant(operator),
      values: fc.array(text, lengths[operators[operator].operand]),
      at: fc.constant(nowhere),
    }),
  )
}

const optional = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(value, { nil: undefined })

/** Query strings that are mostly invalid, some of them nearly valid. */
export const garbageArbitrary: Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
  {
    weight: 6,
    arbitrary: fc
      .array(
        fc.oneof(
          {
            weight: 4,
            arbitrary: fc.constantFrom(
              'filters',
              'sort',
              'populate',
              'fields',
              'pagination',
              '_q',
              'on',
              'count',
              'page',
              'start',
              'limit',
            ),
          },
          {
            weight: 6,
            arbitrary: fc.constantFrom(
              '[',
              ']',
              '[]',
              '[0]',
              '[1]',
              '[25]',
              '=',
              '=',
              '&',
              '&',
              ',',
              '.',
              ':',
              '*',
              '+',
              ' ',
            ),
          },
          {
            weight: 3,
            arbitrary: fc.constantFrom(
              '$or',
              '$and',
              '$not',
              '$eq',
              '$in',
              '$between',
              '$null',
              '$x',
              '[$or]',
              '[$eq]',
              '[a]',
              '[a]',
              'a',
              'true',
              'false',
              'desc',
              '1',
              '-1',
            ),
          },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              '%',
              '%5B',
              '%5d',
              '%00',
              '%ff',
              '%E2%82',
              '%C3%A9',
              '%F0%9F%98%80',
              '\0',
              '\ud800',
              '\udfff',
              '__proto__',
              '[__proto__]',
              'constructor',
            ),
          },
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join('')),
  },
)
