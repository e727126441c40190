import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
} from '../content-type/definition/definition.ts'
import type { Computed } from '../content-type/types/computed.ts'
import { isObject } from '../kinds-of-values.ts'
import { collect, type HookTable, objectResult, transform } from './hook-row.ts'

/** An attribute that is computed, of the type of its values. */
export interface ComputedAttributeDefinition extends AttributeDefinition {
  readonly computed: Computed
}

/** The definitions before validation. A plugin may add attributes and types, or annotate existing ones. */
export interface Definitions {
  readonly contentTypes: readonly ContentTypeDefinition[]
  readonly components: readonly ComponentDefinition[]
}

/** The hooks of definitions, which run before there is a registry. */
export const definitionHooks = {
  'definitions:extend': transform<(definitions: Definitions) => Definitions>({
    purpose: 'Adds attributes and content-types, or annotates existing ones.',
    when: 'once, at start',
    before: 'the definitions as loaded, plus the content-types of plugins',
    after: 'the registry is built',
    returns: {
      expected: 'an object with the lists contentTypes and components',
      accepts: (answer) =>
        isObject(answer) && Array.isArray(answer.contentTypes) && Array.isArray(answer.components),
    },
  }),
  'attribute:computed': collect<
    (
      definition: ContentTypeDefinition | ComponentDefinition,
    ) => Readonly<Record<string, ComputedAttributeDefinition>> | undefined
  >({
    purpose:
      'Adds computed attributes, which are in answers but not stored: SQL expressions or functions over columns of the same row.',
    when: 'for each content-type and component, at start and when a content-type is added; two attributes of one name are an error',
    before: '`definitions:extend` has run',
    after: 'the registry is built, and the database checks the expressions',
    returns: objectResult,
  }),
} satisfies HookTable
