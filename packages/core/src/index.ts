/** The public surface of @octavo/core. */
export { createOctavo } from './create-octavo.js'
export type { Octavo, OctavoOptions, Pagination, ReadAnswer, ReadRequest, WriteRequest } from './octavo.js'
export { defaultLimits, type Limits } from './limits.js'
export { type Logger, silentLogger } from './logger.js'

// Content-types
export type { AttributeDefinition, ComponentDefinition, ContentTypeDefinition } from './content-type/definition.js'
export {
  type AttributeType,
  type Bindable,
  type DefinitionMistake,
  InvalidValue,
  type LinkType,
  type ScalarType,
  type SiblingsType,
} from './content-type/attribute-type.js'
export type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentType,
  Model,
  Registry,
  RelationAttribute,
  RelationStorage,
  ScalarAttribute,
  ZoneAttribute,
} from './content-type/model.js'

// Plugins
export { definePlugin, type ParamReader, type Plugin, type PluginHost } from './plugin/define.js'
export { HookRunner } from './plugin/hook-runner.js'
export {
  coreHooks,
  type Definitions,
  type EntryWriter,
  type Fact,
  type HookKind,
  type HookName,
  type HookRow,
  type Hooks,
  type MetaTerm,
  type Narrowing,
  type NodeView,
  type Param,
  type ReadContext,
  type RequestState,
  type Strictness,
  type WriteEvent,
} from './plugin/hooks.js'
export { PluginError } from './plugin/plugin-error.js'
export type { Condition, Operand, RuntimeValue } from './resolve/plan.js'
export { allOf, anyOf, isNull, isSet, negate } from './resolve/condition.js'
export type { EntryInput } from './write/validate.js'

// Queries
export { type Operator, type OperatorName, operators } from './operator/table.js'

// Errors
export {
  ApplicationError,
  type ErrorDetails,
  ForbiddenError,
  InternalServerError,
  MethodNotAllowedError,
  type Mistake,
  NotFoundError,
  OctavoError,
  PaginationError,
  PayloadTooLargeError,
  RateLimitError,
  ServiceUnavailableError,
  SyntaxError,
  UnauthorizedError,
  ValidationError,
} from './error/octavo-error.js'
export { type ProblemCode, problem, problems } from './error/problems.js'

// The database
export type { Row, Statement, Store, Transaction } from './store/store.js'
export { SchemaError } from './store/schema-error.js'
export type { SectionHandler } from './transfer/section.js'
