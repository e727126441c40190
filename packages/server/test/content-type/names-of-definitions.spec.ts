import { type ContentTypeDefinition, DefinitionError } from '@octavo/core'
import { buildRegistry } from '@octavo/core/internal'
import { scalarTypes } from '@octavo/core/plugin'
import { describe, expect, it } from 'vitest'

describe('S-17: definitions cannot inject SQL', () => {
  const evil = [
    'a"; drop table articles; --',
    "a'b",
    'a b',
    'a.b',
    'a)',
    '__proto__',
    'constructor',
    'x'.repeat(201),
    'pg_class',
    'é',
  ]
  const refuse = (definition: ContentTypeDefinition) =>
    expect(() =>
      buildRegistry({ contentTypes: [definition], components: [], attributeTypes: scalarTypes }),
    ).toThrow(DefinitionError)
  const type = (change: Partial<ContentTypeDefinition>): ContentTypeDefinition => ({
    kind: 'collectionType',
    info: { singularName: 'thing', pluralName: 'things' },
    attributes: { name: { type: 'string' } },
    ...change,
  })

  it.each(evil)('refuses the attribute %s', (name) => {
    if (name !== 'pg_class') refuse(type({ attributes: Object.fromEntries([[name, { type: 'string' }]]) }))
  })
  it.each(evil)('refuses the table %s', (name) => {
    // These two are names like any other for a table, which is quoted.
    if (name !== 'constructor' && name !== '__proto__') refuse(type({ collectionName: name }))
  })
  it.each(evil)('refuses the names %s', (name) => {
    if (name !== 'constructor') refuse(type({ info: { singularName: name, pluralName: `${name}s` } }))
  })
  it.each([
    { type: 'string"' },
    { type: 'enumeration', enum: ["a'; --", 1] },
    { type: 'decimal', column: { type: 'raw' }, required: 'yes' },
  ])('refuses the attribute %o', (attribute) => {
    refuse(type({ attributes: { a: attribute as never } }))
  })
})
