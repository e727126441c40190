import type { AttributeType } from '../../src/content-type/attribute-type.ts'
import { scalarTypes } from '../../src/content-type/attribute-types/table.ts'
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
} from '../../src/content-type/definition/definition.ts'
import type { Registry } from '../../src/content-type/model.ts'
import { buildRegistry } from '../../src/content-type/registry.ts'

/** A collection type named `name`, `api::name.name`, with the plural `names`. */
export const collection = (
  name: string,
  attributes: Record<string, AttributeDefinition>,
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s` },
  attributes,
})

export function registryOf(
  contentTypes: readonly ContentTypeDefinition[],
  components: readonly ComponentDefinition[] = [],
  types: readonly AttributeType[] = [],
): Registry {
  const attributeTypes = new Map<string, AttributeType>([
    ...scalarTypes,
    ...types.map((type) => [type.name, type] as const),
  ])
  return buildRegistry({
    contentTypes,
    components,
    attributeTypes,
    absentTypes: { media: 'the upload plugin' },
  }).registry
}
