import { assertType, describe, expect, expectTypeOf, it } from 'vitest'
import type { BlockNode } from '../attribute-types/blocks.ts'
import { scalarTypes } from '../attribute-types/table.ts'
import { buildRegistry } from '../registry.ts'
import { defineComponent, defineContentType } from './define.ts'
import type { AttributesOf, ComponentOf, EntryOf, UnknownComponent, UnknownEntry } from './entry-types.ts'
import type { ComponentInput, InputOf, RelationInput } from './input-types.ts'
import type { AttributeValues } from './values.ts'

// A link type, as a plugin declares one.
declare module './attribute-options.ts' {
  interface AttributeOptions {
    media: CommonOptions & { readonly multiple?: boolean }
  }
}

const seo = defineComponent({
  uid: 'shared.seo',
  attributes: { metaTitle: { type: 'string', required: true }, weight: { type: 'integer' } },
})

const quote = defineComponent({ uid: 'blocks.quote', attributes: { text: { type: 'text', required: true } } })

const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: {
    name: { type: 'string', required: true },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
})

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: {
    title: { type: 'string', required: true },
    status: { type: 'enumeration', enum: ['news', 'review'] },
    rating: { type: 'decimal' },
    reads: { type: 'biginteger' },
    featured: { type: 'boolean', required: true, default: false },
    extra: { type: 'json', required: true },
    body: { type: 'blocks' },
    secret: { type: 'password' },
    note: { type: 'string', private: true },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    related: { type: 'relation', relation: 'manyToMany', target: 'api::article.article' },
    seo: { type: 'component', component: 'shared.seo' },
    seos: { type: 'component', component: 'shared.seo', repeatable: true },
    zone: { type: 'dynamiczone', components: ['blocks.quote', 'shared.seo'] },
    cover: { type: 'media' },
  },
})

type All = {
  'api::author.author': typeof author
  'api::article.article': typeof article
  'shared.seo': typeof seo
  'blocks.quote': typeof quote
}

describe('the type of an input', () => {
  type Input = InputOf<typeof article>

  it('requires required attributes without a default', () => {
    expectTypeOf<{ title: string; extra: unknown }>().toExtend<Input>()
    // @ts-expect-error: the title is missing
    assertType<Input>({ extra: 1 })
    // @ts-expect-error: the title is required
    assertType<Input>({ title: null, extra: 1 })
    // @ts-expect-error: no article has it
    assertType<Input>({ title: 'A', extra: 1, titel: 'A' })
  })

  it('accepts the values of a body: scalars, secrets, relations in every form, components', () => {
    expectTypeOf<Input['status']>().toEqualTypeOf<'news' | 'review' | null | undefined>()
    expectTypeOf<Input['rating']>().toEqualTypeOf<number | string | null | undefined>()
    expectTypeOf<Input['secret']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<Input['note']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<Input['author']>().toEqualTypeOf<RelationInput<false> | null | undefined>()
    expectTypeOf<Input['seo']>().toEqualTypeOf<ComponentInput | null | undefined>()
    const common = { title: 'A', extra: {} }
    assertType<Input>({ ...common, author: 7, related: [7, '8', { id: 9 }] })
    assertType<Input>({ ...common, author: { connect: 7 }, related: { set: [] } })
    const between = [{ id: 9, position: { before: 8 } }, 10] as const
    assertType<Input>({
      ...common,
      related: { connect: between, disconnect: [7], options: { strict: false } },
    })
    assertType<Input>({
      ...common,
      seo: { metaTitle: 'A' },
      seos: [{ id: 1 }],
      zone: [{ __component: 'blocks.quote' }],
    })
    // @ts-expect-error: a position has one of four forms
    assertType<Input>({ ...common, related: { connect: [{ id: 9, position: { beside: 8 } }] } })
    // @ts-expect-error: the zone does not list it
    assertType<Input>({ ...common, zone: [{ __component: 'blocks.other' }] })
    // @ts-expect-error: one author
    assertType<Input>({ ...common, author: [1, 2] })
  })

  it('requires nothing for types with drafts', () => {
    const post = defineContentType({
      kind: 'collectionType',
      info: { singularName: 'post', pluralName: 'posts' },
      options: { draftAndPublish: true },
      attributes: { title: { type: 'string', required: true } },
    })
    assertType<InputOf<typeof post>>({})
  })
})

describe('the type of an entry', () => {
  it('has the values of its attributes, nullable unless required', () => {
    type Attributes = AttributesOf<typeof article>
    expectTypeOf<EntryOf<typeof article>['id']>().toEqualTypeOf<number>()
    expectTypeOf<Attributes['title']>().toEqualTypeOf<string>()
    expectTypeOf<Attributes['status']>().toEqualTypeOf<'news' | 'review' | null>()
    expectTypeOf<Attributes['rating']>().toEqualTypeOf<number | null>()
    expectTypeOf<Attributes['reads']>().toEqualTypeOf<string | null>()
    expectTypeOf<Attributes['featured']>().toEqualTypeOf<boolean>()
    expectTypeOf<Attributes['extra']>().toEqualTypeOf<unknown>()
    expectTypeOf<Attributes['body']>().toEqualTypeOf<readonly BlockNode[] | null>()
    expectTypeOf<Attributes['createdAt']>().toEqualTypeOf<string>()
  })

  it('lacks private attributes and passwords', () => {
    expectTypeOf<AttributesOf<typeof article>>().not.toHaveProperty('secret')
    expectTypeOf<AttributesOf<typeof article>>().not.toHaveProperty('note')
  })

  it('has populated places as optional', () => {
    type Attributes = AttributesOf<typeof article>
    expectTypeOf<Attributes['author']>().toEqualTypeOf<{ readonly data: UnknownEntry | null } | undefined>()
    expectTypeOf<Attributes['related']>().toEqualTypeOf<
      { readonly data: readonly UnknownEntry[] } | undefined
    >()
    expectTypeOf<Attributes['seo']>().toEqualTypeOf<UnknownComponent | null | undefined>()
    expectTypeOf<Attributes['seos']>().toEqualTypeOf<readonly UnknownComponent[] | undefined>()
    expectTypeOf<Attributes['cover']>().toEqualTypeOf<unknown>()
    assertType<Attributes>({
      title: '',
      status: null,
      rating: 1,
      reads: '1',
      featured: true,
      extra: 1,
      body: [],
      createdAt: '',
      updatedAt: '',
    })
  })

  it('resolves relations and components to the given definitions, also in cycles', () => {
    type Attributes = EntryOf<typeof article, All>['attributes']
    type Author = NonNullable<NonNullable<Attributes['author']>['data']>
    expectTypeOf<Author['attributes']['name']>().toEqualTypeOf<string>()
    type Back = NonNullable<Author['attributes']['articles']>['data'][number]
    expectTypeOf<Back['attributes']['status']>().toEqualTypeOf<'news' | 'review' | null>()
    expectTypeOf<Attributes['seo']>().toEqualTypeOf<
      { readonly id: number; readonly metaTitle: string; readonly weight: number | null } | null | undefined
    >()
  })

  it('discriminates the components of a zone', () => {
    const item = {} as NonNullable<EntryOf<typeof article, All>['attributes']['zone']>[number]
    if (item.__component === 'blocks.quote') expectTypeOf(item.text).toEqualTypeOf<string>()
    else expectTypeOf(item.metaTitle).toEqualTypeOf<string>()
  })

  it('has the id of a component beside its attributes, and no dates', () => {
    expectTypeOf<ComponentOf<typeof quote>>().toEqualTypeOf<{ readonly id: number; readonly text: string }>()
  })

  it('has a value type for every readable attribute type', () => {
    // `color` is the type of a plugin in another test.
    const named: Record<Exclude<keyof AttributeValues, 'customField' | 'color'> | 'password', true> = {
      string: true,
      text: true,
      richtext: true,
      enumeration: true,
      email: true,
      password: true,
      uid: true,
      date: true,
      time: true,
      datetime: true,
      timestamp: true,
      integer: true,
      biginteger: true,
      float: true,
      decimal: true,
      boolean: true,
      json: true,
      array: true,
      blocks: true,
    }
    expect([...scalarTypes.keys()]).toEqual(Object.keys(named))
  })
})

it('accepts definitions of defineContentType unchanged', () => {
  const { registry } = buildRegistry({
    contentTypes: [author, article],
    components: [seo, quote],
    attributeTypes: scalarTypes,
    absentTypes: { media: 'upload' },
  })
  expect([...registry.contentType('api::author.author').attributes.keys()]).toEqual([
    'name',
    'articles',
    'createdAt',
    'updatedAt',
  ])
})
