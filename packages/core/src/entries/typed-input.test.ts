/** The types of the input of writes. Compiling is the test: `tsc` checks the types, and each wrong line must not compile. Nothing here runs. */
import { assertType, describe, it } from 'vitest'
import { type article, articles, compiled, type contentTypes } from '../../test/support/typed-model.ts'
import type { TypedEntries } from './entries.ts'
import type { ModelOf } from './model.ts'

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
