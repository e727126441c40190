import { describe, expect, it } from 'vitest'
import { build, mistakesOf } from '../../../test/support/definitions.ts'

describe('indexes', () => {
  const thing = (indexes: unknown, attributes: object = {}) => ({
    kind: 'collectionType',
    info: { singularName: 'thing', pluralName: 'things' },
    options: { indexes },
    attributes: {
      title: { type: 'string' },
      body: { type: 'richtext' },
      data: { type: 'json' },
      kind: { type: 'enumeration', enum: ['a'] },
      owner: { type: 'relation', relation: 'manyToOne', target: 'api::thing.thing' },
      many: { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing' },
      ...attributes,
    },
  })

  it('can include scalars, foreign keys, the id and the timestamps', () => {
    const { registry } = build([
      thing([{ attributes: ['kind', 'owner', 'createdAt', 'id'] }, { attributes: ['title'], unique: true }]),
    ])
    const { indexes } = registry.model('api::thing.thing')
    expect(indexes.map(({ attributes, unique }) => [attributes.map(({ name }) => name), unique])).toEqual([
      [['kind', 'owner', 'createdAt', 'id'], false],
      [['title'], true],
    ])
  })
  it.each([
    ['title', 'options.indexes: must be a list of { attributes: [names] }, not "title"'],
    [['title'], 'options.indexes.0: must be an object such as { "attributes": ["title"] }, not "title"'],
    [
      [{ attributes: [] }],
      'options.indexes.0.attributes: must be a list of at least one name of an attribute',
    ],
    [
      [{ attributes: ['titel'] }],
      'options.indexes.0.attributes.0: "titel" is no attribute; did you mean "title"?',
    ],
    [[{ attributes: ['title', 'title'] }], 'options.indexes.0.attributes.1: "title" is named twice'],
    [
      [{ attributes: ['body'] }],
      'options.indexes.0.attributes.0: "body" is a richtext, which is too long for an index',
    ],
    [
      [{ attributes: ['data'] }],
      'options.indexes.0.attributes.0: "data" is a json, which filters and sorts cannot use',
    ],
    [
      [{ attributes: ['many'] }],
      'options.indexes.0.attributes.0: "many" has no column in this table; only values and to-one relations have',
    ],
    [
      [{ attributes: ['owner'], unique: true }],
      'options.indexes.0.attributes.0: "owner" is a relation, of which no unique index is made',
    ],
    [[{ attributes: ['title'], unique: 1 }], 'options.indexes.0.unique: must be true or false, not 1'],
    [
      [{ attributes: ['title'], name: 'x' }],
      'options.indexes.0.name: is not known; an index has attributes, and unique',
    ],
    [
      [{ attributes: ['title'] }, { attributes: ['title'] }],
      'options.indexes.1: there is an index of title already',
    ],
  ])('as in %j are refused', (indexes, mistake) => {
    expect(mistakesOf([thing(indexes)])).toEqual([`thing: ${mistake}`])
  })
})
