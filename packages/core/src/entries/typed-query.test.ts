/** The types of queries. Compiling is the test: `tsc` checks the types, and each wrong line must not compile. Nothing here runs. */
import { describe, it } from 'vitest'
import { articles, compiled, notes } from '../../test/support/typed-model.ts'

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
    const phrase = undefined as string | undefined
    const ids = undefined as readonly number[] | undefined
    compiled(() =>
      articles.find({
        filters: {
          title: { $containsi: phrase },
          status: undefined,
          author: { name: phrase },
          id: { $in: ids },
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
