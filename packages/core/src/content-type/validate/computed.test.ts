import { sql } from '@octavo/database'
import { describe, expect, it } from 'vitest'
import { scalarTypes } from '../attribute-types/table.ts'
import type { AttributeDefinition } from '../definition/definition.ts'
import { buildRegistry } from '../registry.ts'
import { computed } from '../types/computed.ts'

const build = (attribute: AttributeDefinition) =>
  buildRegistry({
    contentTypes: [
      {
        kind: 'collectionType',
        info: { singularName: 'article', pluralName: 'articles' },
        attributes: {
          title: { type: 'string' },
          secret: { type: 'password' },
          shop: { type: 'relation', relation: 'oneToOne', target: 'api::article.article' },
          made: attribute,
        },
      },
    ],
    components: [],
    attributeTypes: scalarTypes,
  }).registry.contentType('api::article.article')

const integer = (from: Record<string, string>, more: object): AttributeDefinition => ({
  type: 'integer',
  computed: { from, ...more },
})
const length = { sql: ({ title = sql`` }) => sql`length(${title})` }

describe('A computed attribute', () => {
  it('has no column and knows the attributes that it is computed from', () => {
    const made = build({
      type: 'integer',
      computed: computed({ from: { title: 'string', createdAt: 'datetime' }, value: () => 1 }),
    }).attributes.get('made')
    expect(made).toMatchObject({ kind: 'computed', place: 'api::article.article.made' })
    expect(made?.kind === 'computed' && made.from.map(({ name }) => name)).toEqual(['title', 'createdAt'])
  })

  it.each<[string, AttributeDefinition]>([
    ['must be an object with from, and either sql or value', { type: 'integer', computed: true }],
    ['must be an object with from, and either sql or value', integer({ title: 'string' }, {})],
    ['must be an object with from, and either sql or value', integer({}, { ...length, value: () => 1 })],
    ['there is no attribute "titel"; did you mean "title"', integer({ titel: 'string' }, length)],
    ['"title" is of the type string, not "text"', integer({ title: 'text' }, length)],
    ['"secret" is a secret', integer({ secret: 'password' }, { value: () => 1 })],
    ['"shop" is not a stored value', integer({ shop: 'relation' }, { value: () => 1 })],
    ['"made" is not a stored value', integer({ made: 'integer' }, { value: () => 1 })],
    ['must return a fragment of the tag sql', integer({ title: 'string' }, { sql: () => 'length("title")' })],
    [
      'threw an error: no',
      integer(
        { title: 'string' },
        {
          sql: () => {
            throw new Error('no')
          },
        },
      ),
    ],
    ['a computed attribute has no such option', { ...integer({ title: 'string' }, length), required: true }],
    [
      'a relation cannot be computed',
      {
        type: 'relation',
        relation: 'oneToOne',
        target: 'api::article.article',
        computed: { from: {}, value: () => 1 },
      },
    ],
    [
      'did you mean "title"? (added by the plugin "words" in attribute:computed)',
      integer({ titel: 'string' }, { ...length, plugin: 'words' }),
    ],
  ])('is a mistake at start: %s', (message, attribute) => {
    expect(() => build(attribute)).toThrow(message)
  })

  it.each<[unknown, string]>([
    ['x', 'the function returned "x", not'],
    [undefined, 'the function returned nothing; null stands for a missing value'],
    [Promise.resolve(1), 'the function returned a promise, and values are computed without waiting'],
  ])('refuses the result %j of its function', (result, message) => {
    const made = build(integer({ title: 'string' }, { value: () => result })).attributes.get('made')
    if (made?.kind !== 'computed' || made.compute.kind !== 'function') throw new Error('it is not computed')
    const { value } = made.compute
    expect(() => value({ title: null })).toThrow(message)
  })
})
