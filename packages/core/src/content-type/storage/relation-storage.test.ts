import { describe, expect, it } from 'vitest'
import {
  build,
  localizations,
  media,
  part,
  relation,
  relationOf,
  type,
} from '../../../test/support/definitions.ts'

describe('storage of relations', () => {
  const twoWay = (kind: string, opposite: string) => [
    type('article', { author: relation(kind, 'author', { inversedBy: 'articles' }) }),
    type('author', { articles: relation(opposite, 'article', { mappedBy: 'author' }) }),
  ]

  it('of manyToOne is a foreign key, ordered for the other side', () => {
    const definitions = twoWay('manyToOne', 'oneToMany')
    expect(relationOf(definitions, 'article', 'author')).toMatchObject({
      target: 'api::author.author',
      many: false,
      exclusive: false,
      inverse: 'articles',
      typeName: 'relation',
      filterable: true,
      storage: { kind: 'own', column: 'author_id', position: 'author_position' },
    })
    expect(relationOf(definitions, 'author', 'articles')).toMatchObject({
      many: true,
      exclusive: true,
      inverse: 'author',
      storage: { kind: 'foreign', column: 'author_id', position: 'author_position' },
    })
  })

  it('of oneToOne is a foreign key of the owner, and is exclusive', () => {
    const definitions = twoWay('oneToOne', 'oneToOne')
    expect(relationOf(definitions, 'article', 'author')).toMatchObject({
      many: false,
      exclusive: true,
      storage: { kind: 'own', column: 'author_id', position: undefined },
    })
    expect(relationOf(definitions, 'author', 'articles')).toMatchObject({
      many: false,
      exclusive: true,
      storage: { kind: 'foreign', column: 'author_id', position: undefined },
    })
  })

  it('of manyToMany is a join table, ordered on both sides', () => {
    const definitions = twoWay('manyToMany', 'manyToMany')
    const storage = { kind: 'join', table: 'articles_author_links' }
    expect(relationOf(definitions, 'article', 'author')).toMatchObject({
      many: true,
      exclusive: false,
      storage: {
        ...storage,
        own: 'owner_id',
        target: 'target_id',
        position: 'position',
        inversePosition: 'inverse_position',
        owner: true,
      },
    })
    expect(relationOf(definitions, 'author', 'articles')).toMatchObject({
      many: true,
      exclusive: false,
      storage: {
        ...storage,
        own: 'target_id',
        target: 'owner_id',
        position: 'inverse_position',
        inversePosition: 'position',
        owner: false,
      },
    })
  })

  it('of one-way relations is not exclusive', () => {
    const of = (kind: string) =>
      relationOf([type('article', { other: relation(kind, 'tag') }), type('tag')], 'article', 'other')
    for (const kind of ['oneToOne', 'manyToOne']) {
      expect(of(kind)).toMatchObject({
        many: false,
        exclusive: false,
        inverse: undefined,
        storage: { kind: 'own', column: 'other_id', position: undefined },
      })
    }
    for (const kind of ['oneToMany', 'manyToMany']) {
      expect(of(kind)).toMatchObject({
        many: true,
        exclusive: false,
        storage: { kind: 'join', table: 'articles_other_links', inversePosition: undefined, owner: true },
      })
    }
  })

  it('supports relations to the same type', () => {
    const tree = [
      type('node', {
        parent: relation('manyToOne', 'node', { inversedBy: 'children' }),
        children: relation('oneToMany', 'node', { mappedBy: 'parent' }),
      }),
    ]
    expect(relationOf(tree, 'node', 'parent').storage).toMatchObject({ kind: 'own', column: 'parent_id' })
    expect(relationOf(tree, 'node', 'children').storage).toMatchObject({
      kind: 'foreign',
      column: 'parent_id',
    })
  })

  it('has names of at most 63 bytes', () => {
    const name = `r${'x'.repeat(48)}`
    const join = relationOf(
      [
        type('article', { [name]: relation('manyToMany', 'tag') }, { collectionName: 't'.repeat(63) }),
        type('tag'),
      ],
      'article',
      name,
    ).storage
    expect(join.kind === 'join' && join.table).toMatch(/^t{54}_[0-9a-f]{8}$/)
  })

  it('makes a second owner of one inverse side one-way, with a warning', () => {
    const { registry, warnings } = build([
      type('blog', {
        approver: relation('manyToOne', 'profile', { inversedBy: 'blogs' }),
        creator: relation('manyToOne', 'profile', { inversedBy: 'blogs' }),
      }),
      type('profile', { blogs: relation('oneToMany', 'blog', { mappedBy: 'creator' }) }),
    ])
    const blog = registry.contentType('api::blog.blog').attributes
    expect(blog.get('approver')).toMatchObject({
      inverse: undefined,
      storage: { kind: 'own', column: 'approver_id', position: undefined },
    })
    expect(blog.get('creator')).toMatchObject({ inverse: 'blogs', storage: { kind: 'own' } })
    expect(warnings).toEqual([
      'the relation api::blog.blog.approver is one-way: it has "inversedBy", but api::profile.profile.blogs leads back to creator. Remove "inversedBy", or name another attribute there',
    ])
  })

  it('of a plugin’s type is its link table, or a group key', () => {
    const { registry } = build(
      [
        type('file', {}, { uid: 'plugin::upload.file' }),
        type('article', {
          cover: { type: 'media' },
          gallery: { type: 'media', multiple: true },
          localizations: { type: 'localizations' },
        }),
      ],
      [part('shared.seo', { image: { type: 'media' } })],
      { types: [media, localizations] },
    )
    const attributes = registry.contentType('api::article.article').attributes
    expect(attributes.get('cover')).toMatchObject({
      typeName: 'media',
      target: 'plugin::upload.file',
      many: false,
      filterable: false,
      empty: 'null',
      storage: { kind: 'link', table: 'files_related', target: 'file_id' },
    })
    expect(attributes.get('gallery')).toMatchObject({ many: true })
    expect(attributes.get('localizations')).toMatchObject({
      target: 'api::article.article',
      many: true,
      storage: { kind: 'siblings', column: 'group_id' },
    })
  })
})

describe('an inverse side without its counterpart', () => {
  it.each(['oneToMany', 'oneToOne', 'manyToMany'])('is omitted with a warning: %s', (kind) => {
    const { registry, warnings } = build([
      type('article', { title: { type: 'string' }, writer: { type: 'string' } }),
      type('author', {
        name: { type: 'string' },
        articles: relation(kind, 'article', { mappedBy: 'writr' }),
      }),
    ])
    expect([...registry.contentType('api::author.author').attributes.keys()]).toEqual([
      'name',
      'createdAt',
      'updatedAt',
    ])
    expect(warnings).toEqual([
      'the relation api::author.author.articles is left out, since its other side is missing: mappedBy: api::article.article has no attribute "writr"; did you mean "writer"?',
    ])
  })

  it('with a missing content-type is a mistake', () => {
    expect(() =>
      build([type('author', { articles: relation('oneToMany', 'article', { mappedBy: 'author' }) })]),
    ).toThrow(/attributes\.articles\.target: there is no content-type "api::article\.article"/)
  })
})
