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
      /attributes\.foo_bar: its column "foo_bar" is taken by the attribute "fooBar"/,
      /attributes\.authorId: its column "author_id" is taken by the attribute "author"/,
    ],
  }

  it.each(Object.entries(cases))('%s', (_name, mistakes) => expectMistakes(mistakes))
})
