import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeType, LinkType, SiblingsType } from './attribute-type.ts'
import { scalarTypes } from './attribute-types/table.ts'
import type { AttributeDefinition, ComponentDefinition, ContentTypeDefinition } from './definition.ts'
import { DefinitionError } from './definition-error.ts'
import { describe as describeModel } from './describe.ts'
import { loadContentTypes } from './load.ts'
import type { Attribute, RelationAttribute } from './model.ts'
import { buildRegistry } from './registry.ts'
import { withSource } from './source.ts'

type Attributes = Readonly<Record<string, AttributeDefinition>>

const type = (
  singularName: string,
  attributes: Attributes = {},
  keys: object = {},
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName: `${singularName}s` },
  attributes,
  ...keys,
})

const part = (uid: string, attributes: Attributes = {}, keys: object = {}): ComponentDefinition => ({
  uid,
  attributes,
  ...keys,
})

const relation = (kind: string, target: string, keys: object = {}): AttributeDefinition => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...keys,
})

const one = (component: string, keys: object = {}): AttributeDefinition => ({
  type: 'component',
  component,
  ...keys,
})

const media: LinkType = {
  kind: 'link',
  name: 'media',
  target: 'plugin::upload.file',
  table: 'files_related',
  column: 'file_id',
  many: (definition) => definition.multiple === true,
  filterable: false,
  empty: 'null',
  check: (definition) =>
    definition.allowedTypes === 5 ? [{ path: ['allowedTypes'], message: 'must be a list' }] : [],
}

const localizations: SiblingsType = { kind: 'siblings', name: 'localizations', column: 'group_id' }

interface Options {
  readonly types?: readonly AttributeType[]
  readonly absentTypes?: Readonly<Record<string, string>>
}

const build = (
  contentTypes: readonly unknown[],
  components: readonly unknown[] = [],
  { types = [], absentTypes }: Options = {},
) =>
  buildRegistry({
    // The types would reject the mistakes under test.
    contentTypes: contentTypes as readonly ContentTypeDefinition[],
    components: components as readonly ComponentDefinition[],
    attributeTypes: new Map<string, AttributeType>([
      ...scalarTypes,
      ...types.map((extra) => [extra.name, extra] as const),
    ]),
    ...(absentTypes && { absentTypes }),
  })

/** `source: path: message` of all mistakes. */
const mistakesOf = (
  contentTypes: readonly unknown[],
  components: readonly unknown[] = [],
  options: Options = {},
): readonly string[] => {
  try {
    build(contentTypes, components, options)
    return []
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
    return error.mistakes.map(({ source, path, message }) =>
      [source, path, message].filter((text) => text !== '').join(': '),
    )
  }
}

const attributeOf = (
  definitions: readonly unknown[],
  uid: string,
  name: string,
  components: readonly unknown[] = [],
): Attribute => {
  const attribute = build(definitions, components).registry.model(uid).attributes.get(name)
  if (!attribute) throw new Error(`no ${uid}.${name}`)
  return attribute
}

const relationOf = (definitions: readonly unknown[], singular: string, name: string): RelationAttribute => {
  const attribute = attributeOf(definitions, `api::${singular}.${singular}`, name)
  if (attribute.kind !== 'relation') throw new Error(`${name} is no relation`)
  return attribute
}

describe('a registry', () => {
  it('adds the defaults of a definition', () => {
    const { registry, warnings } = build(
      [type('reading-list', { metaTitle: { type: 'string', private: true }, secret: { type: 'password' } })],
      [part('shared.open-graph', { title: { type: 'string' } })],
    )
    expect(warnings).toEqual([])
    const list = registry.contentType('api::reading-list.reading-list')
    expect(list).toMatchObject({
      table: 'reading_lists',
      displayName: 'reading-list',
      options: {},
      pluginOptions: {},
      kind: 'collectionType',
    })
    expect([...list.attributes.keys()]).toEqual(['metaTitle', 'secret', 'createdAt', 'updatedAt'])
    expect(list.attributes.get('metaTitle')).toMatchObject({
      kind: 'scalar',
      column: 'meta_title',
      private: true,
    })
    expect(list.attributes.get('secret')).toMatchObject({ private: true })
    expect(list.id).toMatchObject({ name: 'id', column: 'id', private: false })
    const graph = registry.component('shared.open-graph')
    expect(graph).toMatchObject({
      table: 'components_shared_open_graph',
      category: 'shared',
      name: 'open-graph',
    })
    expect([...graph.attributes.keys()]).toEqual(['title'])
    expect([describeModel(list), describeModel(graph)]).toEqual(['reading-list', 'shared.open-graph'])
  })

  it('preserves unknown keys and explicit names', () => {
    const { registry } = build([
      type(
        'article',
        { title: { type: 'string', anything: [1] } },
        {
          uid: 'api::blog.post',
          collectionName: 'Posts',
          other: { deep: true },
          options: { draftAndPublish: true },
          // A file: in code they are mistakes.
          [Symbol.for('octavo.source')]: 'article.json',
        },
      ),
    ])
    const article = registry.contentType('api::blog.post')
    expect(article.table).toBe('Posts')
    expect(article.definition.other).toEqual({ deep: true })
    expect(article.options).toEqual({ draftAndPublish: true })
    expect(article.attributes.get('title')?.definition.anything).toEqual([1])
  })

  it('finds types by path, case-insensitively: plural, or singular of a single type', () => {
    const { registry } = build([
      type('article'),
      type('home', {}, { kind: 'singleType' }),
      type('file', {}, { uid: 'plugin::upload.file' }),
    ])
    expect(registry.byRoute('ARTICLES')?.uid).toBe('api::article.article')
    expect(registry.byRoute('home')?.uid).toBe('api::home.home')
    for (const name of ['article', 'homes', 'files', '__proto__', 'constructor', ''])
      expect(registry.byRoute(name)).toBeUndefined()
  })

  it('throws for an unknown uid', () => {
    const { registry } = build([type('article')], [part('shared.seo')])
    expect(() => registry.contentType('shared.seo')).toThrow('no content-type "shared.seo"')
    expect(() => registry.model('api::x.x')).toThrow('"api::x.x"')
    expect(registry.model('shared.seo').kind).toBe('component')
  })

  it('is immutable and independent of its input', () => {
    const attributes: Record<string, AttributeDefinition> = {
      title: { type: 'string', pluginOptions: { a: { b: 1 } } },
    }
    const given = type('article', attributes)
    const { registry } = build([given])
    attributes.title = { type: 'integer' }
    const article = registry.contentType('api::article.article')
    const title = article.attributes.get('title')
    expect(title?.definition.type).toBe('string')
    for (const value of [
      registry,
      article,
      title,
      title?.definition,
      title?.definition.pluginOptions,
      article.definition,
      article.definition.info,
    ]) {
      expect(Object.isFrozen(value)).toBe(true)
    }
    expect(Object.isFrozen(given)).toBe(false)
    for (const map of [registry.contentTypes, registry.components, article.attributes]) {
      // Valid in JavaScript, rejected by TypeScript.
      expect(() => (map as Map<string, unknown>).set('x', 1)).toThrow(TypeError)
      expect(() => (map as Map<string, unknown>).clear()).toThrow(TypeError)
    }
  })

  it('treats null as absent, as the editor of existing schemas writes it', () => {
    expect(
      mistakesOf([
        type(
          'article',
          {
            a: relation('manyToOne', 'article', { inversedBy: null, mappedBy: null }),
            s: { type: 'string', required: null, minLength: null, default: null } as never,
          },
          { uid: null, collectionName: null, pluginOptions: null },
        ),
      ]),
    ).toEqual([])
  })
})

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

describe('columns', () => {
  it('of a component do not clash with those of its owner reference', () => {
    const parts = [
      part('shared.seo', {
        field: { type: 'string' },
        position: { type: 'integer' },
        ownerType: { type: 'string' },
      }),
    ]
    const columns = ['field', 'position', 'ownerType'].map((name) => {
      const attribute = attributeOf([], 'shared.seo', name, parts)
      return attribute.kind === 'scalar' && attribute.column
    })
    expect(columns).toEqual(['attr_field', 'attr_position', 'attr_owner_type'])
  })

  it('of a content-type do not', () => {
    expect(attributeOf([type('a', { position: { type: 'integer' } })], 'api::a.a', 'position')).toMatchObject(
      { column: 'position' },
    )
  })
})

describe('indexes', () => {
  const thing = (indexes: unknown, attributes: object = {}) => ({
    kind: 'collectionType',
    info: { singularName: 'thing', pluralName: 'things' },
    options: { indexes },
    attributes: {
      title: { type: 'string' },
      body: { type: 'richtext' },
      data: { type: 'json' },
      kind: { type: 'enumeration', enum: ['a'] },
      owner: { type: 'relation', relation: 'manyToOne', target: 'api::thing.thing' },
      many: { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing' },
      ...attributes,
    },
  })

  it('can include scalars, foreign keys, the id and the timestamps', () => {
    const { registry } = build([
      thing([{ attributes: ['kind', 'owner', 'createdAt', 'id'] }, { attributes: ['title'], unique: true }]),
    ])
    const { indexes } = registry.model('api::thing.thing')
    expect(indexes.map(({ attributes, unique }) => [attributes.map(({ name }) => name), unique])).toEqual([
      [['kind', 'owner', 'createdAt', 'id'], false],
      [['title'], true],
    ])
  })
  it.each([
    ['title', 'options.indexes: must be a list of { attributes: [names] }, not "title"'],
    [['title'], 'options.indexes.0: must be an object such as { "attributes": ["title"] }, not "title"'],
    [
      [{ attributes: [] }],
      'options.indexes.0.attributes: must be a list of at least one name of an attribute',
    ],
    [
      [{ attributes: ['titel'] }],
      'options.indexes.0.attributes.0: "titel" is no attribute; did you mean "title"?',
    ],
    [[{ attributes: ['title', 'title'] }], 'options.indexes.0.attributes.1: "title" is named twice'],
    [
      [{ attributes: ['body'] }],
      'options.indexes.0.attributes.0: "body" is a richtext, which is too long for an index',
    ],
    [
      [{ attributes: ['data'] }],
      'options.indexes.0.attributes.0: "data" is a json, which nobody filters or sorts by',
    ],
    [
      [{ attributes: ['many'] }],
      'options.indexes.0.attributes.0: "many" has no column in this table; only values and to-one relations have',
    ],
    [
      [{ attributes: ['owner'], unique: true }],
      'options.indexes.0.attributes.0: "owner" is a relation, of which no unique index is made',
    ],
    [[{ attributes: ['title'], unique: 1 }], 'options.indexes.0.unique: must be true or false, not 1'],
    [
      [{ attributes: ['title'], name: 'x' }],
      'options.indexes.0.name: is not known; an index has attributes, and unique',
    ],
    [
      [{ attributes: ['title'] }, { attributes: ['title'] }],
      'options.indexes.1: there is an index of title already',
    ],
  ])('as in %j are refused', (indexes, mistake) => {
    expect(mistakesOf([thing(indexes)])).toEqual([`thing: ${mistake}`])
  })
})

describe('mistakes', () => {
  const article = (attributes: Attributes, keys: object = {}) => [type('article', attributes, keys)]
  const author = type('author', { name: { type: 'string' } })

  const cases: Readonly<Record<string, readonly [readonly unknown[], readonly unknown[], ...RegExp[]]>> = {
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
    'a uid of nothing': [
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
    'a dangling target': [
      [...article({ a: relation('manyToOne', 'auther') }), author],
      [],
      /attributes\.a\.target: there is no content-type "api::auther\.auther"; did you mean "api::author\.author"\?/,
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
    'a way back to what is no polymorphic relation': [
      [...article({ a: relation('morphMany', 'author', { morphBy: 'articles' }) }), author],
      [],
      /attributes\.a\.morphBy: "articles" is no morphToOne or morphToMany of api::author\.author; there it would be/,
    ],
    'a way back without a name': [
      [...article({ a: relation('morphOne', 'author') }), author],
      [],
      /attributes\.a\.morphBy: is missing; it is the name of a morphToOne or morphToMany of api::author\.author/,
    ],
    'inversedBy without its counterpart': [
      [...article({ a: relation('manyToOne', 'author', { inversedBy: 'articles' }) }), author],
      [],
      /attributes\.a\.inversedBy: api::author\.author has no attribute "articles"; there it would be \{ "type": "relation", "relation": "oneToMany", "target": "api::article\.article", "mappedBy": "a" \}/,
    ],
    'a counterpart that leads elsewhere': [
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
      /attributes\.a\.inversedBy: .*does not lead back with "mappedBy": "a"/,
      /attributes\.b\.inversedBy: .*does not lead back with "mappedBy": "b"/,
    ],
    'owner and inverse at once': [
      [...article({ a: relation('manyToMany', 'author', { inversedBy: 'b', mappedBy: 'b' }) }), author],
      [],
      /attributes\.a\.mappedBy: stands beside inversedBy/,
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
    'an unknown component': [
      article({
        a: one('shared.soe'),
        z: { type: 'dynamiczone', components: ['shared.seo', 'shared.nope', 5] },
        n: { type: 'component' },
      }),
      [part('shared.seo')],
      /attributes\.a\.component: there is no component "shared\.soe"; did you mean "shared\.seo"\?/,
      /attributes\.z\.components\.1: there is no component "shared\.nope"/,
      /attributes\.z\.components\.2: must be the uid/,
      /attributes\.n\.component: must be the uid/,
    ],
    'an empty zone': [
      article({ z: { type: 'dynamiczone', components: [] }, y: { type: 'dynamiczone' } }),
      [],
      /attributes\.z\.components: must list/,
      /attributes\.y\.components: must list/,
    ],
    'a component twice in a zone': [
      article({ z: { type: 'dynamiczone', components: ['a.b', 'a.b'] } }),
      [part('a.b')],
      /attributes\.z\.components\.1: "a\.b" is listed twice/,
    ],
    'bounds of a list': [
      article({ r: one('a.b', { repeatable: true, min: 3, max: 1 }), s: one('a.b', { repeatable: 'yes' }) }),
      [part('a.b')],
      /attributes\.s\.repeatable: must be true or false/,
      /attributes\.r\.min: must not be greater than max/,
    ],
    'a component without uid': [
      [],
      [{ attributes: {} }, part('noname'), part('a.b.c')],
      /^components\[0\]: uid: must look like shared\.seo/,
      /^noname: uid/,
      /^a\.b\.c: uid/,
    ],
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
    'a uid of another form': [
      article({}, { uid: 'article' }),
      [],
      /uid: must look like api::article\.article, not "article"/,
    ],
    'what is circular': [[circular()], [], /cannot be read: nests deeper than 64 levels, or is circular/],
    'what throws when it is read': [
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

  it.each(Object.entries(cases))('%s', (_name, [contentTypes, components, ...patterns]) => {
    const mistakes = mistakesOf(contentTypes, components, { types: [media, localizations] })
    for (const pattern of patterns)
      expect(
        mistakes.filter((mistake) => pattern.test(mistake)),
        String(pattern),
      ).toHaveLength(1)
    expect(mistakes).toHaveLength(patterns.length)
  })

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

describe('S-17: names and options with SQL in them', () => {
  const evil = [
    'a"; drop table x; --',
    "a'b",
    'a b',
    'a;b',
    'a.b',
    'a$b',
    'a\0b',
    'a\nb',
    'é',
    '',
    ' ',
    '1a',
    '_a',
    '-a',
    'a`',
    'a)',
    '__component',
    '__proto__',
    'x'.repeat(51),
  ]
  const reserved = [
    'id',
    'ID',
    'meta',
    'createdAt',
    'created_at',
    'updatedAt',
    'createdBy',
    'updated_by',
    'createdById',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'prototype',
  ]

  it.each([...evil, ...reserved])('the attribute %j', (name) => {
    const attributes = Object.fromEntries([[name, { type: 'string' }]])
    for (const mistakes of [mistakesOf([type('a', attributes)]), mistakesOf([], [part('a.b', attributes)])]) {
      expect(mistakes).toHaveLength(1)
      expect(mistakes[0]).not.toContain('\n')
      expect(mistakes[0]).toMatch(/is no name|is too long|is a reserved name/)
    }
  })

  it.each([
    ...evil.filter((name) => !['_a', '__proto__', '__component', 'x'.repeat(51)].includes(name)),
    'pg_class',
    'PG_x',
    'octavo_schema',
    'mikro_orm_migrations',
    'x'.repeat(64),
    5,
    {},
  ])('the table %j', (collectionName) => {
    const [mistake, ...more] = mistakesOf([type('a', {}, { collectionName })])
    expect(mistake).toMatch(/^a: collectionName: /)
    expect(more).toEqual([])
  })

  it.each(evil)('the name %j of a type', (name) => {
    expect(mistakesOf([{ ...type('x'), info: { singularName: name, pluralName: 'xs' } }]).length).toBe(1)
    expect(mistakesOf([type('x', {}, { uid: `api::${name}.x"` })]).length).toBe(1)
    expect(mistakesOf([], [part(`shared.${name}"`)]).length).toBe(1)
  })

  it('accepts keywords of PostgreSQL, since everything is quoted', () => {
    const names = ['select', 'order', 'group', 'user', 'table', 'from', 'where', 'null', 'count', 'fields']
    expect(
      mistakesOf(
        names.map((name) =>
          type(name, Object.fromEntries(names.map((attribute) => [attribute, { type: 'string' }]))),
        ),
      ),
    ).toEqual([])
  })
})

describe('cyclic components', () => {
  const required = { required: true }

  it('are rejected when no entry can be complete', () => {
    const ring = [
      part('a.a', { b: one('a.b', required) }),
      part('a.b', { c: one('a.c', { ...required, repeatable: true }) }),
      part('a.c', { z: { type: 'dynamiczone', components: ['a.a', 'a.b'], ...required } }),
    ]
    const mistakes = mistakesOf([], ring)
    expect(mistakes).toHaveLength(3)
    expect(mistakes[0]).toMatch(/^a\.a: attributes\.b: requires a\.b, which requires a\.a again without end/)
  })

  it.each([
    ['the link is optional', [part('a.a', { b: one('a.b', required) }), part('a.b', { a: one('a.a') })]],
    ['a list may be empty', [part('a.a', { children: one('a.a', { repeatable: true }) })]],
    [
      'a zone has another way out',
      [part('a.a', { z: { type: 'dynamiczone', components: ['a.a', 'a.b'], ...required } }), part('a.b')],
    ],
  ])('are valid when %s', (_, components) => {
    expect(mistakesOf([], components)).toEqual([])
  })
})

describe('missing types', () => {
  it('are omitted with one warning that names the plugin', () => {
    const { registry, warnings } = build(
      [type('a', { cover: { type: 'media' }, title: { type: 'string' }, gallery: { type: 'media' } })],
      [part('a.b', { image: { type: 'media' } })],
      { absentTypes: { media: '@octavo/plugin-upload' } },
    )
    expect(warnings).toEqual([
      '3 attributes of type media are left out, since @octavo/plugin-upload is not present: api::a.a.cover, api::a.a.gallery, a.b.image',
    ])
    expect([...registry.contentType('api::a.a').attributes.keys()]).toEqual([
      'title',
      'createdAt',
      'updatedAt',
    ])
  })

  it('are treated as the base type of a custom field, with a warning', () => {
    const { registry, warnings } = build([
      type('a', {
        color: { type: 'customField', customField: 'plugin::color-picker.color' },
        other: { type: 'customField', customField: 'plugin::color-picker.color' },
        map: { type: 'json', customField: 'plugin::map.map' },
      }),
    ])
    const types = [...registry.contentType('api::a.a').attributes.values()].map(
      (attribute) => attribute.kind === 'scalar' && attribute.type.name,
    )
    expect(types).toEqual(['string', 'string', 'json', 'datetime', 'datetime'])
    expect(warnings).toEqual([
      'the custom field plugin::color-picker.color is treated as string in 2 attributes: api::a.a.color, api::a.a.other',
      'the custom field plugin::map.map is treated as json in 1 attribute: api::a.a.map',
    ])
  })
})

describe('arbitrary definitions', () => {
  /** A valid definition, to be changed in one place. */
  const sound = {
    contentTypes: [
      type('article', {
        title: { type: 'string', required: true, maxLength: 5 },
        kind: { type: 'enumeration', enum: ['a'] },
        author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
        seo: one('shared.seo'),
        zone: { type: 'dynamiczone', components: ['shared.seo'] },
        slug: { type: 'uid', targetField: 'title' },
        cover: { type: 'media' },
      }),
      type('author', { articles: relation('oneToMany', 'article', { mappedBy: 'author' }) }),
      type('file', {}, { uid: 'plugin::upload.file' }),
    ],
    components: [part('shared.seo', { title: { type: 'string', default: 'x' } })],
  }
  const words = fc.constantFrom(
    'string',
    'relation',
    'component',
    'media',
    'customField',
    'manyToMany',
    'api::author.author',
    'shared.seo',
    'articles',
    'author',
    'title',
    'id',
    '__proto__',
  )
  const anything = fc.oneof(
    words,
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
      withObjectString: true,
    }),
  )
  const attempt = (contentTypes: unknown, components: unknown): void => {
    try {
      build(contentTypes as unknown[], components as unknown[], { types: [media, localizations] })
    } catch (error) {
      expect(error).toBeInstanceOf(DefinitionError)
      expect(error instanceof DefinitionError && error.mistakes.length).toBeGreaterThan(0)
    }
  }

  it('are valid before the change', () => {
    expect(mistakesOf(sound.contentTypes, sound.components, { types: [media] })).toEqual([])
  })

  it('give a registry or a DefinitionError', () => {
    fc.assert(fc.property(anything, anything, attempt), { numRuns: 300 })
    fc.assert(fc.property(fc.array(anything), fc.array(anything), attempt), { numRuns: 300 })
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            info: fc.record({
              singularName: fc.constantFrom('a', 'b'),
              pluralName: fc.constantFrom('as', 'bs'),
            }),
            attributes: fc.dictionary(
              fc.oneof(words, fc.string()),
              fc.oneof(
                anything,
                fc.record(
                  { type: words, relation: words, target: words, mappedBy: words },
                  { requiredKeys: ['type'] },
                ),
              ),
            ),
          }),
        ),
        (contentTypes) => attempt(contentTypes, []),
      ),
      { numRuns: 500 },
    )
  })

  it('give the same for a valid definition with one change', () => {
    const paths = [...leaves(sound)]
    fc.assert(
      fc.property(fc.constantFrom(...paths), anything, (path, value) => {
        const spoilt = structuredClone(sound) as Record<string, unknown>
        const key = path.at(-1) ?? ''
        const holder = path
          .slice(0, -1)
          .reduce<Record<string, unknown>>((at, step) => at[step] as Record<string, unknown>, spoilt)
        Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
        attempt(spoilt.contentTypes, spoilt.components)
      }),
      { numRuns: 1_000 },
    )
  })
})

/** All paths in plain data. */
function* leaves(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path
  if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) yield* leaves(item, [...path, key])
}

function circular(): unknown {
  const definition: Record<string, unknown> = { ...type('a') }
  definition.self = definition
  return definition
}

const recorded = fileURLToPath(new URL('../../../../conformance/schemas', import.meta.url))

describe('the recorded content model', () => {
  it('loads completely', () => {
    const loaded = loadContentTypes(recorded)
    const { registry, warnings } = buildRegistry({
      ...loaded,
      attributeTypes: scalarTypes,
      absentTypes: { media: 'upload' },
    })
    expect(registry.contentTypes.size).toBe(loaded.contentTypes.length)
    expect(registry.components.size).toBe(loaded.components.length)
    expect(registry.contentTypes.size).toBeGreaterThan(0)
    expect(warnings).toHaveLength(1)
    expect(registry.byRoute('restaurants')?.attributes.get('rating')).toMatchObject({
      kind: 'scalar',
      type: { name: 'decimal' },
    })
  })
})

describe('14.10: an inverse side without its counterpart', () => {
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
