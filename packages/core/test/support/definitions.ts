/** Short forms of definitions, and helpers that build them, for the tests of `content-type`. */
import { expect } from 'vitest'
import type { AttributeType, LinkType, SiblingsType } from '../../src/content-type/attribute-type.ts'
import { scalarTypes } from '../../src/content-type/attribute-types/table.ts'
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
} from '../../src/content-type/definition/definition.ts'
import { DefinitionError } from '../../src/content-type/definition/definition-error.ts'
import type { Attribute, RelationAttribute } from '../../src/content-type/model.ts'
import { buildRegistry } from '../../src/content-type/registry.ts'

export type Attributes = Readonly<Record<string, AttributeDefinition>>

export const type = (
  singularName: string,
  attributes: Attributes = {},
  keys: object = {},
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName: `${singularName}s` },
  attributes,
  ...keys,
})

export const part = (uid: string, attributes: Attributes = {}, keys: object = {}): ComponentDefinition => ({
  uid,
  attributes,
  ...keys,
})

export const relation = (kind: string, target: string, keys: object = {}): AttributeDefinition => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...keys,
})

export const one = (component: string, keys: object = {}): AttributeDefinition => ({
  type: 'component',
  component,
  ...keys,
})

export const media: LinkType = {
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

export const localizations: SiblingsType = { kind: 'siblings', name: 'localizations', column: 'group_id' }

export interface Options {
  readonly types?: readonly AttributeType[]
  readonly absentTypes?: Readonly<Record<string, string>>
}

export const build = (
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
export const mistakesOf = (
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

export const attributeOf = (
  definitions: readonly unknown[],
  uid: string,
  name: string,
  components: readonly unknown[] = [],
): Attribute => {
  const attribute = build(definitions, components).registry.model(uid).attributes.get(name)
  if (!attribute) throw new Error(`no ${uid}.${name}`)
  return attribute
}

export const relationOf = (
  definitions: readonly unknown[],
  singular: string,
  name: string,
): RelationAttribute => {
  const attribute = attributeOf(definitions, `api::${singular}.${singular}`, name)
  if (attribute.kind !== 'relation') throw new Error(`${name} is no relation`)
  return attribute
}

/** By name: the content-types, the components, and one pattern for each mistake. */
export type MistakeCases = Readonly<
  Record<
    string,
    readonly [contentTypes: readonly unknown[], components: readonly unknown[], ...patterns: RegExp[]]
  >
>

/** Expects exactly one mistake for each pattern. */
export function expectMistakes([contentTypes, components, ...patterns]: MistakeCases[string]): void {
  const mistakes = mistakesOf(contentTypes, components, { types: [media, localizations] })
  for (const pattern of patterns)
    expect(
      mistakes.filter((mistake) => pattern.test(mistake)),
      String(pattern),
    ).toHaveLength(1)
  expect(mistakes).toHaveLength(patterns.length)
}
