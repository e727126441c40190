/** The types of calls. Compiling is the test: `tsc` checks the types, and each wrong line must not compile. Nothing here runs. */
import { defineContentType } from '@octavo/core'
import { describe, expectTypeOf, it } from 'vitest'
import type { Change, Client, FileFormat, StoredFile } from '../src/index.ts'
import type { components, contentTypes } from './model.ts'

declare const api: Client<typeof contentTypes, typeof components>

/** Compiled, never called. */
const compiled = (_: () => unknown): void => {}

describe('a call of the client', () => {
  it('sorts by names that exist, at any depth, also in a walk', () => {
    compiled(() => api.articles.find({ sort: ['author.name:asc', 'views:desc'] }))
    compiled(() => api.articles.all({ sort: 'author.name' }))
    // @ts-expect-error: no author has it
    compiled(() => api.articles.find({ sort: 'author.nme' }))
    // @ts-expect-error: asc or desc
    compiled(() => api.articles.find({ sort: ['views', 'author.name:up'] }))
    // @ts-expect-error: a relation has no order
    compiled(() => api.articles.find({ sort: 'author.articles' }))
    // @ts-expect-error: no author has it
    compiled(() => api.articles.all({ sort: 'author.nme' }))
    // @ts-expect-error: no author has it
    compiled(() => api.articles.pages({ sort: 'author.nme' }))
  })

  it('writes components by their definitions, in zones too', () => {
    compiled(() => api.articles.create({ title: 'A', seo: { metaTitle: 'x', image: 3 } }))
    compiled(() => api.articles.update(1, { body: [{ __component: 'body.text', text: 'x' }] }))
    // @ts-expect-error: no seo has it
    compiled(() => api.articles.create({ title: 'A', seo: { metaTitel: 'x' } }))
    // @ts-expect-error: a text
    compiled(() => api.articles.update(1, { body: [{ __component: 'body.text', text: 7 }] }))
    // @ts-expect-error: no seo has it
    compiled(() => api.articles.localize(1, { locale: 'fr', title: 'A', seo: { metaTitel: 'x' } }))
  })

  it('selects attributes of files that exist, and answers with these only', () => {
    const find = () =>
      api.articles.find({
        populate: { cover: { fields: ['url'] }, seo: { populate: { image: { fields: ['url', 'width'] } } } },
      })
    type Attributes = Awaited<ReturnType<typeof find>>['data'][number]['attributes']
    expectTypeOf<NonNullable<Attributes['cover']['data']>['attributes']>().toEqualTypeOf<{
      readonly url: string
    }>()
    type Image = NonNullable<NonNullable<Attributes['seo']>['image']['data']>
    expectTypeOf<Image['attributes']>().toEqualTypeOf<{
      readonly url: string
      readonly width: number | null
    }>()
    // @ts-expect-error: no file has it
    compiled(() => api.articles.find({ populate: { cover: { fields: ['adress'] } } }))
    // @ts-expect-error: a populated place has no such parameter
    compiled(() => api.articles.find({ populate: { cover: { feilds: ['url'] } } }))
  })

  it('has the smaller versions of a picture by their names', () => {
    const find = () => api.articles.find({ populate: { cover: true } })
    type Cover = NonNullable<Awaited<ReturnType<typeof find>>['data'][number]['attributes']['cover']['data']>
    expectTypeOf<NonNullable<Cover['attributes']['formats']>['small']>().toEqualTypeOf<
      FileFormat | undefined
    >()
    expectTypeOf<StoredFile['formats']>().toEqualTypeOf<Cover['attributes']['formats']>()
    expectTypeOf<FileFormat['url']>().toEqualTypeOf<string>()
  })

  it('gives its filters and its input a name, for functions of a front end', () => {
    type Filters = NonNullable<Parameters<typeof api.articles.count>[0]>['filters']
    expectTypeOf<{ author: { name: 'Ada' } }>().toExtend<Filters>()
    // @ts-expect-error: no author has it
    compiled((): Filters => ({ author: { nme: 'Ada' } }))
    type Input = Parameters<typeof api.articles.create>[0]
    expectTypeOf<{ title: string; author: number }>().toExtend<Input>()
    // @ts-expect-error: a text
    compiled((): Input => ({ title: 7 }))
  })

  it('follows changes whose type is that of a content-type', () => {
    type Walk = ReturnType<typeof api.changes.follow>
    type Type = Walk extends AsyncGenerator<infer C extends { readonly type: string }> ? C['type'] : never
    expectTypeOf<Type>().toEqualTypeOf<
      | 'api::author.author'
      | 'api::article.article'
      | 'api::reading-list.reading-list'
      | 'api::homepage.homepage'
    >()
    expectTypeOf<Change['type']>().toEqualTypeOf<string>()
    type Untyped = ReturnType<Client<object>['changes']['find']>
    expectTypeOf<Untyped>().resolves.toHaveProperty('data').toEqualTypeOf<readonly Change[]>()
    // @ts-expect-error: a cursor is a text
    compiled(() => api.changes.find({ since: 41 }))
  })

  it('has the ETag of one entry', () => {
    const findOne = () => api.articles.findOne(1)
    expectTypeOf<Awaited<ReturnType<typeof findOne>>['etag']>().toEqualTypeOf<string>()
    compiled(async () => (await api.homepage.find()).etag)
    // @ts-expect-error: a list has none that a write could name
    compiled(async () => (await api.articles.find()).etag)
  })

  it('of users and files has the fields of its query', () => {
    const users = () => api.users.find({ fields: ['username'] })
    type Person = Awaited<ReturnType<typeof users>>[number]
    expectTypeOf<Person['username']>().toEqualTypeOf<string>()
    expectTypeOf<Person['email']>().toEqualTypeOf<unknown>()
    compiled(async () => (await api.users.me({ fields: '*' })).email.length)
    const file = () => api.files.findOne(1, { fields: ['url'], populate: 'related' })
    type Address = Awaited<ReturnType<typeof file>>
    expectTypeOf<Address['id']>().toEqualTypeOf<number>()
    expectTypeOf<Address['url']>().toEqualTypeOf<string>()
    expectTypeOf<Address['mime']>().toEqualTypeOf<unknown>()
  })

  it('of a localized single type has a list for all locales', () => {
    const page = defineContentType({
      kind: 'singleType',
      info: { singularName: 'page', pluralName: 'pages' },
      pluginOptions: { i18n: { localized: true } },
      attributes: { title: { type: 'string', required: true } },
    })
    const pages = {} as Client<{ page: typeof page }>
    const all = () => pages.page.find({ locale: 'all', fields: ['title'] })
    type Titled = { readonly title: string }
    expectTypeOf<Awaited<ReturnType<typeof all>>['data'][number]['attributes']>().toEqualTypeOf<Titled>()
    const french = () => pages.page.find({ locale: 'fr', fields: ['title'] })
    expectTypeOf<Awaited<ReturnType<typeof french>>['data']['attributes']>().toEqualTypeOf<Titled>()
    compiled(async () => (await pages.page.find()).data.attributes.title)
    // @ts-expect-error: it is not localized, and has one entry
    compiled(async () => (await api.homepage.find({ locale: 'all' })).data[0])
  })

  it('has a type without a query as well: that of a call without one', () => {
    const find = () => api.articles.find()
    expectTypeOf<ReturnType<typeof api.articles.find>>().toEqualTypeOf<ReturnType<typeof find>>()
    const findOne = () => api.articles.findOne(1)
    expectTypeOf<ReturnType<typeof api.articles.findOne>>().toEqualTypeOf<ReturnType<typeof findOne>>()
    type Query = NonNullable<Parameters<typeof api.articles.find>[0]>
    const query: Query = { filters: { title: 'x' }, sort: 'author.name', populate: { author: true } }
    compiled(() => api.articles.find(query))
    // @ts-expect-error: no article has it
    compiled((): Query => ({ filters: { titel: 'x' } }))
  })
})
