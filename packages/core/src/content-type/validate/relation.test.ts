import { describe, it } from 'vitest'
import {
  type Attributes,
  expectMistakes,
  type MistakeCases,
  part,
  relation,
  type,
} from '../../../test/support/definitions.ts'

describe('buildRegistry refuses, in a relation', () => {
  const article = (attributes: Attributes, keys: object = {}) => [type('article', attributes, keys)]
  const author = type('author', { name: { type: 'string' } })

  const cases: MistakeCases = {
    'a dangling target': [
      [...article({ a: relation('manyToOne', 'auther') }), author],
      [],
      /attributes\.a\.target: there is no content-type "api::auther\.auther"; did you mean "api::author\.author"\?/,
    ],
    'a target by its name': [
      [...article({ a: relation('manyToOne', 'x', { target: 'author' }) }), author],
      [],
      /attributes\.a\.target: there is no content-type "author"; did you mean "api::author\.author"\?/,
    ],
    'a target by its plural name': [
      [...article({ a: relation('manyToOne', 'x', { target: 'authors' }) }), author],
      [],
      /attributes\.a\.target: there is no content-type "authors"; did you mean "api::author\.author"\?/,
    ],
    'a target of an absent plugin': [
      article({ u: { type: 'relation', relation: 'oneToOne', target: 'plugin::users-permissions.user' } }),
      [],
      /attributes\.u\.target: .*the plugin users-permissions, which is not present/,
    ],
    'a target that is a component': [
      article({ a: { type: 'relation', relation: 'oneToOne', target: 'shared.seo' } }),
      [part('shared.seo')],
      /no content-type "shared\.seo"/,
    ],
    'no target and no kind': [
      article({ a: { type: 'relation' } }),
      [],
      /attributes\.a\.target: is missing/,
      /attributes\.a\.relation: is missing/,
    ],
    'an unknown kind of relation': [
      [...article({ a: relation('manyToone', 'author') }), author],
      [],
      /attributes\.a\.relation: .*did you mean "manyToOne"\?/,
    ],
    'a polymorphic relation with a target': [
      [...article({ a: relation('morphToOne', 'author') }), author],
      [],
      /attributes\.a\.target: a morphToOne leads to every content-type and takes no target/,
    ],
    'morphBy naming an attribute that is not polymorphic': [
      [...article({ a: relation('morphMany', 'author', { morphBy: 'articles' }) }), author],
      [],
      /attributes\.a\.morphBy: "articles" is no morphToOne or morphToMany of api::author\.author; there it would be/,
    ],
    'an inverse side without morphBy': [
      [...article({ a: relation('morphOne', 'author') }), author],
      [],
      /attributes\.a\.morphBy: is missing; it is the name of a morphToOne or morphToMany of api::author\.author/,
    ],
    'inversedBy without its counterpart': [
      [...article({ a: relation('manyToOne', 'author', { inversedBy: 'articles' }) }), author],
      [],
      /attributes\.a\.inversedBy: api::author\.author has no attribute "articles"; there it would be \{ "type": "relation", "relation": "oneToMany", "target": "api::article\.article", "mappedBy": "a" \}/,
    ],
    'a counterpart with another target': [
      [
        ...article({
          a: relation('manyToOne', 'author', { inversedBy: 'articles' }),
          b: relation('manyToOne', 'author'),
        }),
        type('author', { articles: relation('oneToMany', 'article', { mappedBy: 'b' }) }),
      ],
      [],
      /article.*attributes\.a\.inversedBy: api::author\.author\.articles does not lead back with "mappedBy": "a"/,
      /author.*attributes\.articles\.mappedBy: api::article\.article\.b does not lead back with "inversedBy": "articles"/,
    ],
    'a counterpart of another kind': [
      [
        ...article({ a: relation('manyToMany', 'author', { inversedBy: 'articles' }) }),
        type('author', { articles: relation('oneToMany', 'article', { mappedBy: 'a' }) }),
      ],
      [],
      /attributes\.a\.inversedBy: api::author\.author\.articles is "oneToMany" to "api::article\.article", and the other side of this one would be/,
    ],
    'a counterpart that is text': [
      [...article({ a: relation('manyToOne', 'author', { inversedBy: 'name' }) }), author],
      [],
      /api::author\.author\.name does not lead back/,
    ],
    'two owners': [
      [
        ...article({ a: relation('manyToMany', 'author', { inversedBy: 'b' }) }),
        type('author', { b: relation('manyToMany', 'article', { inversedBy: 'a' }) }),
      ],
      [],
      /author.*attributes\.b\.inversedBy: api::article\.article\.a has "inversedBy": "b" as well; this side would be \{ "type": "relation", "relation": "manyToMany", "target": "api::article\.article", "mappedBy": "a" \}/,
    ],
    'two inverse sides': [
      [
        ...article({ a: relation('oneToOne', 'author', { mappedBy: 'b' }) }),
        type('author', { b: relation('oneToOne', 'article', { mappedBy: 'a' }) }),
      ],
      [],
      /author.*attributes\.b\.mappedBy: api::article\.article\.a has "mappedBy": "b" as well; this side would be \{ .*, "inversedBy": "a" \}/,
    ],
    'two owners in one content-type': [
      article({
        a: relation('manyToMany', 'article', { inversedBy: 'b' }),
        b: relation('manyToMany', 'article', { inversedBy: 'a' }),
      }),
      [],
      /attributes\.b\.inversedBy: api::article\.article\.a has "inversedBy": "b" as well/,
    ],
    'two owners of other kinds': [
      [
        ...article({ a: relation('manyToMany', 'author', { inversedBy: 'b' }) }),
        type('author', { b: relation('oneToOne', 'article', { inversedBy: 'a' }) }),
      ],
      [],
      /attributes\.a\.inversedBy: .*does not lead back with "mappedBy": "a"/,
      /attributes\.b\.inversedBy: .*does not lead back with "mappedBy": "b"/,
    ],
    'owner and inverse at once': [
      [...article({ a: relation('manyToMany', 'author', { inversedBy: 'b', mappedBy: 'b' }) }), author],
      [],
      /attributes\.a\.mappedBy: is given together with inversedBy/,
    ],
    'an attribute that is its own other side': [
      article({ a: relation('oneToOne', 'article', { inversedBy: 'a' }) }),
      [],
      /attributes\.a\.inversedBy: .*does not lead back/,
    ],
    'the wrong side as owner': [
      [
        ...article({
          a: relation('oneToMany', 'author', { inversedBy: 'b' }),
          c: relation('manyToOne', 'author', { mappedBy: 'd' }),
        }),
        author,
      ],
      [],
      /attributes\.a\.inversedBy: .*use mappedBy/,
      /attributes\.c\.mappedBy: .*use inversedBy/,
    ],
    'a two-way relation in a component': [
      [author],
      [part('shared.by', { a: relation('manyToOne', 'author', { inversedBy: 'b' }) })],
      /shared\.by: attributes\.a\.inversedBy: a relation in a component is one-way/,
    ],
  }

  it.each(Object.entries(cases))('%s', (_name, mistakes) => expectMistakes(mistakes))
})
