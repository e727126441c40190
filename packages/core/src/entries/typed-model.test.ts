/** The types of entries by the model of a program. Compiling is the test: `tsc` checks the types, and each wrong line must not compile. Nothing here runs. */
import { assertType, describe, expectTypeOf, it } from 'vitest'
import { article, author, compiled, contentTypes, link, seo } from '../../test/support/typed-model.ts'
import type { DoesNotExist } from '../content-type/types/attribute-options.ts'
import type { UnknownEntry } from '../content-type/types/entry-types.ts'
import type { Octavo } from '../octavo.ts'
import type { createOctavo } from '../start/create-octavo.ts'
import type { Entries } from './entries.ts'

declare const create: typeof createOctavo

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
        // The compiler shows this type in its message.
        expectTypeOf<Parameters<typeof octavo.entries<'artcle'>>[0]>().toEqualTypeOf<
          'artcle' & DoesNotExist<'There is no content-type "artcle"'>
        >()
        expectTypeOf(octavo.entries(String('article'))).toEqualTypeOf<Entries>()
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
