import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { attributeOf, build, mistakesOf, part, relation, type } from '../../test/support/definitions.ts'
import { scalarTypes } from './attribute-types/table.ts'
import type { AttributeDefinition } from './definition/definition.ts'
import { loadContentTypes } from './definition/load.ts'
import { describe as describeModel } from './describe.ts'
import { buildRegistry } from './registry.ts'

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
    expect(() => registry.contentType('article')).toThrow('did you mean "api::article.article"?')
    expect(() => registry.contentType('api::artcle.article')).toThrow('did you mean "api::article.article"?')
    expect(() => registry.component('shared.sea')).toThrow('did you mean "shared.seo"?')
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

  it('of a relation of a component do not clash with the reference to the owner', () => {
    const owner = { type: 'relation', relation: 'oneToOne', target: 'api::a.a' } as const
    const types = [type('a', { title: { type: 'string' } })]
    const relation = attributeOf(types, 'shared.seo', 'owner', [part('shared.seo', { owner })])
    expect(relation).toMatchObject({ storage: { kind: 'own', column: 'attr_owner_id' } })
  })

  it('of a content-type may have the names that would clash in a component', () => {
    expect(attributeOf([type('a', { position: { type: 'integer' } })], 'api::a.a', 'position')).toMatchObject(
      { column: 'position' },
    )
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
