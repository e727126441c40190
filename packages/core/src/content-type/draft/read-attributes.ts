import type { AttributeDefinition } from '../definition/definition.ts'
import { didYouMean } from '../nearest.ts'
import { isGiven, isListOfTexts, isPlain, type Plain } from './given.ts'
import type { ReportMistake } from './mistakes.ts'
import { attributeNameMistake, show } from './names.ts'

export interface ReadAttributes {
  /** The attributes with a name and a type, in order; the type is not checked yet. Attributes with a private name are marked as `private`. */
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
  /** The names in `options.privateAttributes` and in the list for all definitions, for attributes that are added later. */
  readonly privateNames: ReadonlySet<string>
}

/** Attributes of each content-type of the reference. Here some are added later, and some by plugins. */
const added = ['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations']

/**
 * Reads the attributes of a definition. Mistakes are reported.
 *
 * @param everywhere Names of attributes that are private in every definition, which need not have them.
 */
export function readAttributes(
  { attributes: given, options }: Plain,
  everywhere: readonly string[],
  report: ReportMistake,
  reportKey: ReportMistake,
): ReadAttributes {
  const attributes = attributesIn(given, report)
  const names = privateNamesIn(isPlain(options) ? options.privateAttributes : undefined, report)
  const known = [...attributes.keys(), ...added]
  const path = ['options', 'privateAttributes']
  for (const name of names) {
    if (name === 'id') reportKey(path, 'cannot hide the id, which each answer contains')
    else if (!known.includes(name))
      reportKey(path, `there is no attribute ${show(name)}${didYouMean(name, known)}`)
  }
  const privateNames = new Set([...names, ...everywhere])
  const marked = [...attributes].map(([name, definition]): [string, AttributeDefinition] => [
    name,
    privateNames.has(name) ? { ...definition, private: true } : definition,
  ])
  return { attributes: new Map(marked), privateNames }
}

/** A list that is none is a mistake: attributes that were meant to be hidden would be open. */
function privateNamesIn(given: unknown, report: ReportMistake): readonly string[] {
  if (!isGiven(given)) return []
  if (isListOfTexts(given)) return given
  report(
    ['options', 'privateAttributes'],
    `must be a list of names of attributes, such as ["title"], not ${show(given)}`,
  )
  return []
}

function attributesIn(given: unknown, report: ReportMistake): ReadonlyMap<string, AttributeDefinition> {
  const attributes = new Map<string, AttributeDefinition>()
  if (!isPlain(given)) {
    report(
      ['attributes'],
      given === undefined
        ? 'is missing; it is an object of attributes by name'
        : `must be an object, not ${show(given)}`,
    )
    return attributes
  }
  for (const [name, definition] of Object.entries(given)) {
    const path = ['attributes', name]
    const mistake = isCreator(name, definition) ? undefined : attributeNameMistake(name)
    if (mistake) report(path, `${show(name)} ${mistake}`)
    if (!isPlain(definition)) report(path, `must be an object with a type, not ${show(definition)}`)
    else if (checkAttribute(definition, path, report) && !mistake) attributes.set(name, definition)
  }
  return attributes
}

/** Whether an attribute is the person who made or changed an entry, in a content-type of a plugin. No other attribute has these names. */
const isCreator = (name: string, definition: unknown): boolean =>
  (name === 'createdBy' || name === 'updatedBy') &&
  isPlain(definition) &&
  definition.type === 'relation' &&
  typeof definition.target === 'string' &&
  definition.target.startsWith('plugin::')

const flags = [
  ...['required', 'unique', 'private', 'searchable', 'repeatable', 'multiple'],
  ...['visible', 'writable', 'configurable'],
]

function checkAttribute(
  definition: Plain,
  path: readonly string[],
  report: ReportMistake,
): definition is AttributeDefinition {
  for (const key of flags) {
    if (isGiven(definition[key]) && typeof definition[key] !== 'boolean')
      report([...path, key], `must be true or false, not ${show(definition[key])}`)
  }
  if (isGiven(definition.pluginOptions) && !isPlain(definition.pluginOptions)) {
    report([...path, 'pluginOptions'], `must be an object, not ${show(definition.pluginOptions)}`)
  }
  const { uniqueWithin, renamedFrom } = definition
  if (isGiven(uniqueWithin) && !isListOfTexts(uniqueWithin))
    report([...path, 'uniqueWithin'], `must be a list of names of attributes, not ${show(uniqueWithin)}`)
  if (isGiven(renamedFrom) && typeof renamedFrom !== 'string')
    report([...path, 'renamedFrom'], `must be the name that the attribute had, not ${show(renamedFrom)}`)
  if (typeof definition.type === 'string') return true
  report(
    [...path, 'type'],
    definition.type === undefined
      ? 'is missing; it is the name of an attribute type, such as "string"'
      : `must be the name of an attribute type, not ${show(definition.type)}`,
  )
  return false
}
