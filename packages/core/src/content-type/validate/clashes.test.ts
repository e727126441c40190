import { describe, it } from 'vitest'
import {
  type Attributes,
  expectMistakes,
  type MistakeCases,
  part,
  relation,
  type,
} from '../../../test/support/definitions.ts'

describe('buildRegistry refuses definitions that clash', () => {
  const article = (attributes: Attributes, keys: object = {}) => [type('article', attributes, keys)]

  const cases: MistakeCases = {
    'two of one uid, name, table': [
      [
        type('article'),
        type('article', {}, { collectionName: 'other' }),
        { ...type('story'), info: { singularName: 'story', pluralName: 'articles' } },
      ],
      [part('a.b', {}, { collectionName: 'ARTICLES' }), part('a.b', {}, { collectionName: 'x' })],
      /uid: the uid "api::article\.article" is taken/,
      /uid: the uid "a\.b" is taken/,
      /article: info\.singularName: the name "article" is taken by/,
      /article: info\.pluralName: the name "articles" is taken by/,
      /story: info\.pluralName: the name "articles" is taken by api::article\.article/,
      /story: collectionName: the table "articles" is taken by api::article\.article/,
      /a\.b: collectionName: the table "ARTICLES" is taken by api::article\.article/,
    ],
    'a singular that is the plural of another': [
      [
        type('news', {}, { info: { singularName: 'newss', pluralName: 'news' } }),
        type('x', {}, { info: { singularName: 'news', pluralName: 'xs' } }),
      ],
      [],
      /info\.singularName: the name "news" is taken by/,
    ],
    'a table that is the join table of another': [
      [type('a', { b: relation('manyToMany', 'a') }), type('x', {}, { collectionName: 'as_b_links' })],
      [],
      /api::a\.a|a: attributes\.b: its table "as_b_links" is taken by api::x\.x/,
    ],
    'columns that become one': [
      article({
        fooBar: { type: 'string' },
        foo_bar: { type: 'string' },
        author: relation('manyToOne', 'article'),
        authorId: { type: 'integer' },
      }),
      [],
      /attributes\.foo_bar: its column "foo_bar" is taken by the attribute "fooBar"; give "foo_bar" another one, such as "columnName": "foo_bar_value"/,
      /attributes\.authorId: its column "author_id" is taken by the attribute "author"; give "authorId" another one/,
    ],
    'a column of a relation that is taken by a value before it': [
      article({ authorId: { type: 'integer' }, author: relation('manyToOne', 'article') }),
      [],
      /attributes\.author: its column "author_id" is taken by the attribute "authorId"; give "authorId" another one, such as "columnName": "author_id_value"/,
    ],
    'names that are none of a column': [
      article({
        a: { type: 'string', columnName: 'Big' },
        b: { type: 'string', columnName: 'a-b' },
        c: { type: 'string', columnName: 1 } as never,
        d: { type: 'string', columnName: 'x'.repeat(64) },
        e: { ...relation('manyToOne', 'article'), columnName: 'e' } as never,
        f: { type: 'string', columnName: 'id' },
        g: { type: 'string', columnName: 'xmin' },
      }),
      [],
      /attributes\.a\.columnName: must be small letters, digits and _, with a letter first, at most 63 characters, not "Big"/,
      /attributes\.b\.columnName: must be small letters/,
      /attributes\.c\.columnName: must be small letters/,
      /attributes\.d\.columnName: must be small letters/,
      /attributes\.e\.columnName: is of attributes with a value of their own only/,
      /attributes\.f: its column "id" is taken by the id/,
      /attributes\.g\.columnName: "xmin" is a column that PostgreSQL gives every table/,
    ],
  }

  it.each(Object.entries(cases))('%s', (_name, mistakes) => expectMistakes(mistakes))
})
