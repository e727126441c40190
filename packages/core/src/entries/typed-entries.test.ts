/**
 * The types of programs' queries and results. Compiling is the test: `tsc` checks the types, and each wrong line must not
 * compile. Nothing here runs.
 */
import { assertType, describe, expectTypeOf, it } from 'vitest'
import { defineComponent, defineContentType } from '../content-type/types/define.ts'
import type { UnknownEntry } from '../content-type/types/entry-types.ts'
import type { createOctavo } from '../create-octavo.ts'
import type { Octavo } from '../octavo.ts'
import type { Entries, TypedEntries } from './entries.ts'
import type { ModelOf } from './model.ts'

// Declarations of a plugin for its attribute types and added attributes.
declare module '../content-type/types/attribute-options.ts' {
  interface AttributeOptions {
    color: ScalarOptions<string> & { readonly alpha?: boolean }
    picture: CommonOptions & { readonly multiple?: boolean }
  }
}
declare module '../content-type/types/values.ts' {
  interface AttributeValues {
    color: `#${string}`
  }
  interface LinkedAttributes {
    picture: { readonly url: string }
  }
  interface AddedAttributes<D> {
    shelf: D extends { readonly options: { readonly shelved: true } } ? { readonly type: 'string' } : never
  }
}
declare module './query/query-input.ts' {
  interface AddedParameters {
    readonly shade?: 'light' | 'dark'
  }
  interface AddedChildParameters {
    readonly shade?: 'light' | 'dark'
  }
}

const link = defineComponent({
  uid: 'shared.link',
  attributes: {
    label: { type: 'string', required: true },
    to: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
  },
})
const seo = defineComponent({
  uid: 'shared.seo',
  attributes: {
    metaTitle: { type: 'string' },
    links: { type: 'component', component: 'shared.link', repeatable: true },
  },
})
const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: {
    name: { type: 'string', required: true },
    mentor: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
})
const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { shelved: true },
  attributes: {
    title: { type: 'string', required: true },
    status: { type: 'enumeration', enum: ['news', 'review'] },
    views: { type: 'integer' },
    live: { type: 'boolean' },
    day: { type: 'date' },
    extra: { type: 'json' },
    tone: { type: 'color', alpha: true },
    note: { type: 'string', private: true },
    secret: { type: 'password' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    about: { type: 'relation', relation: 'oneToOne', target: 'plugin::other.thing' },
    seo: { type: 'component', component: 'shared.seo' },
    cover: { type: 'picture' },
    gallery: { type: 'picture', multiple: true },
    zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.link'] },
  },
})

const contentTypes = { article, author }
const components = [seo, link] as const
type Model = ModelOf<typeof contentTypes, typeof components>
declare const articles: TypedEntries<Model, typeof article>
const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  options: { search: { attributes: ['text'], mode: 'fulltext', language: 'german', weights: { text: 'A' } } },
  attributes: { text: { type: 'text' } },
})
declare const notes: TypedEntries<Model, typeof note>
declare const create: typeof createOctavo

/** Compiled, never called. */
const compiled = (_: () => unknown): void => {}
/** The attributes of the first entry of a list. */
type First<T extends () => Promise<{ readonly data: readonly { readonly attributes: unknown }[] }>> = Awaited<
  ReturnType<T>
>['data'][number]['attributes']

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

describe('a query', () => {
  it('filters by names and operators that fit the type of the attribute', () => {
    compiled(() =>
      articles.find({
        filters: {
          title: { $containsi: 'x', $in: ['a', 'b'] },
          status: 'news',
          views: { $between: [1, 9], $not: { $gt: '3' } },
          live: true,
          day: { $lt: new Date() },
          id: [1, 2],
          tone: { $startsWith: '#' },
          shelf: { $null: true },
          createdAt: { $gte: '2024' },
          author: { name: { $eqi: 'ada' }, mentor: { name: 'Grace' }, articles: { views: { $gt: 1 } } },
          seo: { links: { to: { name: 'Ada' } } },
          about: { anything: 1 },
          $or: [{ views: 1 }, { $not: { author: 7 } }],
        },
      }),
    )
    // @ts-expect-error: no article has it
    compiled(() => articles.find({ filters: { titel: 'x' } }))
    // @ts-expect-error: there is no such operator
    compiled(() => articles.find({ filters: { title: { $like: 'x' } } }))
    // @ts-expect-error: not one of the values
    compiled(() => articles.find({ filters: { status: 'sports' } }))
    compiled(() => articles.find({ filters: { views: { $contains: '1', $endsWith: 0 } } }))
    // @ts-expect-error: refused for a number, as the reference refuses it
    compiled(() => articles.find({ filters: { views: { $startsWith: '1' } } }))
    // @ts-expect-error: JSON has no order
    compiled(() => articles.find({ filters: { extra: { $gt: '1' } } }))
    // @ts-expect-error: two values
    compiled(() => articles.find({ filters: { views: { $between: [1] } } }))
    // @ts-expect-error: private
    compiled(() => articles.find({ filters: { note: 'x' } }))
    // @ts-expect-error: passwords cannot be filtered
    compiled(() => articles.find({ filters: { secret: 'x' } }))
    // @ts-expect-error: filters do not go through zones
    compiled(() => articles.find({ filters: { zone: { label: 'x' } } }))
    // @ts-expect-error: no author has it
    compiled(() => articles.find({ filters: { author: { titel: 'x' } } }))
    // @ts-expect-error: the link in the component leads to an author
    compiled(() => articles.find({ filters: { seo: { links: { to: { nme: 'x' } } } } }))
    // @ts-expect-error: a query has no such parameter
    compiled(() => articles.find({ filtres: {} }))
  })

  it('sorts and selects by names that exist', () => {
    compiled(() => articles.find({ sort: 'title:desc' }))
    compiled(() => articles.find({ sort: ['views', 'author.name:asc', 'id'], fields: ['title', 'shelf'] }))
    compiled(() => articles.find({ sort: { author: { name: 'desc' } }, fields: '*' }))
    // @ts-expect-error: no article has it
    compiled(() => articles.find({ sort: 'titel' }))
    // @ts-expect-error: asc or desc
    compiled(() => articles.find({ sort: 'title:up' }))
    // @ts-expect-error: no author has it
    compiled(() => articles.find({ sort: { author: { titel: 'asc' } } }))
    compiled(() => articles.find({ sort: ['author.name:asc', 'seo.metaTitle', 'author.mentor.mentor.id'] }))
    compiled(() => articles.find({ sort: 'author.mentor.name:desc' }))
    compiled(() => notes.find({ _q: 'x', sort: ['_score', 'text'] }))
    compiled(() => notes.find({ _q: 'x', sort: { _score: 'asc' } }))
    // @ts-expect-error: only a full-text search has ranks
    compiled(() => articles.find({ _q: 'x', sort: '_score' }))
    // @ts-expect-error: no author has it
    compiled(() => articles.find({ sort: 'author.nme:asc' }))
    // @ts-expect-error: no author has it
    compiled(() => articles.find({ sort: ['title', 'author.mentor.nme'] }))
    // @ts-expect-error: a relation has no order
    compiled(() => articles.find({ sort: 'author.mentor' }))
    // @ts-expect-error: asc or desc
    compiled(() => articles.find({ sort: 'author.name:up' }))
    compiled(() => articles.find({ populate: { author: { sort: 'mentor.name:asc' } } }))
    // @ts-expect-error: no author has it
    compiled(() => articles.find({ populate: { author: { sort: 'mentor.nme:asc' } } }))
    // @ts-expect-error: no author has it
    compiled(() => articles.find({ filters: { author: { mentor: { nme: 'x' } } } }))
    // @ts-expect-error: no link has it
    compiled(() => articles.find({ filters: { $or: [{ seo: { links: { labl: { $eq: 'x' } } } }] } }))
    // @ts-expect-error: no article has it
    compiled(() => articles.find({ fields: ['titel'] }))
    // @ts-expect-error: a relation is populated
    compiled(() => articles.find({ fields: 'author' }))
    // @ts-expect-error: pages or offsets
    compiled(() => articles.find({ pagination: { page: 1, start: 1 } }))
  })

  it('populates names that exist, at any depth', () => {
    // @ts-expect-error: there is nothing of that name
    compiled(() => articles.find({ populate: 'athor' }))
    // @ts-expect-error: there is nothing of that name
    compiled(() => articles.find({ populate: { author: true, athor: true } }))
    // @ts-expect-error: a value is selected
    compiled(() => articles.find({ populate: ['title'] }))
    compiled(() =>
      articles.find({ populate: ['author.mentor.*', 'seo.links.to', 'about.anything', 'zone.to'] }),
    )
    // @ts-expect-error: an author has no boss
    compiled(() => articles.find({ populate: 'author.boss' }))
    // @ts-expect-error: a link leads to nothing of that name
    compiled(() => articles.find({ populate: ['cover', 'seo.links.from'] }))
    // @ts-expect-error: an author has no boss
    compiled(() => articles.find({ populate: { seo: { populate: ['links.to.boss'] } } }))
    // @ts-expect-error: a link has no such option
    compiled(() => articles.find({ populate: { zone: { on: { 'shared.link': { feilds: 'label' } } } } }))
    // @ts-expect-error: an author has no boss
    compiled(() => articles.find({ populate: { author: { populate: { mentor: true, boss: true } } } }))
    // @ts-expect-error: an author has no title
    compiled(() => articles.find({ populate: { author: { fields: ['title'] } } }))
    // @ts-expect-error: a place has no such parameter
    compiled(() => articles.find({ populate: { author: { fields: ['name'], filtres: {} } } }))
    // @ts-expect-error: the zone does not list it
    compiled(() => articles.find({ populate: { zone: { on: { 'shared.other': true } } } }))
  })

  it('has the parameters of plugins', () => {
    compiled(() => articles.find({ shade: 'dark', populate: { author: { shade: 'light' } } }))
    // @ts-expect-error: light or dark
    compiled(() => articles.find({ shade: 'grey' }))
  })
})

describe('a result', () => {
  it('has the scalars, including those of plugins, and only populated places', () => {
    const all = () => articles.find()
    type Attributes = First<typeof all>
    expectTypeOf<Attributes['title']>().toEqualTypeOf<string>()
    expectTypeOf<Attributes['status']>().toEqualTypeOf<'news' | 'review' | null>()
    expectTypeOf<Attributes['tone']>().toEqualTypeOf<`#${string}` | null>()
    expectTypeOf<Attributes['shelf']>().toEqualTypeOf<string | null>()
    expectTypeOf<Attributes['createdAt']>().toEqualTypeOf<string>()
    expectTypeOf<Attributes>().not.toHaveProperty('author')
    expectTypeOf<Attributes>().not.toHaveProperty('secret')
    expectTypeOf<Attributes>().not.toHaveProperty('note')
    const authors = {} as TypedEntries<Model, typeof author>
    const anyone = () => authors.find()
    expectTypeOf<First<typeof anyone>>().not.toHaveProperty('shelf')
  })

  it('has the selected fields only', () => {
    const some = () => articles.find({ fields: ['title', 'views'] })
    expectTypeOf<First<typeof some>>().toEqualTypeOf<{
      readonly title: string
      readonly views: number | null
    }>()
    const one = () => articles.find({ fields: 'title' })
    expectTypeOf<First<typeof one>>().toEqualTypeOf<{ readonly title: string }>()
    const id = () => articles.find({ fields: ['id'] })
    expectTypeOf<keyof First<typeof id>>().toEqualTypeOf<never>()
    const star = () => articles.find({ fields: ['*'] })
    expectTypeOf<First<typeof star>['views']>().toEqualTypeOf<number | null>()
  })

  it('has the populated places, given by name, in a list, by path and in objects', () => {
    const named = () => articles.find({ fields: 'title', populate: 'author' })
    type Author = NonNullable<First<typeof named>['author']['data']>
    expectTypeOf<Author['attributes']['name']>().toEqualTypeOf<string>()
    expectTypeOf<Author['attributes']>().not.toHaveProperty('mentor')
    const path = () => articles.find({ populate: ['author.mentor.mentor', 'seo'] })
    type Mentor = NonNullable<
      NonNullable<First<typeof path>['author']['data']>['attributes']['mentor']['data']
    >
    expectTypeOf<
      NonNullable<Mentor['attributes']['mentor']['data']>['attributes']['name']
    >().toEqualTypeOf<string>()
    expectTypeOf<First<typeof path>['seo']>().toEqualTypeOf<{
      readonly id: number
      readonly metaTitle: string | null
    } | null>()
    const deep = () =>
      articles.find({
        populate: {
          author: {
            fields: ['name'],
            populate: { articles: { fields: ['title'], populate: '*' }, mentor: false },
          },
          seo: { populate: { links: { populate: 'to' } } },
          cover: true,
          gallery: true,
          about: true,
        },
      })
    type Deep = First<typeof deep>
    type Back = NonNullable<Deep['author']['data']>['attributes']['articles']['data'][number]['attributes']
    expectTypeOf<Back['title']>().toEqualTypeOf<string>()
    expectTypeOf<Back>().not.toHaveProperty('views')
    expectTypeOf<NonNullable<Back['author']['data']>['attributes']['name']>().toEqualTypeOf<string>()
    expectTypeOf<NonNullable<Deep['author']['data']>['attributes']>().not.toHaveProperty('mentor')
    type Link = NonNullable<Deep['seo']>['links'][number]
    expectTypeOf<NonNullable<Link['to']['data']>['attributes']['name']>().toEqualTypeOf<string>()
    expectTypeOf<NonNullable<Deep['cover']['data']>['attributes']['url']>().toEqualTypeOf<string>()
    expectTypeOf<NonNullable<Deep['gallery']['data']>[number]['id']>().toEqualTypeOf<number>()
    expectTypeOf<Deep['about']['data']>().toEqualTypeOf<UnknownEntry | null>()
    expectTypeOf<Deep>().not.toHaveProperty('zone')
  })

  it('discriminates the components of a zone, and has counts', () => {
    const all = () => articles.find({ populate: { zone: { populate: '*' } } })
    type Item = First<typeof all>['zone'][number]
    expectTypeOf<Item['__component']>().toEqualTypeOf<'shared.seo' | 'shared.link'>()
    type Label = Extract<Item, { readonly __component: 'shared.link' }>
    expectTypeOf<NonNullable<Label['to']['data']>['attributes']['name']>().toEqualTypeOf<string>()
    const on = () => articles.find({ populate: { zone: { on: { 'shared.link': { fields: ['label'] } } } } })
    expectTypeOf<First<typeof on>['zone'][number]>().toEqualTypeOf<
      { readonly __component: 'shared.link' } & { readonly id: number; readonly label: string }
    >()
    const authors = {} as TypedEntries<Model, typeof author>
    const count = () => authors.find({ populate: { articles: { count: true } } })
    expectTypeOf<First<typeof count>['articles']['data']>().toEqualTypeOf<{
      readonly attributes: { readonly count: number }
    }>()
  })

  it('of a write has the type of its query', () => {
    const created = () => articles.create({ title: 'A' }, { populate: 'author' })
    type Created = Awaited<ReturnType<typeof created>>['attributes']
    expectTypeOf<NonNullable<Created['author']['data']>['attributes']['name']>().toEqualTypeOf<string>()
    // @ts-expect-error: the title is required
    compiled(() => articles.create({}))
  })
})

describe('the input of a write', () => {
  it('has the attributes of components, in zones and at any depth', () => {
    compiled(() =>
      articles.create({
        title: 'A',
        seo: {
          metaTitle: 'B',
          links: [
            { label: 'x', to: { connect: [1] } },
            { id: 3, to: null },
          ],
        },
        zone: [
          { __component: 'shared.link', label: 'x' },
          { __component: 'shared.seo', links: [] },
          { __component: 'shared.link', id: 4 },
        ],
        cover: 3,
        gallery: [3, { id: 4 }],
        tone: '#fff',
        author: { set: [1] },
      }),
    )
    compiled(() => articles.update(1, { seo: { id: 1, metaTitle: null }, cover: null }))
    // @ts-expect-error: a text
    compiled(() => articles.create({ title: 'A', seo: { metaTitle: 5 } }))
    // @ts-expect-error: there is no such attribute
    compiled(() => articles.create({ title: 'A', seo: { metaTitel: 'x' } }))
    // @ts-expect-error: a new link needs its label
    compiled(() => articles.create({ title: 'A', seo: { links: [{ to: 1 }] } }))
    // @ts-expect-error: the zone does not list it
    compiled(() => articles.create({ title: 'A', zone: [{ __component: 'shared.other' }] }))
    const given = { __component: 'shared.link', label: 'x' } as const
    // @ts-expect-error: a link has no metaTitle
    assertType<Parameters<typeof articles.create>[0]>({ title: 'A', zone: [{ ...given, metaTitle: 'x' }] })
    // @ts-expect-error: a color begins with #
    compiled(() => articles.create({ title: 'A', tone: 'red' }))
    // @ts-expect-error: files are named by their ids
    compiled(() => articles.create({ title: 'A', cover: true }))
    // @ts-expect-error: there is no such attribute
    compiled(() => articles.create({ title: 'A', titel: 'B' }))
  })

  it('of components outside of the model takes any values', () => {
    const alone = {} as TypedEntries<ModelOf<typeof contentTypes, []>, typeof article>
    compiled(() =>
      alone.create({ title: 'A', seo: { anything: 1 }, zone: [{ __component: 'shared.seo', x: 1 }] }),
    )
  })
})

describe('a model', () => {
  it('is given once, as an object or as a list', () => {
    const byObject = () => create({ contentTypes: { article, author }, components: { seo, link } })
    const byList = () => create({ contentTypes: [article, author], components: [seo, link] })
    compiled(async () => {
      const octavo = await create({ contentTypes })
      const { data } = await octavo.entries('article').find({ populate: 'author' })
      expectTypeOf(data[0]?.attributes.author.data?.attributes.name).toEqualTypeOf<string | undefined>()
    })
    for (const open of [byObject, byList]) {
      compiled(async () => {
        const octavo = await open()
        const { data } = await octavo.entries('article').find({ populate: 'author' })
        expectTypeOf(data[0]?.attributes.author.data?.attributes.name).toEqualTypeOf<string | undefined>()
        const one = await octavo.entries('api::author.author').findOne(1, { fields: ['name'] })
        expectTypeOf(one?.attributes).toEqualTypeOf<{ readonly name: string } | undefined>()
        const same = await octavo.entries(article).findOne(1, { populate: { author: true } })
        expectTypeOf(same?.attributes.author.data?.attributes.name).toEqualTypeOf<string | undefined>()
        // @ts-expect-error: no article has it
        await octavo.entries('article').find({ filters: { titel: 'x' } })
        // @ts-expect-error: there is no such content-type
        octavo.entries('artcle')
        expectTypeOf(octavo.entries('plugin::users-permissions.user')).toEqualTypeOf<Entries>()
        await octavo.transaction(async (tx) => {
          const { attributes } = await tx.entries('author').create({ name: 'Ada' })
          expectTypeOf(attributes.name).toEqualTypeOf<string>()
        })
        assertType<Octavo>(octavo)
      })
    }
  })

  it('that is unknown accepts any name', () => {
    compiled(async () => {
      const octavo = await create({ contentTypes: [] as readonly Parameters<Octavo['addContentType']>[0][] })
      expectTypeOf(octavo.entries('anything')).toEqualTypeOf<Entries>()
      const { data } = await octavo.entries(article).find({ populate: 'author' })
      expectTypeOf(data[0]?.attributes.author.data).toEqualTypeOf<UnknownEntry | null | undefined>()
    })
  })
})
