import { isObject } from '../../kinds-of-values.ts'
import type { ComponentDefinition, ContentTypeDefinition } from '../definition/definition.ts'
import { draftComponents, draftContentTypes } from './drafts.ts'
import { isGiven } from './given.ts'
import { DefinitionMistakes } from './mistakes.ts'

/**
 * Refuses definitions that lack an object, such as `info` or `attributes`. Plugins extend definitions before they are checked, so a plugin
 * would fail without a word about the definition, or would replace a list by an object and hide the mistake.
 *
 * @throws DefinitionError with the mistakes in each definition for itself.
 */
export function refuseShapeless(
  contentTypes: readonly ContentTypeDefinition[],
  components: readonly ComponentDefinition[],
): void {
  if (contentTypes.every(isNamedType) && components.every((part) => hasShape(part) && isText(part.uid)))
    return
  const mistakes = new DefinitionMistakes()
  const reading = { mistakes, privateNames: [] }
  draftContentTypes(contentTypes, reading)
  draftComponents(components, reading)
  mistakes.throwIfAny()
}

/** @param given The types promise an object, which the author of a file or of a program without types does not. */
const hasShape = (given: unknown): boolean =>
  isObject(given) &&
  isObject(given.attributes) &&
  Object.values(given.attributes).every(isObject) &&
  [given.options, given.pluginOptions].every((options) => !isGiven(options) || isObject(options))

const isNamedType = (type: ContentTypeDefinition): boolean =>
  hasShape(type) && isObject(type.info) && isText(type.info.singularName)

const isText = (value: unknown): boolean => typeof value === 'string'
