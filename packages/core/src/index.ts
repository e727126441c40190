/** The public surface of @octavo/core. */

import './engine.ts'

export type { CancelSignal } from '@octavo/database'
export { type Logger, silentLogger } from '@octavo/database'
export type { Advice } from './advise/advise-indexes.ts'
export {
  adviseOnLists,
  checkDefinitions,
  checkKeptTotals,
  convertRelationKinds,
  type LoggedList,
  type PreparedOctavo,
  planSchema,
  prepareOctavo,
} from './checks.ts'
export { createOctavo } from './create-octavo.ts'
export type { Entries, EntriesFor, Entry, TypedEntries } from './entries/entries.ts'
export {
  type ComponentList,
  type ContentTypeList,
  definitionsOf,
  type ModelOf,
  type TypeName,
} from './entries/model.ts'
export type { Filters } from './entries/query/filters.ts'
export type { Populate } from './entries/query/populate.ts'
export type { AnswerQuery, ListingQuery, PageInput } from './entries/query/query.ts'
export type { AddedChildParameters, AddedParameters, QueryInput } from './entries/query/query-input.ts'
export type { Fields, Sort } from './entries/query/sort.ts'
export type { RegisteredTypes } from './entries/registered-types.ts'
export type { ResultOf } from './entries/result.ts'
export type { ExplainedNode, ExplainedPruning, ExplainedStep, Explanation } from './explanation.ts'
export { type KeysOf, type KnownKeys, refuseUnknownKeys } from './known-keys.ts'
export { defaultLimits, type Limits } from './limits.ts'
export type { ModelEntries, Octavo, TransactionScope, TypedOctavo } from './octavo.ts'
export { octavoKeys } from './octavo-keys.ts'
export type { OctavoOptions } from './octavo-options.ts'
export type {
  AnswerTags,
  BulkRequest,
  BulkResult,
  Figures,
  OnceResult,
  Pagination,
  ReadAnswer,
  ReadRequest,
  Repeatable,
  StatementFigures,
  WriteRequest,
} from './requests.ts'
export type { RelationConflict, RelationConversion } from './schema/convert-relations.ts'
export type { Step, Trace } from './trace.ts'
export { type WholeNumber, wholeNumbers } from './whole-numbers.ts'

// Content-types: how they are written…

export type {
  AttributeOptions,
  CommonOptions,
  ScalarOptions,
  TextOptions,
  TypedAttribute,
} from './content-type/attribute-options.ts'
export type { Definition, UidOf } from './content-type/attributes-of.ts'
export {
  defineComponent,
  defineContentType,
  type TypedComponent,
  type TypedContentType,
} from './content-type/define.ts'
export type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
  FullTextSearch,
  TrigramSearch,
} from './content-type/definition.ts'
export { DefinitionError } from './content-type/definition-error.ts'
export type { EntryOf } from './content-type/entry-types.ts'
export { type FurtherAttributes, readFurtherAttributes } from './content-type/further-attributes.ts'
export type {
  AddedInput,
  ComponentInput,
  EntryReference,
  InputOf,
  MorphInput,
  MorphReference,
  RelationInput,
} from './content-type/input-types.ts'
export { type ContentTypeExtension, type LoadedContentTypes, loadContentTypes } from './content-type/load.ts'
export type { AddedAttributes, AttributeValues, LinkedAttributes } from './content-type/values.ts'

// …and their checked form, in the registry

export {
  type AttributeType,
  type Bindable,
  type DefinitionMistake,
  InvalidValue,
  type LinkType,
  type ScalarType,
  type SiblingsType,
} from './content-type/attribute-type.ts'
export { scalarTypes } from './content-type/attribute-types/table.ts'
export { type Computed, type ComputedFrom, computed } from './content-type/computed.ts'
export type {
  Attribute,
  Component,
  ComponentAttribute,
  ComputedAttribute,
  ContentType,
  Model,
  Registry,
  RelationAttribute,
  RelationStorage,
  ScalarAttribute,
  ValueAttribute,
  ZoneAttribute,
} from './content-type/model.ts'
export { isComparable, isValue } from './content-type/model.ts'
export { didYouMean } from './content-type/nearest.ts'
export { buildRegistry } from './content-type/registry.ts'
export { findType } from './entries/entries.ts'

// The actions of the content endpoints, ids and objects in requests

export {
  type ContentAction,
  contentActions,
  contentActionsOf,
  isContentAction,
  isWriteAction,
  type WriteAction,
  writeActions,
} from './content-type/content-actions.ts'
export { isId, readId } from './id.ts'
export { isObject } from './is-object.ts'

// SQL, for plugins

export type {
  ChangedValue,
  FindRows,
  InsertRows,
  OwnColumn,
  OwnRow,
  OwnTable,
  RowSource,
  Rows,
  RowWhere,
} from '@octavo/database'
export { isoTime, param, type Sql, sql } from '@octavo/database'

// Plugins

export type { EntryInput } from './content-type/entry-input.ts'
export {
  type Channel,
  definePlugin,
  type Plugin,
  type PluginHost,
} from './host/define.ts'
export { coreHooks, type LifecycleHooks } from './host/lifecycle-hooks.ts'
export type { OperatorCommand } from './octavo.ts'
export { allOf, anyOf, compare, isNull, isSet, negate, not, now, related } from './plan/condition.ts'
export type { Condition, MetaTerm, Operand, RuntimeValue } from './plan/plan.ts'
export { type ActionDeclaration, type ActionLimit, type ActionSource, allLimits } from './plugin/actions.ts'
export {
  collect,
  decide,
  guard,
  type HookDoc,
  type HookKind,
  type HookRow,
  type HookTable,
  notify,
  objectResult,
  register,
  transform,
  type ValidResult,
} from './plugin/hook-row.ts'
export type {
  ComputedAttributeDefinition,
  Definitions,
  EntryWriter,
  Fact,
  FilteredEvent,
  HookHandler,
  HookName,
  Hooks,
  Narrowing,
  NodeView,
  Param,
  ReadContext,
  Strictness,
  StrictnessDecision,
  WriteEvent,
  WriteFilter,
  WriteHook,
} from './plugin/hooks.ts'
export type { ParamReader } from './plugin/param-reader.ts'
export { PluginError } from './plugin/plugin-error.ts'
export type { RequestState } from './plugin/request-state.ts'
export { defineState, type StateKey } from './plugin/state-key.ts'
export { isUnrestricted, unrestricted } from './plugin/unrestricted.ts'
export { withDeleted } from './plugin/with-deleted.ts'

// The query language

export type { AddedOperator, AddedOperators, DeclaredOperators, FilterOperator } from './operator/added.ts'
export { type Operator, type OperatorName, operators, takes } from './operator/table.ts'
export { parseConditions } from './parse/condition-object.ts'
export type { ParamPath, RawFilter, RawGroup } from './parse/raw.ts'

// Errors

export {
  ApplicationError,
  asGiven,
  ConfigurationError,
  defineProblems,
  type ErrorClass,
  type ErrorDetails,
  errorClass,
  ForbiddenError,
  InternalServerError,
  isNotInstalled,
  MalformedBodyError,
  MethodNotAllowedError,
  type Mistake,
  NotFoundError,
  OctavoError,
  PaginationError,
  PayloadTooLargeError,
  PreconditionFailedError,
  type ProblemExtra,
  type ProblemRow,
  type ProblemRows,
  type Problems,
  RateLimitError,
  ServiceUnavailableError,
  UnauthorizedError,
  ValidationError,
} from '@octavo/database'
export { inSummary, problem } from './error/problems.ts'

// The database, and data files

export type {
  BatchedTransaction,
  ConnectionFigures,
  MessageHandler,
  NamedRow,
  Queryable,
  Row,
  Statement,
  Store,
  Transaction,
} from '@octavo/database'
export { defaultConnections, liftTimeLimits } from '@octavo/database'
export type { SectionHandler } from './plugin/section.ts'
export { SchemaError } from './schema/schema-error.ts'
export type { TotalDifference } from './schema/totals/check-totals.ts'
export type { SchemaUpdate } from './schema/update-schema.ts'
export type { DataFile } from './transfer/data-file.ts'
export { exportData } from './transfer/export.ts'
export { type ImportOptions, importData } from './transfer/import.ts'
export { ImportError, NotEmptyError } from './transfer/import-error.ts'
export {
  type DataStream,
  importStream,
  type StreamedEntry,
  type StreamedLink,
} from './transfer/import-stream.ts'
export { readEntries } from './transfer/read-entries.ts'
export { tagsOfWrite } from './write/run/tags.ts'
