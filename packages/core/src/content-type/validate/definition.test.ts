import { describe, expect, it } from 'vitest'
import {
  type Attributes,
  build,
  expectMistakes,
  type MistakeCases,
  part,
  relation,
  type,
} from '../../../test/support/definitions.ts'
import { withSource } from '../definition/source.ts'

describe('buildRegistry refuses, in a definition', () => {
  const article = (attributes: Attributes, keys: object = {}) => [type('article', attributes, keys)]

  const cases: MistakeCases = {
    'not an object': [
      [5, null, []],
      ['x'],
      /^contentTypes\[0\]: must be an object, not 5/,
      /^contentTypes\[1\]: .*null/,
      /^contentTypes\[2\]: .*a list/,
      /^components\[0\]: .*"x"/,
    ],
    'a hole in the list': [Array(1), [], /contentTypes\[0\]: must be an object, not undefined/],
    'no info': [
      [{ kind: 'collectionType', attributes: {} }],
      [],
      /: info: must be an object with singularName/,
    ],
    'no names': [
      [{ info: {}, attributes: {} }],
      [],
      /info\.singularName: is missing/,
      /info\.pluralName: is missing/,
    ],
    'names that are not kebab-case': [
      [type('Article'), { ...type('x'), info: { singularName: 'x', pluralName: 'x_s' } }],
      [],
      /info\.singularName: must be kebab-case.*"Article"/,
      /info\.pluralName: must be kebab-case.*"Articles"/,
      /info\.pluralName: .*"x_s"/,
    ],
    'an unknown kind': [
      article({}, { kind: 'collectiontype' }),
      [],
      /^article: kind: .*did you mean "collectionType"/,
    ],
    'no attributes': [article({}, { attributes: undefined }), [], /article: attributes: is missing/],
    'attributes in a list': [article([] as never), [], /article: attributes: must be an object, not a list/],
    'an attribute that is text': [
      article({ a: 'string' as never }),
      [],
      /attributes\.a: must be an object with a type, not "string"/,
    ],
    'an attribute without type': [article({ a: {} as never }), [], /attributes\.a\.type: is missing/],
    'a time that is none from which an entry is public': [
      article({
        from: { type: 'date', publicFrom: true },
        to: { type: 'datetime', publicFrom: 'yes' as never },
      }),
      [],
      /attributes\.from\.publicFrom: is of attributes of the type "datetime", not of "date"/,
      /attributes\.to\.publicFrom: must be true or false, not "yes"/,
    ],
    'an unknown type': [
      article({ a: { type: 'strng' } }),
      [],
      /attributes\.a\.type: there is no attribute type "strng"; did you mean "string"\?/,
    ],
    'a type of Object.prototype': [
      article({ a: { type: 'constructor' } }),
      [],
      /attributes\.a\.type: there is no attribute type "constructor"/,
    ],
    'a type nothing like any': [article({ a: { type: 'colour-wheel' } }), [], /there are string, text, /],
    'a flag that is text': [
      article({ a: { type: 'string', required: 'yes' as never } }),
      [],
      /attributes\.a\.required: must be true or false, not "yes"/,
    ],
    'options that are text': [
      article({ a: { type: 'string', pluginOptions: 'x' as never } }, { options: 5 }),
      [],
      /article: options: must be an object/,
      /attributes\.a\.pluginOptions: must be an object/,
    ],
    'a default that no client could send': [
      article({
        n: { type: 'integer', default: 'x' },
        e: { type: 'enumeration', enum: ['a'], default: 'b' },
        s: { type: 'string', default: 'x', minLength: 2 },
        f: { type: 'boolean', default: () => true },
      }),
      [],
      /attributes\.n\.default: must be a whole number, not "x"/,
      /attributes\.e\.default: must be one of the following values: a/,
      /attributes\.s\.default: must be at least 2/,
    ],
    'keys of a type': [
      article({ e: { type: 'enumeration' }, s: { type: 'string', minLength: 'x' } }),
      [],
      /attributes\.e\.enum: must list/,
      /attributes\.s\.minLength: must be a whole number/,
    ],
    'a uid without a name': [
      article({
        slug: { type: 'uid', targetField: 'titel' },
        title: { type: 'string' },
        link: { type: 'uid', targetField: 'self' },
        self: relation('oneToOne', 'article'),
        bad: { type: 'uid', targetField: 5 },
      }),
      [],
      /attributes\.slug\.targetField: there is no attribute "titel"; did you mean "title"\?/,
      /attributes\.link\.targetField: "self" is no text/,
      /attributes\.bad\.targetField: must be the name/,
    ],
    'a link type without its content-type': [
      [type('a', { cover: { type: 'media' } })],
      [],
      /attributes\.cover\.type: the type media leads to plugin::upload\.file/,
    ],
    'keys of a link type': [
      [
        type('file', {}, { uid: 'plugin::upload.file' }),
        type('a', { cover: { type: 'media', allowedTypes: 5 } }),
      ],
      [],
      /attributes\.cover\.allowedTypes: must be a list/,
    ],
    'siblings of a component': [
      [],
      [part('a.b', { l: { type: 'localizations' } })],
      /attributes\.l\.type: .*a component has no siblings/,
    ],
    'names of other attributes that are none': [
      article({
        a: { type: 'string', unique: true, uniqueWithin: 'b' as never },
        b: { type: 'string', unique: true, uniqueWithin: [5] as never },
        c: { type: 'string', renamedFrom: 5 as never },
      }),
      [],
      /attributes\.a\.uniqueWithin: must be a list of names of attributes, not "b"/,
      /attributes\.b\.uniqueWithin: must be a list of names of attributes, not a list/,
      /attributes\.c\.renamedFrom: must be the name that the attribute had, not 5/,
    ],
    'scopes of uniqueness that compare no rows': [
      article({
        a: { type: 'string', unique: true, uniqueWithin: ['regoin', 'region'] },
        b: { type: 'string', uniqueWithin: ['region'] },
        c: { type: 'string', unique: true, uniqueWithin: ['notes', 'shop', 'secret'] },
        region: { type: 'string' },
        notes: { type: 'json' },
        secret: { type: 'password' },
        shop: { type: 'relation', relation: 'manyToOne', target: 'api::article.article' },
      }),
      [],
      /attributes\.a\.uniqueWithin\.0: there is no attribute "regoin"; did you mean "region"\?/,
      /attributes\.b\.uniqueWithin: has no effect without "unique": true/,
      /attributes\.c\.uniqueWithin\.0: "notes" is no value that rows are compared by/,
      /attributes\.c\.uniqueWithin\.1: "shop" is no value/,
      /attributes\.c\.uniqueWithin\.2: "secret" is no value/,
    ],
    'a uid of another form': [
      article({}, { uid: 'article' }),
      [],
      /uid: must look like api::article\.article, not "article"/,
    ],
    'a circular definition': [
      [circular()],
      [],
      /cannot be read: nests deeper than 64 levels, or is circular/,
    ],
    'a definition that throws when it is read': [
      [
        Object.defineProperty({}, 'kind', {
          enumerable: true,
          get: () => {
            throw new Error('no')
          },
        }),
      ],
      [],
      /cannot be read: no/,
    ],
  }

  it.each(Object.entries(cases))('%s', (_name, mistakes) => expectMistakes(mistakes))

  it('are reported together, with the file', () => {
    const definition = withSource(
      type('article', {
        a: { type: 'nope' },
        b: relation('x', 'y'),
        c: { type: 'enumeration', enum: ['a', 'a'] },
      }),
      'content-types/article.json',
    )
    expect(() => build([definition])).toThrow(
      /^4 mistakes in the content-types:\n {2}content-types\/article\.json: attributes\.a\.type: [\s\S]*\n {2}content-types\/article\.json: attributes\.c\.enum\.1: "a" is listed twice$/,
    )
  })
})

function circular(): unknown {
  const definition: Record<string, unknown> = { ...type('a') }
  definition.self = definition
  return definition
}
