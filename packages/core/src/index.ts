/**
 * The public surface for programs, `@octavo/core`: starting Octavo, content-types, entries, errors and data files. Plugins use
 * `@octavo/core/plugin` as well (`for-plugins.ts`). A name has one path.
 */

import './engine.ts'

// Starting Octavo, and its requests

export type { ExplainedNode, ExplainedPruning, ExplainedStep, Explanation } from './explanation.ts'
export { defaultLimits, type Limits } from './limits.ts'
export type { ModelEntries, Octavo, OctavoOfAnyModel, TransactionScope, TypedOctavo } from './octavo.ts'
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
export { createOctavo } from './start/create-octavo.ts'
export type { CommonOctavoOptions, OctavoOptions } from './start/octavo-options.ts'
export type { Step, Trace } from './trace.ts'

// The typed access to entries

export type { Entries, EntriesFor, Entry, TypedEntries } from './entries/entries.ts'
export type { ComponentList, ContentTypeList, ModelOf, TypeName } from './entries/model.ts'
export type { Filters } from './entries/query/filters.ts'
export type { Populate } from './entries/query/populate.ts'
export type { AnswerQuery, ListingQuery, PageInput } from './entries/query/query.ts'
export type { AddedChildParameters, AddedParameters, QueryInput } from './entries/query/query-input.ts'
export type { Fields, Sort } from './entries/query/sort.ts'
export type { RegisteredTypes } from './entries/registered-types.ts'
export type { ResultOf } from './entries/result.ts'

// Definitions of content-types, and the types that follow from them

export type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
  FullTextSearch,
  TrigramSearch,
} from './content-type/definition/definition.ts'
export {
  type ContentTypeExtension,
  type LoadedContentTypes,
  loadContentTypes,
} from './content-type/definition/load.ts'
export type {
  AttributeOptions,
  CommonOptions,
  ScalarOptions,
  TextOptions,
  TypedAttribute,
} from './content-type/types/attribute-options.ts'
export type { Definition, UidOf } from './content-type/types/attributes-of.ts'
export { type Computed, type ComputedFrom, computed } from './content-type/types/computed.ts'
export {
  defineComponent,
  defineContentType,
  type TypedComponent,
  type TypedContentType,
} from './content-type/types/define.ts'
export type { EntryOf, UnknownComponent, UnknownEntry } from './content-type/types/entry-types.ts'
export type {
  AddedInput,
  ComponentInput,
  EntryReference,
  InputOf,
  MorphInput,
  MorphReference,
  RelationInput,
} from './content-type/types/input-types.ts'
export type { AddedAttributes, AttributeValues, LinkedAttributes } from './content-type/types/values.ts'

// Callers, and operators of plugins

export type { AddedOperators, FilterOperator } from './operator/added.ts'
export type { RequestState } from './plugin/request-state.ts'
export { unrestricted } from './plugin/unrestricted.ts'
export type { Where, WhereValue } from './resolve/permission-condition.ts'

// Data files

export type { DataFile } from './transfer/data-file.ts'
export { exportData } from './transfer/export.ts'
export { type ImportOptions, importData } from './transfer/import.ts'

// Errors

export {
  ApplicationError,
  ConfigurationError,
  type ErrorDetails,
  ForbiddenError,
  InternalServerError,
  MalformedBodyError,
  MethodNotAllowedError,
  type Mistake,
  NotFoundError,
  OctavoError,
  PaginationError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitError,
  ServiceUnavailableError,
  UnauthorizedError,
  ValidationError,
} from '@octavo/database'
export { DefinitionError } from './content-type/definition/definition-error.ts'
export { PluginError } from './plugin/plugin-error.ts'
export { SchemaError } from './schema/schema-error.ts'
export { ImportError, NotEmptyError } from './transfer/import-error.ts'

// The database, and loggers

export {
  type BatchedTransaction,
  type CancelSignal,
  type ConnectionFigures,
  isoTime,
  type Logger,
  type MessageHandler,
  type NamedRow,
  type Queryable,
  type Row,
  type Rows,
  type Sql,
  type Statement,
  type Store,
  silentLogger,
  sql,
  type Transaction,
} from '@octavo/database'
