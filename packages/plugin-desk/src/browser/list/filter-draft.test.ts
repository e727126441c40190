import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Condition, operatorsFor, readFilters } from '../../filters/index.ts'
import type { Model } from '../model/model.ts'
import { conditionOf, draftOf } from './filter-draft.ts'
import { filterScope, type Ground, groundOf } from './filter-fields.ts'

const layout = { mainField: 'name', form: [], fields: {} } as never
const attributes = {
  title: { type: 'string' },
  pages: { type: 'integer' },
  kind: { type: 'enumeration', enum: ['one', 'two'] },
  day: { type: 'date' },
  tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
  seo: { type: 'component', component: 'page.seo' },
  zone: { type: 'dynamiczone', components: ['page.seo'] },
} as const
const model = {
  types: [
    { uid: 'api::book.book', attributes, layout },
    {
      uid: 'api::tag.tag',
      attributes: {
        name: { type: 'string' },
        near: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      },
      layout,
    },
  ],
  components: [
    {
      uid: 'page.seo',
      attributes: {
        heading: { type: 'string' },
        secret: { type: 'string' },
        inner: { type: 'component', component: 'page.seo' },
      },
      layout,
    },
  ],
  locales: [],
} as unknown as Model
const scopeFor = (ground: Ground) => filterScope(ground, model, ' › ', (_, path) => !path.endsWith('secret'))
const [book] = model.types
const ground = groundOf(book as never)
const text = { yes: 'Yes', no: 'No', language: 'de' }

const again = (condition: Condition): Condition | undefined =>
  conditionOf(draftOf(condition, ground, scopeFor), ground, scopeFor, text)

const paths = [
  'title',
  'pages',
  'kind',
  'day',
  'tags',
  'tags.name',
  'seo.heading',
  'seo.secret',
  'zone',
  'other.x',
]
const condition = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      kind: fc.constant('comparison' as const),
      path: fc.constantFrom(...paths).map((path) => path.split('.')),
      operator: fc.constantFrom(...operatorsFor('string'), '$near'),
      values: fc.array(fc.constantFrom('true', 'false', 'one', '7', 'a\nb', ' ', '2020-01-02'), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    fc.record({
      kind: fc.constantFrom('all' as const, 'any' as const),
      conditions: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), condition: tie('condition') }),
    fc.record({
      kind: fc.constant('of' as const),
      path: fc.constantFrom(['tags'], ['tags', 'near'], ['seo'], ['title']),
      condition: fc.record({
        kind: fc.constantFrom('all' as const, 'any' as const),
        conditions: fc.array(tie('condition'), { minLength: 2, maxLength: 2 }),
      }),
    }),
  ),
})).condition

/** The same condition, with one spelling for two operators that mean the same. */
const spelt = (condition: Condition | undefined): unknown =>
  JSON.parse(JSON.stringify(condition ?? null), (_, one) => {
    if (one?.kind !== 'comparison' || one.values.length !== 1 || one.values[0] !== 'false') return one
    if (one.operator === '$null') return { ...one, operator: '$notNull', values: ['true'] }
    return one.operator === '$notNull' ? { ...one, operator: '$null', values: ['true'] } : one
  })

it('a condition is the same after it was opened in the page', () => {
  fc.assert(
    fc.property(condition, (given) => {
      expect(spelt(again(given))).toEqual(spelt(given))
    }),
    { numRuns: 500 },
  )
})

it.each([
  'filters[tags][name]=a&filters[tags][near][name]=b',
  'filters[$or][0][title]=a&filters[$or][1][$not][seo][inner][heading][$containsi]=b',
  'filters[$not][tags][$or][0][name]=a&filters[$not][tags][$or][1][near][name]=b',
])('is made of rows and groups only: %s', (query) => {
  const given = readFilters(query)
  if (!given) throw new Error('no condition')
  const draft = draftOf(given, ground, scopeFor)
  expect(JSON.stringify(draft)).not.toContain('"kept"')
  expect(again(given)).toEqual(given)
})

it('offers fields through relations and parts, at most three steps and one relation away, and none that may not be read', () => {
  const { fields, places } = scopeFor(ground)
  const offered = fields.map(({ path }) => path)
  expect(offered).toEqual(
    expect.arrayContaining([
      'title',
      'id',
      'tags',
      'tags.name',
      'tags.id',
      'tags.near',
      'seo.inner.inner.heading',
    ]),
  )
  for (const path of ['zone', 'seo.id', 'tags.near.name', 'seo.secret', 'seo.inner.inner.inner.heading'])
    expect(offered).not.toContain(path)
  expect(places.map(({ path }) => path)).toEqual(['tags', 'seo', 'seo.inner', 'seo.inner.inner'])
})

it('a number is written in the notation of the language of the page', () => {
  const typed: Condition = {
    kind: 'comparison',
    path: ['pages'],
    operator: '$between',
    values: ['4,5', '1.234,5'],
  }
  expect(again(typed)).toMatchObject({ values: ['4.5', '1234.5'] })
  expect(again({ ...typed, path: ['title'] })).toMatchObject({ values: ['4,5', '1.234,5'] })
})
