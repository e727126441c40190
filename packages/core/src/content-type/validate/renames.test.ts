import { describe, expect, it } from 'vitest'
import { scalarTypes } from '../attribute-types/table.ts'
import { buildRegistry } from '../registry.ts'

/** @param renames The former name of each attribute, or none. */
const build = (renames: Readonly<Record<string, string | undefined>>) =>
  buildRegistry({
    contentTypes: [
      {
        kind: 'collectionType',
        info: { singularName: 'book', pluralName: 'books' },
        attributes: Object.fromEntries(
          Object.entries(renames).map(([name, from]) => [
            name,
            { type: 'string', ...(from !== undefined && { renamedFrom: from }) },
          ]),
        ),
      },
    ],
    components: [],
    attributeTypes: scalarTypes,
  })

describe('renamedFrom', () => {
  it('does not exchange names: a start would move no values', () => {
    expect(() => build({ title: 'name', name: 'title' })).toThrow(
      'attributes.title.renamedFrom: the names "title" and "name" are exchanged, which moves no values in one start; take three, by way of a name that is not used yet: first rename "name" to it, then the other, then the first one again',
    )
    expect(() => build({ a: 'b', b: 'c', c: 'a', d: 'a' })).toThrow(
      'the names "a" and "b" and "c" are exchanged',
    )
  })

  it('may name an attribute that has the former name now, and that was itself renamed', () => {
    for (const renames of [
      { title: 'name', name: undefined },
      { title: 'name', name: 'heading' },
      { title: 'name', subtitle: 'name' },
      { title: 'title' },
    ])
      expect(() => build(renames)).not.toThrow()
  })
})
