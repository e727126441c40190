import { isObject } from '../../kinds-of-values.ts'
import type { AttributeType, ScalarType } from '../attribute-type.ts'
import type { AttributeDefinition } from '../definition/definition.ts'
import { didYouMean, hintOf } from '../nearest.ts'
import type { ReportMistake } from './mistakes.ts'
import { show } from './names.ts'

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

/** The bounds of an attribute, each with the one that types have that count otherwise. */
const bounds = { min: 'minLength', max: 'maxLength', minLength: 'min', maxLength: 'max' } as const

/** Reports unknown keys of a definition, and a mark that has no effect. */
export function checkDefinitionKeys(plain: Readonly<Record<string, unknown>>, report: ReportMistake): void {
  checkKeys(plain, definitionKeys, [], report)
  checkKeys(plain.info, infoKeys, ['info'], report)
  checkKeys(plain.options, optionKeys, ['options'], report)
  for (const key of ['draftAndPublish', 'populateCreatorFields', 'decidesRights'])
    checkFlag(plain.options, key, ['options'], report)
}

/** Reports keys of an attribute that are unknown or have no effect. Types of plugins without a list of keys accept any key. */
export function checkAttributeKeys(
  definition: AttributeDefinition,
  type: AttributeType | undefined,
  isOwn: boolean,
  path: readonly string[],
  report: ReportMistake,
): void {
  if (definition.type === 'customField') return
  if (isOwn && type?.kind === 'scalar') checkBounds(definition, type, path, report)
  if (isOwn) checkKeys(definition, ownKeys, path, report)
  else if (type?.keys) checkKeys(definition, new Set([...commonKeys, ...type.keys]), path, report)
}

/** The bounds of texts are lengths, and numbers have values; with the other one, every value would be accepted. */
function checkBounds(
  definition: AttributeDefinition,
  type: ScalarType,
  path: readonly string[],
  report: ReportMistake,
): void {
  for (const [key, other] of Object.entries(bounds)) {
    if (definition[key] === undefined || definition[key] === null || reads(type, key)) continue
    const hint = hintOf(reads(type, other) ? other : undefined)
    report([...path, key], `has no effect on the type ${show(type.name)}${hint}`)
  }
}

/** Whether a type has a bound: it then refuses one that is no number. */
const reads = (type: ScalarType, key: string): boolean =>
  type.check({ type: type.name, [key]: 'none' }).some(({ path }) => path[0] === key)

/** Reports a flag that is neither `true` nor `false`. A plugin asks for `true`, as the reference does. */
function checkFlag(given: unknown, key: string, path: readonly string[], report: ReportMistake): void {
  const value = isObject(given) ? (given[key] ?? undefined) : undefined
  if (value !== undefined && typeof value !== 'boolean')
    report([...path, key], `must be true or false; ${show(value)} counts as false`)
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
