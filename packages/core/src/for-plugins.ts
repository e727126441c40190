/**
 * The surface for authors of plugins, `@octavo/core/plugin`: hooks, conditions, the registry, attribute types, operators and
 * tables of a plugin's own. Names that programs need too, `sql` and the error classes among them, are in `@octavo/core`.
 */

// Plugins, their hooks and actions

export type { ComputedAttributeDefinition, Definitions } from './hooks/definition-hooks.ts'
export type { HookDoc, HookKind, HookRow, HookTable } from './hooks/hook-row.ts'
export type { HookHandler, HookName, Hooks, WriteHook } from './hooks/hooks.ts'
export type { AttributePlace, Fact, Narrowing, NodeView, Param, ReadContext } from './hooks/read-hooks.ts'
export type { Strictness, StrictnessDecision } from './hooks/write-hooks.ts'
export { type Channel, definePlugin, type Plugin, type PluginHost } from './host/define.ts'
export { coreHooks, type LifecycleHooks, type SchemaCheck } from './host/lifecycle-hooks.ts'
export type { OperatorCommand } from './octavo.ts'
export { type ActionDeclaration, type ActionLimit, type ActionSource, allLimits } from './plugin/actions.ts'
export type { EntryWriter } from './plugin/entry-writer.ts'
export type { ParamReader } from './plugin/param-reader.ts'
export type { SectionHandler } from './plugin/section.ts'
export { defineState, type StateKey } from './plugin/state-key.ts'
export { isUnrestricted } from './plugin/unrestricted.ts'
export { withDeleted } from './plugin/with-deleted.ts'
export type {
  FilteredEvent,
  NamedChange,
  StatementEvent,
  WriteCheck,
  WriteEvent,
  WriteFilter,
  WriteStatement,
} from './plugin/write-event.ts'
export { importItems } from './transfer/import-section.ts'

// Conditions, for the entries that a hook narrows

export {
  allOf,
  anyOf,
  compare,
  constant,
  isNull,
  isSet,
  negate,
  not,
  now,
  related,
} from './plan/condition.ts'
export type { AnswerLayout, LayoutMember, LayoutValue, RowLayout } from './plan/layout.ts'
export type { Condition, MetaTerm, Operand, RuntimeValue } from './plan/plan.ts'

// Attribute types, and models in the registry

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
export type { ContentAction, WriteAction } from './content-type/content-actions.ts'
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
export type { EntryInput } from './content-type/types/entry-input.ts'
export { isId, readId } from './id.ts'

// Filter operators

export type { AddedOperator, DeclaredOperators } from './operator/added.ts'
export { type Operator, type OperatorName, operators } from './operator/table.ts'
export type { ParamPath } from './parse/raw.ts'

// Problems with codes

export {
  defineProblems,
  type ErrorClass,
  errorClass,
  type ProblemExtra,
  type ProblemRow,
  type ProblemRows,
  type Problems,
} from '@octavo/database'
export { problem } from './error/problems.ts'

// Statements: who is charged for them, and rows in tables of a plugin

export {
  type ChangedValue,
  chargedTo,
  type FindRows,
  type InsertRows,
  lockOf,
  type OwnColumn,
  type OwnRow,
  type OwnTable,
  param,
  type RowSource,
  type RowWhere,
  rowJson,
} from '@octavo/database'

// Cache tags of answers

export { tagsOfWrite } from './execute/written-tags.ts'
