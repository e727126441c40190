/**
 * Names that only the packages of this repository use, `@octavo/core/internal`: they have one version with core, no page in the
 * documentation, and may change with each release.
 */

// The steps of a start, and the checks of the command line

export {
  defaultConnections,
  failedParts,
  isNotInstalled,
  retried,
  sessionSettings,
  whyUnreachable,
} from '@octavo/database'
export type { Advice } from './advise/advise-indexes.ts'
export { foldEmail } from './content-type/attribute-types/email.ts'
export { isLater, laterChanges, mayBePublicLater, publicFromOf } from './content-type/public-from.ts'
export { findType } from './entries/entries.ts'
export { definitionsOf } from './entries/model.ts'
export { refuseOtherVersions } from './host/plugin-versions.ts'
export { checkOptions, type KeysOf, keysWithin } from './known-keys.ts'
export {
  accepts,
  type KnownKeys,
  type ListOf,
  type OptionCheck,
  type OrObject,
} from './option-values.ts'
export type { RelationConflict, RelationConversion } from './schema/convert-relations.ts'
export type { TotalDifference } from './schema/totals/check-totals.ts'
export { neverFilled, type UnfilledAttribute, unfilledAttributes } from './schema/unfilled-attributes.ts'
export type { SchemaUpdate } from './schema/update-schema.ts'
export {
  adviseOnLists,
  type CountedContent,
  checkCounts,
  checkDefinitions,
  convertRelationKinds,
  findUnfilled,
  type LoggedList,
  type PreparedOctavo,
  planSchema,
  prepareOctavo,
} from './start/checks.ts'
export { octavoKeys } from './start/octavo-keys.ts'
export { type WholeNumber, wholeNumbers } from './whole-numbers.ts'

// The import of another system’s entries

export {
  type DataStream,
  importStream,
  type StreamedEntry,
  type StreamedLink,
} from './transfer/import-stream.ts'
export { readEntries } from './transfer/read-entries.ts'

// Copies of entries

export { readInputs, storedInput } from './execute/inputs-of.ts'

// Definitions and requests

export { toJsonText as jsonText } from './content-type/attribute-types/json.ts'
export {
  contentActions,
  contentActionsOf,
  isContentAction,
  isWriteAction,
  writeActions,
} from './content-type/content-actions.ts'
export { firstLineOfOtherText } from './content-type/definition/first-other-line.ts'
export {
  type FurtherAttributes,
  withFurtherAttributes,
} from './content-type/definition/further-attributes.ts'
export {
  jsonErrorPosition,
  jsonErrorText,
  longestSearched,
} from './content-type/definition/json-error-position.ts'
export { inKebabCase } from './content-type/definition/load.ts'
export { notePlaces, sourceOf, withSource } from './content-type/definition/source.ts'
export { isComparable, isValue, ownerColumns } from './content-type/model.ts'
export { didYouMean } from './content-type/nearest.ts'
export { buildRegistry } from './content-type/registry.ts'
export { keyColumns, scalarColumn } from './content-type/storage/storage-names.ts'
export { brief, isObject, kindOf } from './kinds-of-values.ts'
export { Lazy } from './lazy.ts'
export { takes } from './operator/table.ts'
export { parseConditions } from './parse/condition-object.ts'
export type { RawFilter, RawGroup } from './parse/raw.ts'
export { permissionCondition } from './resolve/permission-condition.ts'

// Rows of hook tables

export {
  collect,
  decide,
  guard,
  notify,
  objectResult,
  register,
  transform,
  type ValidResult,
} from './hooks/hook-row.ts'

// Messages

export {
  asGiven,
  chargeTo,
  type FullQueue,
  hasUnknownOutcome,
  isOfFullDisk,
  makeFolder,
  queueOf,
  RepeatedFailure,
  withPath,
} from '@octavo/database'
export { inSummary } from './error/problems.ts'
export { isThenable, thrownText } from './hooks/hook-answers.ts'
// Transactions
