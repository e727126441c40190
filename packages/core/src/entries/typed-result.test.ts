/** The types of results. Compiling is the test: `tsc` checks the types, and each wrong line must not compile. Nothing here runs. */
import { describe, expectTypeOf, it } from 'vitest'
import { articles, type author, compiled, type First, type Model } from '../../test/support/typed-model.ts'
import type { UnknownEntry } from '../content-type/types/entry-types.ts'
import type { TypedEntries } from './entries.ts'

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
    // It is left out of the query.
    const empty = () => articles.find({ populate: { zone: { on: {} } } })
    expectTypeOf<First<typeof empty>['zone'][number]['__component']>().toEqualTypeOf<Item['__component']>()
    const authors = {} as TypedEntries<Model, typeof author>
    const count = () => authors.find({ populate: { articles: { count: true } } })
    expectTypeOf<First<typeof count>['articles']['data']>().toEqualTypeOf<{
      readonly attributes: { readonly count: number }
    }>()
  })

  it('lacks what a condition of the program may leave out', () => {
    const isLong: boolean = JSON.parse('true')
    const some = () => articles.find({ populate: { author: isLong, seo: isLong ? { fields: '*' } : false } })
    // @ts-expect-error: it may be absent
    compiled(async () => (await some()).data[0]?.attributes.author.data)
    expectTypeOf<undefined>().toExtend<First<typeof some>['seo']>()
    compiled(async () => (await some()).data[0]?.attributes.author?.data?.attributes.name)
    const none = () => articles.find({ populate: { author: false, seo: {} } })
    expectTypeOf<First<typeof none>>().not.toHaveProperty('author')
    expectTypeOf<First<typeof none>['seo'] & undefined>().toBeNever()
  })

  it('has nothing populated where the query is not known', () => {
    const all = () => articles.find()
    expectTypeOf<ReturnType<typeof articles.find>>().toEqualTypeOf<ReturnType<typeof all>>()
    const query: Parameters<typeof articles.find>[0] = { populate: { author: true }, sort: 'author.name' }
    const some = () => articles.find(query)
    expectTypeOf<First<typeof some>>().not.toHaveProperty('author')
  })

  it('has the selected attributes of links only', () => {
    const some = () => articles.find({ populate: { cover: { fields: ['url'] }, gallery: { fields: 'url' } } })
    type Cover = NonNullable<First<typeof some>['cover']['data']>['attributes']
    expectTypeOf<Cover>().toEqualTypeOf<{ readonly url: string }>()
    const id = () => articles.find({ populate: { cover: { fields: 'id' }, gallery: { fields: '*' } } })
    expectTypeOf<keyof NonNullable<First<typeof id>['cover']['data']>['attributes']>().toEqualTypeOf<never>()
    type Gallery = NonNullable<First<typeof id>['gallery']['data']>[number]['attributes']
    expectTypeOf<Gallery>().toEqualTypeOf<{ readonly url: string }>()
    // @ts-expect-error: no picture has it
    compiled(() => articles.find({ populate: { cover: { fields: ['urll'] } } }))
    // @ts-expect-error: a populated place has no such parameter
    compiled(() => articles.find({ populate: { cover: { feilds: ['url'] } } }))
  })

  it('of a write has the type of its query', () => {
    const created = () => articles.create({ title: 'A' }, { populate: 'author' })
    type Created = Awaited<ReturnType<typeof created>>['attributes']
    expectTypeOf<NonNullable<Created['author']['data']>['attributes']['name']>().toEqualTypeOf<string>()
    // @ts-expect-error: the title is required
    compiled(() => articles.create({}))
  })
})
