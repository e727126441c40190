/**
 * Random queries over random content, compared with a naive evaluator without SQL, which evaluates
 * plain objects with three-valued logic. Both must agree on the entries, their order, and their number.
 */
import {
  createOctavo,
  defineComponent,
  defineContentType,
  importData,
  type Octavo,
  OctavoError,
} from '@octavo/core'
import { createTestDatabase, runs } from '@octavo/testing'
import fc from 'fast-check'
import { stringify } from 'qs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { printQuery } from '../../src/parse/print.ts'
import { garbageArbitrary, rawQueryArbitrary } from '../support/generated-queries.ts'

// Random cases repeat their requests, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const thing = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'thing', pluralName: 'things' },
  attributes: {
    name: { type: 'string' },
    n: { type: 'integer' },
    price: { type: 'decimal' },
    ratio: { type: 'float' },
    big: { type: 'biginteger' },
    on: { type: 'boolean' },
    day: { type: 'date' },
    at: { type: 'datetime' },
    size: { type: 'enumeration', enum: ['small', 'Large', 'medium'] },
    data: { type: 'json' },
    hidden: { type: 'string', private: true },
    parent: { type: 'relation', relation: 'manyToOne', target: 'api::thing.thing', inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: 'api::thing.thing', mappedBy: 'parent' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'things' },
    friends: { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing' },
    badge: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
    box: { type: 'component', component: 'parts.box' },
    rows: { type: 'component', component: 'parts.row', repeatable: true },
    zone: { type: 'dynamiczone', components: ['parts.box', 'parts.row'] },
  },
})
const tag = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'tag', pluralName: 'tags' },
  attributes: {
    name: { type: 'string' },
    n: { type: 'integer' },
    things: { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing', mappedBy: 'tags' },
  },
})
const box = defineComponent({
  uid: 'parts.box',
  attributes: {
    name: { type: 'string' },
    rows: { type: 'component', component: 'parts.row', repeatable: true },
  },
})
const row = defineComponent({
  uid: 'parts.row',
  attributes: { name: { type: 'string' }, n: { type: 'integer' } },
})

type Scalar = string | number | boolean | null
interface Node {
  readonly id: number
  readonly [name: string]: Scalar | readonly Node[]
}

/** Number of entries; relations are random, nulls are common. */
const counts = { things: 14, tags: 6 }
const texts = [
  'alpha',
  'Beta',
  'BETA',
  'émile',
  'Émile',
  '100%',
  'a_b',
  'back\\slash',
  '',
  "it's",
  null,
] as const
/** A deterministic pseudo-random number. */
const pick = (n: number, size: number): number => ((Math.imul(n, 0x9e3779b1) ^ (n * 40_503)) >>> 7) % size
const text = (n: number): string | null => texts[pick(n, texts.length)] ?? null
const whole = (n: number): number | null => (pick(n, 4) === 0 ? null : pick(n * 3, 9) - 4)
const tagIds = (n: number): number[] =>
  [...new Set([1 + pick(n, counts.tags), 1 + pick(n * 7, counts.tags), 1 + pick(n * 11, counts.tags)])].slice(
    pick(n, 4),
  )

let nextRow = 1
const rowOf = (n: number) => ({ id: nextRow++, name: text(n * 5), n: whole(n * 13) })
const stamps = { createdAt: '2024-01-01T00:00:00.000Z', updatedAt: '2024-01-01T00:00:00.000Z' }
const days = ['2020-01-01', '2021-02-03', '1999-12-31', null] as const

const tags = Array.from({ length: counts.tags }, (_, i) => ({
  id: i + 1,
  name: text(i * 17 + 3),
  n: whole(i * 19),
  ...stamps,
}))
const things = Array.from({ length: counts.things }, (_, i) => {
  const id = i + 1
  const day = days[pick(id * 23, 4)] ?? null
  return {
    id,
    name: text(id),
    n: whole(id * 29),
    price: pick(id, 5) === 0 ? null : pick(id * 31, 500) / 4,
    ratio: pick(id, 6) === 0 ? null : pick(id * 37, 100) / 8,
    big: pick(id, 5) === 1 ? null : String(9_007_199_254_740_990n + BigInt(pick(id * 41, 8))),
    on: [true, false, null][pick(id * 43, 3)] ?? null,
    day,
    at: day && `${day}T0${pick(id, 9)}:30:00.${pick(id, 9)}00Z`,
    size: ['small', 'Large', 'medium', null][pick(id * 107, 4)] ?? null,
    data: [null, { a: 1 }, ['x'], 'text'][pick(id * 47, 4)] ?? null,
    hidden: `secret ${id}`,
    parent: pick(id * 53, 3) === 0 ? null : 1 + pick(id * 59, counts.things),
    tags: tagIds(id * 61),
    friends: [...new Set([1 + pick(id * 67, counts.things), 1 + pick(id * 71, counts.things)])].slice(
      pick(id, 3),
    ),
    badge: pick(id, 3) === 0 ? null : 1 + pick(id * 73, counts.tags),
    box:
      pick(id, 3) === 1
        ? null
        : { id, name: text(id * 79), rows: pick(id, 2) === 0 ? [] : [rowOf(id), rowOf(id * 83)] },
    rows: Array.from({ length: pick(id * 89, 3) }, (_, k) => rowOf(id * 97 + k)),
    zone:
      pick(id, 2) === 0
        ? []
        : [
            { __component: 'parts.row', ...rowOf(id * 101) },
            { __component: 'parts.box', id: 100 + id, name: 'in a zone', rows: [] },
          ],
    ...stamps,
  }
})

/** The content with resolved relations. */
const nodes = new Map<number, Node>()
const tagNodes = new Map<number, Node>()
const asNode = (value: object): Node => value as unknown as Node
const relate = (ids: readonly number[], of: ReadonlyMap<number, Node>): Node[] =>
  ids.map((id) => of.get(id) as Node)
for (const t of tags) tagNodes.set(t.id, asNode({ ...t }))
for (const t of things) nodes.set(t.id, asNode({ ...t }))
for (const t of things) {
  Object.assign(nodes.get(t.id) as object, {
    parent: t.parent ? relate([t.parent], nodes) : [],
    children: relate(
      things.filter((child) => child.parent === t.id).map(({ id }) => id),
      nodes,
    ),
    tags: relate(t.tags, tagNodes),
    friends: relate(t.friends, nodes),
    badge: t.badge ? relate([t.badge], tagNodes) : [],
    box: t.box ? [t.box] : [],
  })
}
for (const t of tags)
  Object.assign(tagNodes.get(t.id) as object, {
    things: relate(
      things.filter((x) => x.tags.includes(t.id)).map(({ id }) => id),
      nodes,
    ),
  })

type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | { readonly name: string; readonly operator: string; readonly values: readonly string[] }
  | { readonly through: string; readonly child: Filter }

type Truth = boolean | undefined
const opposite = (truth: Truth): Truth => (truth === undefined ? undefined : !truth)

/** @param entry `undefined` where there is no related entry: every value of it is null. */
function meets(filter: Filter, entry: Node | undefined, negated: boolean): Truth {
  if ('not' in filter) return meets(filter.not, entry, !negated)
  if ('all' in filter || 'any' in filter) {
    const isAll = 'all' in filter
    const truths = (isAll ? filter.all : filter.any).map((child) => meets(child, entry, negated))
    const decisive = isAll === negated
    return truths.includes(decisive) ? decisive : truths.includes(undefined) ? undefined : !decisive
  }
  if ('through' in filter) {
    const related = entry ? (entry[filter.through] as readonly Node[]) : []
    const truths = (related.length > 0 ? related : [undefined]).map((one) =>
      meets(filter.child, one, negated),
    )
    return truths.includes(true) ? true : truths.includes(undefined) ? undefined : false
  }
  const truth = compare(
    filter.operator,
    entry ? ((entry[filter.name] ?? null) as Scalar) : null,
    filter.values,
  )
  return negated ? opposite(truth) : truth
}

const noes = ['false', '0', 'f', '']

function compare(operator: string, value: Scalar, operands: readonly string[]): Truth {
  const [first = '', second = ''] = operands
  if (operator === '$null') return noes.includes(first) ? value !== null : value === null
  if (operator === '$notNull') return noes.includes(first) ? value === null : value !== null
  if (value === null) return undefined
  const order = (operand: string): number => ordered(value, operand)
  const has = (test: (a: string, b: string) => boolean, insensitive: boolean): boolean =>
    operands.some((operand) =>
      insensitive ? test(String(value).toLowerCase(), operand.toLowerCase()) : test(String(value), operand),
    )
  switch (operator) {
    case '$eq':
      return operands.some((operand) => order(operand) === 0)
    case '$ne':
      return operands.some((operand) => order(operand) !== 0)
    case '$lt':
      return operands.some((operand) => order(operand) < 0)
    case '$lte':
      return operands.some((operand) => order(operand) <= 0)
    case '$gt':
      return operands.some((operand) => order(operand) > 0)
    case '$gte':
      return operands.some((operand) => order(operand) >= 0)
    case '$in':
      return operands.some((operand) => order(operand) === 0)
    case '$notIn':
      return operands.every((operand) => order(operand) !== 0)
    case '$between':
      return order(first) >= 0 && order(second) <= 0
    case '$eqi':
      return has((a, b) => a === b, true)
    case '$nei':
      return has((a, b) => a !== b, true)
    case '$contains':
      return has((a, b) => a.includes(b), false)
    case '$notContains':
      return has((a, b) => !a.includes(b), false)
    case '$containsi':
      return has((a, b) => a.includes(b), true)
    case '$notContainsi':
      return has((a, b) => !a.includes(b), true)
    case '$startsWith':
      return has((a, b) => a.startsWith(b), false)
    case '$startsWithi':
      return has((a, b) => a.startsWith(b), true)
    case '$endsWith':
      return has((a, b) => a.endsWith(b), false)
    case '$endsWithi':
      return has((a, b) => a.endsWith(b), true)
    default:
      throw new Error(`The evaluator does not know ${operator}`)
  }
}

/** Text by its bytes, as the C collation orders it; whole numbers beyond a double by their digits. */
function ordered(value: Scalar, operand: string): number {
  if (typeof value === 'boolean') return Number(value) - Number(['true', '1', 't'].includes(operand))
  if (typeof value === 'number') return value - Number(operand)
  return Buffer.compare(Buffer.from(String(value)), Buffer.from(operand))
}

const caseless = ['$eqi', '$nei', '$containsi', '$notContainsi', '$startsWithi', '$endsWithi']
const textual = [...caseless, '$contains', '$notContains', '$startsWith', '$endsWith']
const orderly = ['$eq', '$ne', '$in', '$notIn', '$lt', '$lte', '$gt', '$gte', '$between', '$null', '$notNull']

/** Values that occur and values that do not, by the kind of attribute. */
const phrases = fc.constantFrom(
  'alpha',
  'Beta',
  'beta',
  'BETA',
  'ÉMILE',
  'émile',
  '%',
  '_',
  '\\',
  "'",
  '',
  'a',
  'x',
)
/** Parts of the texts of values that are no texts. */
const digits = fc.constantFrom('1', '-', '.5', '0', '25', '9007', '99', '', 'x', '%')
const smallWhole = fc.integer({ min: -5, max: 5 }).map(String)
const quarters = fc.integer({ min: 0, max: 500 }).map((n) => String(n / 4))
const eighths = fc.integer({ min: 0, max: 100 }).map((n) => String(n / 8))
const large = fc.integer({ min: 0, max: 9 }).map((n) => String(9_007_199_254_740_990n + BigInt(n)))
const yesNo = fc.constantFrom('true', 'false', '1', '0', 't', 'f')
const sizes = fc.constantFrom('small', 'Large', 'medium', 'LARGE', 'm', 'all', '')

interface Operands {
  readonly operators: readonly string[]
  readonly value: fc.Arbitrary<string>
  /** Values for text operators. Default: the same. */
  readonly text?: fc.Arbitrary<string>
}
const ofAnyValue = textual.filter((operator) => operator !== '$startsWith')
const numeric = [...orderly, ...ofAnyValue]
const operandsOf: Readonly<Record<string, Operands>> = {
  id: { operators: numeric, value: fc.integer({ min: 0, max: 16 }).map(String), text: digits },
  name: { operators: [...orderly, ...textual], value: phrases },
  n: { operators: numeric, value: smallWhole, text: fc.oneof(smallWhole, digits) },
  price: { operators: numeric, value: quarters, text: fc.oneof(quarters, digits) },
  ratio: { operators: numeric, value: eighths, text: fc.oneof(eighths, digits) },
  // Digits are compared as the numbers they are; all of these have the same length, and so the same order.
  big: { operators: numeric, value: large, text: fc.oneof(large, digits) },
  on: {
    operators: ['$eq', '$ne', '$in', '$null', ...textual],
    value: yesNo,
    text: fc.constantFrom('true', 'FALSE', 'e', 'R', 'x', ''),
  },
  day: {
    operators: [...orderly, ...textual],
    value: fc.constantFrom('2020-01-01', '2021-02-03', '2000-01-01'),
    text: fc.constantFrom('2020-01-01', '2020', '-0', '31', ''),
  },
  size: { operators: [...orderly, ...textual], value: sizes },
}
const relationsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  thing: {
    parent: 'thing',
    children: 'thing',
    tags: 'tag',
    friends: 'thing',
    badge: 'tag',
    box: 'box',
    rows: 'row',
  },
  tag: { things: 'thing' },
  box: { rows: 'row' },
  row: {},
}
const scalarsOf: Readonly<Record<string, readonly string[]>> = {
  thing: Object.keys(operandsOf),
  tag: ['id', 'name', 'n'],
  box: ['id', 'name'],
  row: ['id', 'name', 'n'],
}

function comparison(model: string): fc.Arbitrary<Filter> {
  return fc.constantFrom(...(scalarsOf[model] ?? [])).chain((name) => {
    const { operators = [], value = phrases, text = value } = operandsOf[name] ?? {}
    return fc.constantFrom(...operators).chain((operator) => {
      if (operator === '$null' || operator === '$notNull')
        return fc.constantFrom('true', 'false', '', 'yes', '0').map((v) => ({ name, operator, values: [v] }))
      const length = operator === '$between' ? { minLength: 2, maxLength: 2 } : { minLength: 1, maxLength: 3 }
      return fc
        .array(textual.includes(operator) ? text : value, length)
        .map((values) => ({ name, operator, values }))
    })
  })
}

function filters(model: string, depth: number): fc.Arbitrary<Filter> {
  if (depth === 0) return comparison(model)
  const relations = Object.entries(relationsOf[model] ?? {})
  const deeper = filters(model, depth - 1)
  const group = fc.array(deeper, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 3, arbitrary: comparison(model) },
    { weight: 1, arbitrary: group.map((all) => ({ all })) },
    { weight: 1, arbitrary: group.map((any) => ({ any })) },
    { weight: 1, arbitrary: deeper.map((not) => ({ not })) },
    ...(relations.length === 0
      ? []
      : [
          {
            weight: 3,
            arbitrary: fc
              .constantFrom(...relations)
              .chain(([through, target]) => filters(target, depth - 1).map((child) => ({ through, child }))),
          },
        ]),
  )
}

const written = (filter: Filter): object => {
  if ('all' in filter) return { $and: filter.all.map(written) }
  if ('any' in filter) return { $or: filter.any.map(written) }
  if ('not' in filter) return { $not: written(filter.not) }
  if ('through' in filter) return { [filter.through]: written(filter.child) }
  const { name, operator, values } = filter
  return { [name]: { [operator]: values.length === 1 ? values[0] : values } }
}

interface Term {
  readonly path: readonly string[]
  readonly descending: boolean
}
const term: fc.Arbitrary<Term> = fc.record({
  path: fc.constantFrom(
    ['name'],
    ['n'],
    ['price'],
    ['big'],
    ['on'],
    ['day'],
    ['id'],
    ['parent', 'name'],
    ['tags', 'n'],
    ['friends', 'name'],
    ['parent', 'tags', 'n'],
    ['box', 'name'],
    ['rows', 'n'],
  ),
  descending: fc.boolean(),
})

function sortValue(entry: Node, { path, descending }: Term): Scalar {
  const [name = '', ...rest] = path
  if (rest.length === 0) return (entry[name] ?? null) as Scalar
  const values = (entry[name] as readonly Node[])
    .map((one) => sortValue(one, { path: rest, descending }))
    .filter((value) => value !== null)
  values.sort((a, b) => (descending ? compareScalars(b, a) : compareScalars(a, b)))
  return values[0] ?? null
}
const compareScalars = (a: Scalar, b: Scalar): number =>
  typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : Number(a) - Number(b)

function inOrder(entries: readonly Node[], terms: readonly Term[]): readonly Node[] {
  return [...entries].sort((a, b) => {
    for (const t of terms) {
      const [x, y] = [sortValue(a, t), sortValue(b, t)]
      if (x === null && y === null) continue
      // Null is larger than anything, as in PostgreSQL.
      const order = x === null ? 1 : y === null ? -1 : compareScalars(x, y)
      if (order !== 0) return t.descending ? -order : order
    }
    return a.id - b.id
  })
}

let octavo: Octavo
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  octavo = await createOctavo({ contentTypes: [thing, tag], components: [box, row], database: database.url })
  await importData(octavo, { entries: { 'api::tag.tag': tags, 'api::thing.thing': things } })
  drop = async () => {
    await octavo.close()
    await database.drop()
  }
})
afterAll(() => drop())

const find = async (query: string) => {
  const type = octavo.registry.contentType('api::thing.thing')
  const { data, pagination } = await octavo.read({ type, action: 'find', kind: 'list', query, state: {} })
  return {
    data: JSON.parse(data ?? 'null') as { id: number; attributes: Record<string, unknown> }[],
    pagination,
  }
}

describe('A random query', () => {
  it('of filters, sort and page has the result of the naive evaluator', async () => {
    const page = fc.oneof(
      fc.record({ page: fc.integer({ min: 1, max: 4 }), pageSize: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ start: fc.integer({ min: 0, max: 8 }), limit: fc.integer({ min: 1, max: 6 }) }),
    )
    await fc.assert(
      fc.asyncProperty(
        filters('thing', 3),
        fc.array(term, { maxLength: 3 }),
        page,
        async (filter, terms, pagination) => {
          const sort = terms.map(({ path, descending }) => `${path.join('.')}:${descending ? 'desc' : 'asc'}`)
          const answer = await find(stringify({ filters: written(filter), sort, pagination, fields: ['id'] }))
          const matching = inOrder(
            [...nodes.values()].filter((entry) => meets(filter, entry, false) === true),
            terms,
          )
          const [from, size] =
            'page' in pagination
              ? [(pagination.page - 1) * pagination.pageSize, pagination.pageSize]
              : [pagination.start, pagination.limit]
          expect(answer.data.map(({ id }) => id)).toEqual(
            matching.slice(from, from + size).map(({ id }) => id),
          )
          expect(answer.pagination).toMatchObject({ total: matching.length })
        },
      ),
      { numRuns: runs(300, 1_500) },
    )
  })

  it('of a phrase finds it in texts and ids, case-insensitively, and not in hidden attributes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(phrases, fc.constantFrom('1', '12', 'secret', 'eta')), async (phrase) => {
        const answer = await find(stringify({ _q: phrase, pagination: { pageSize: 100 } }))
        const isNumber = phrase.trim() !== '' && Number.isFinite(Number(phrase))
        const searched = (entry: Node) => [
          entry.id,
          entry.name,
          entry.size,
          ...(isNumber ? [entry.n, entry.big, entry.price, entry.ratio] : []),
        ]
        const expected = things
          .map(({ id }) => nodes.get(id) as Node)
          .filter(
            (entry) =>
              phrase === '' ||
              searched(entry).some(
                (value) => value !== null && String(value).toLowerCase().includes(phrase.toLowerCase()),
              ),
          )
        expect(answer.data.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      }),
      { numRuns: 60 },
    )
  })

  it('of populated lists returns them in order of connection, or filtered, sorted and limited', async () => {
    const order = fc.option(
      fc.record({ path: fc.constantFrom(['name'], ['n'], ['id']), descending: fc.boolean() }),
      { nil: undefined },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.option(filters('tag', 1), { nil: undefined }),
        order,
        fc.nat(2),
        fc.integer({ min: 1, max: 3 }),
        async (filter, by, start, limit) => {
          const inside = {
            fields: ['name'],
            start,
            limit,
            ...(filter && { filters: written(filter) }),
            ...(by && { sort: `${by.path.join('.')}:${by.descending ? 'desc' : 'asc'}` }),
          }
          const { data } = await find(
            stringify({
              fields: ['id'],
              populate: {
                tags: inside,
                badge: { fields: ['name'] },
                box: { populate: '*' },
                rows: { count: 'x' in inside },
              },
              pagination: { pageSize: 100 },
            }),
          )
          for (const { id, attributes } of data) {
            const entry = nodes.get(id) as Node
            const matching = (entry.tags as readonly Node[]).filter(
              (one) => !filter || meets(filter, one, false) === true,
            )
            const cut = (by ? inOrder(matching, [by]) : matching).slice(start, start + limit)
            expect(attributes.tags).toEqual({
              data: cut.map((one) => ({ id: one.id, attributes: { name: one.name } })),
            })
            const [badge] = entry.badge as readonly Node[]
            expect(attributes.badge).toEqual({
              data: badge ? { id: badge.id, attributes: { name: badge.name } } : null,
            })
            expect(attributes.box).toEqual((entry.box as readonly Node[])[0] ?? null)
            expect(attributes.rows).toEqual(entry.rows)
          }
        },
      ),
      { numRuns: runs(40, 120) },
    )
  })
})

describe('Any query string', () => {
  /** @returns the HTTP status. */
  const status = async (query: string): Promise<number> => {
    try {
      await find(query)
      return 200
    } catch (error) {
      if (error instanceof OctavoError) return error.status
      throw new Error(`${query}: ${error instanceof Error ? error.message : error}`, { cause: error })
    }
  }
  const names = [
    'id',
    'name',
    'n',
    'price',
    'ratio',
    'big',
    'on',
    'day',
    'at',
    'data',
    'hidden',
    'parent',
    'children',
    'tags',
    'friends',
    'badge',
    'box',
    'rows',
    'zone',
    'nope',
    'createdAt',
  ]
  const words = fc.oneof(
    phrases,
    smallWhole,
    fc.constantFrom(
      'true',
      '2020-01-01',
      '12:00:00',
      '1e400',
      '99999999999999999999',
      '-0',
      'NaN',
      '[]',
      '{}',
    ),
  )

  it('over the grammar succeeds or fails with a 4xx', async () => {
    const query = rawQueryArbitrary({
      field: fc.constantFrom(...names),
      relation: fc.constantFrom(...names),
      component: fc.constantFrom('parts.box', 'parts.row', 'parts.nope'),
      text: words,
    })
    await fc.assert(
      fc.asyncProperty(query, async (raw) => {
        expect([200, 400]).toContain(await status(printQuery(raw)))
      }),
      { numRuns: runs(300, 1_500) },
    )
  })

  it('of random text succeeds or fails with a 4xx', async () => {
    await fc.assert(
      fc.asyncProperty(garbageArbitrary, async (query) => {
        expect([200, 400, 413]).toContain(await status(query))
      }),
      { numRuns: runs(300, 1_500) },
    )
  })

  it('of one shape gives one statement for first pages and one for later ones, for any values', async () => {
    const texts = new Set<string>()
    const { store } = octavo
    const execute = store.execute.bind(store)
    store.execute = (statement) => {
      texts.add(statement.text)
      return execute(statement)
    }
    const pages = async (starts: fc.Arbitrary<number>): Promise<number> => {
      texts.clear()
      await fc.assert(
        fc.asyncProperty(
          phrases,
          smallWhole,
          starts,
          fc.array(smallWhole, { minLength: 2, maxLength: 30 }),
          async (name, n, start, list) => {
            await find(
              stringify({
                filters: { name: { $containsi: name }, tags: { n: { $gt: n } }, id: { $in: list } },
                pagination: { start, limit: 1 + start },
                sort: 'name',
              }),
            )
          },
        ),
        { numRuns: 30 },
      )
      return texts.size
    }
    try {
      expect(await pages(fc.constant(0))).toBe(1)
      expect(await pages(fc.integer({ min: 1, max: 50 }))).toBe(1)
    } finally {
      store.execute = execute
    }
  })
})
