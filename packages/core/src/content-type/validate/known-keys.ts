import type { AttributeType } from '../attribute-type.ts'
import type { AttributeDefinition } from '../definition/definition.ts'
import { didYouMean } from '../nearest.ts'
import type { ReportMistake } from './mistakes.ts'

/** The keys of a definition, including unused ones that the reference's editor writes. */
const definitionKeys = new Set([
  ...['kind', 'uid', 'collectionName', 'info', 'options', 'pluginOptions', 'attributes', 'config'],
  ...['category', 'modelType', 'modelName', 'globalId', 'plugin', 'apiName', 'connection'],
])

const infoKeys = new Set([
  'singularName',
  'pluralName',
  'displayName',
  'description',
  'name',
  'icon',
  'label',
])

/** The keys of `options` that definitions may have. */
const optionKeys = new Set([
  ...[
    'draftAndPublish',
    'indexes',
    'totals',
    'search',
    'cacheControl',
    'decidesRights',
    'comment',
    'increments',
    'timestamps',
  ],
  ...['populateCreatorFields', 'privateAttributes', 'reviewWorkflows', 'noStageAttribute'],
])

/** Keys of attributes of every type. */
const commonKeys = [
  ...['type', 'required', 'unique', 'uniqueWithin', 'private', 'searchable', 'default', 'pluginOptions'],
  ...['countedBy', 'renamedFrom', 'columnName', 'computed', 'publicFrom'],
  ...['configurable', 'writable', 'visible', 'customField', 'options', 'column', 'conditions'],
  ...['description', 'example'],
]

/** Keys of the attribute types of core. */
const ownKeys = new Set([
  ...commonKeys,
  ...['min', 'max', 'minLength', 'maxLength', 'regex', 'enum', 'enumName', 'targetField', 'generate'],
  ...['relation', 'target', 'inversedBy', 'mappedBy', 'morphBy', 'useJoinTable', 'autoPopulate', 'ordering'],
  // The reference's editor writes the name of a component that is made in place.
  ...['component', 'components', 'repeatable', 'displayName'],
])

/** Reports unknown keys of a definition. */
export function checkDefinitionKeys(plain: Readonly<Record<string, unknown>>, report: ReportMistake): void {
  checkKeys(plain, definitionKeys, [], report)
  checkKeys(plain.info, infoKeys, ['info'], report)
  checkKeys(plain.options, optionKeys, ['options'], report)
}

/** Reports unknown keys of an attribute. Types of plugins without a list of keys accept any key. */
export function checkAttributeKeys(
  definition: AttributeDefinition,
  type: AttributeType | undefined,
  isOwn: boolean,
  path: readonly string[],
  report: ReportMistake,
): void {
  if (definition.type === 'customField') return
  if (isOwn) checkKeys(definition, ownKeys, path, report)
  else if (type?.keys) checkKeys(definition, new Set([...commonKeys, ...type.keys]), path, report)
}

function checkKeys(
  given: unknown,
  known: ReadonlySet<string>,
  path: readonly string[],
  report: ReportMistake,
): void {
  if (typeof given !== 'object' || given === null) return
  // Keys for tools: an editor's `$schema`, and comments.
  for (const key of Object.keys(given))
    if (!known.has(key) && !/^(?:[$_]|x-)/.test(key))
      report([...path, key], `there is no such key${didYouMean(key, known)}`)
}
