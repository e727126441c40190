/** The types of definitions. Compiling is the test: `tsc` checks them, and each wrong line must not compile. Nothing here runs. */
import { describe, expectTypeOf, it } from 'vitest'
import { article, compiled } from '../../test/support/typed-model.ts'
import { defineComponent, defineContentType } from '../content-type/types/define.ts'

describe('defineContentType', () => {
  const info = { singularName: 'a', pluralName: 'b' } as const
  it('rejects unknown options and unknown types', () => {
    compiled(() =>
      defineContentType({
        kind: 'collectionType',
        info,
        // @ts-expect-error: requred is no option
        attributes: { title: { type: 'string', requred: true } },
      }),
    )
    compiled(() =>
      defineContentType({
        kind: 'collectionType',
        info,
        // @ts-expect-error: a number has no length
        attributes: { views: { type: 'integer', maxLength: 3 } },
      }),
    )
    compiled(() =>
      defineContentType({
        kind: 'collectionType',
        info,
        // @ts-expect-error: a length is a number
        attributes: { title: { type: 'string', maxLength: '3' } },
      }),
    )
    compiled(() =>
      defineContentType({
        kind: 'collectionType',
        info,
        // @ts-expect-error: there is no such type
        attributes: { title: { type: 'strng' } },
      }),
    )
    compiled(() =>
      defineContentType({
        kind: 'collectionType',
        info,
        // @ts-expect-error: an enumeration needs its values
        attributes: { status: { type: 'enumeration' } },
      }),
    )
    compiled(() =>
      defineContentType({
        kind: 'collectionType',
        info,
        // @ts-expect-error: a relation needs its target
        attributes: { author: { type: 'relation', relation: 'manyToOne' } },
      }),
    )
    compiled(() =>
      defineContentType({
        kind: 'collectionType',
        info,
        attributes: {},
        // @ts-expect-error: a definition has no such key
        atributes: {},
      }),
    )
    compiled(() =>
      defineComponent({
        uid: 'a.b',
        // @ts-expect-error: repeatble is no option
        attributes: { c: { type: 'component', component: 'a.c', repeatble: true } },
      }),
    )
  })

  it('accepts the types of plugins with their options', () => {
    expectTypeOf(article.attributes.tone).toEqualTypeOf<{ readonly type: 'color'; readonly alpha: true }>()
  })
})
