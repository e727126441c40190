import type { Bindable, Sql } from '@octavo/database'
import { recognisable } from '@octavo/database'
import type { OperatorClass } from '../operator/table.ts'
import type { AttributeDefinition } from './definition/definition.ts'

export type { Bindable } from '@octavo/database'

/** Thrown for an invalid value of an attribute type; `message` names the valid values: `a whole number`. */
export class InvalidValue extends Error {
  /** Whether `details.errors` has a path; the reference server omits it for some types. Default true. */
  readonly located: boolean
  constructor(expected: string, located = true) {
    // A body may have tens of thousands of them, and a stack, which nobody reads, takes far longer to record than the value to check.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(expected)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'InvalidValue'
    this.located = located
  }
}

/** A part of a JSON value that is valid only where it is stored. */
export interface UnknownPart {
  /** An item of the value, or of the `children` of such an item. */
  readonly value: unknown
  /** The valid values in its place, as in {@link InvalidValue}. */
  readonly expected: string
}

/**
 * Thrown for a value that is valid as a change of a stored value that has its unknown parts already, such as blocks of a type that is
 * not known, or of an import. Everywhere else it is invalid.
 */
export class InvalidUnlessStored extends InvalidValue {
  /** The value as it is stored. */
  readonly value: Bindable
  /** At least one. The stored value has each of them at any place. */
  readonly parts: readonly UnknownPart[]
  constructor(value: Bindable, parts: readonly UnknownPart[]) {
    super(parts[0]?.expected ?? '')
    this.name = 'InvalidUnlessStored'
    this.value = value
    this.parts = parts
  }
}

/** A mistake in a definition: its path below the attribute, and a message with the valid values. */
export interface DefinitionMistake {
  readonly path: readonly string[]
  readonly message: string
}

/**
 * A type whose values are in one column of the owner's table. The record defines the column, how query text and JSON
 * are parsed, how values are returned, and which operators apply.
 */
export interface ScalarType {
  readonly kind: 'scalar'
  /** As in `{ "type": "integer" }`. */
  readonly name: string
  /** PostgreSQL type of the column, e.g. `numeric(20,2)`. */
  readonly column: (definition: AttributeDefinition) => string
  /** PostgreSQL type that parameters are cast to, wide enough for every accepted value, e.g. `int8`. */
  readonly parameter: string
  /** The supported operator classes. */
  readonly operators: readonly OperatorClass[]
  /** When `_q` searches the type: always, for a numeric phrase, or never. */
  readonly search: 'text' | 'number' | 'never'
  /** Always excluded from responses, filters and sorts: passwords and tokens. */
  readonly secret: boolean
  /** Additional keys of a definition; unknown keys are mistakes. Default: all keys are accepted. */
  readonly keys?: readonly string[]
  /** Finds mistakes in the definition, e.g. an enumeration without `enum`. */
  readonly check: (definition: AttributeDefinition) => readonly DefinitionMistake[]
  /** Parses a filter's operand. @throws InvalidValue */
  readonly fromQuery: (text: string, definition: AttributeDefinition) => Bindable
  /** The text that an empty operand of a filter is read as; forms send one for an empty field. Default: the empty text. */
  readonly emptyOperand?: string
  /** Parses a value of a body or an import (never null). Texts that can be parsed as the type are accepted. @throws InvalidValue */
  readonly fromJson: (value: unknown, definition: AttributeDefinition) => Bindable
  /** The violations of `min`, `max`, `minLength`, `maxLength`, `regex` etc. by a parsed value, one sentence each. */
  readonly constraints: (value: Bindable, definition: AttributeDefinition) => readonly string[]
  /** Hashes a valid value before it is stored, for passwords. Absent: the value is stored. */
  readonly hash?: (value: Bindable) => Promise<Bindable>
  /**
   * Whether a value of an import is a hash from an export. Absent: never. Not called for writes: values of clients
   * are always hashed.
   */
  readonly isHashed?: (value: Bindable) => boolean
  /** The SQL whose `to_json` is the value in responses, e.g. `to_char(...)` for a timestamp. */
  readonly toJson: (column: Sql) => Sql
  /**
   * The text that `to_json` of {@link ScalarType.toJson} has, where it needs no escapes and is quicker to make: `"views"::text`.
   * Default: `to_json`.
   */
  readonly toJsonText?: (column: Sql) => Sql
  /** The SQL that text operators and `_q` compare. */
  readonly toText: (column: Sql) => Sql
}

/** A scalar type of a plugin. Its errors name the plugin and, in the type of an attribute, the attribute. */
export interface AddedScalarType extends ScalarType {
  /** @param attribute For messages: `api::film.film.stars`. */
  readonly forAttribute: (attribute: string) => ScalarType
}

/** The type of an attribute, whose errors name it where a plugin added the type. */
export const typeOfAttribute = (type: ScalarType | AddedScalarType, attribute: string): ScalarType =>
  'forAttribute' in type ? type.forAttribute(attribute) : type

/**
 * A type whose values are entries of another content-type, reached through a link table that serves all its owners
 * (media). Plugins add such types; the `relation` type belongs to core.
 */
export interface LinkType {
  readonly kind: 'link'
  readonly name: string
  /** Uid of the content-type whose entries are linked, e.g. `plugin::upload.file`. */
  readonly target: string
  /** The link table, e.g. `files_related`, and its column with the target's id, e.g. `file_id`. */
  readonly table: string
  readonly column: string
  readonly many: (definition: AttributeDefinition) => boolean
  /** Whether `filters` may use the relation. */
  readonly filterable: boolean
  /** The value of an empty to-many relation: `{ "data": [] }` or `{ "data": null }`. */
  readonly empty: 'list' | 'null'
  /**
   * The name under which `populate` of a target shows the entries that link to it, e.g. `related` of files. It is part of answers
   * only. Default: they cannot be populated.
   */
  readonly usesName?: string
  /** Additional keys of a definition; unknown keys are mistakes. Default: all keys are accepted. */
  readonly keys?: readonly string[]
  readonly check: (definition: AttributeDefinition) => readonly DefinitionMistake[]
}

/** Entries of the same content-type that share a group key (localizations): to-many, without the entry itself. */
export interface SiblingsType {
  readonly kind: 'siblings'
  readonly name: string
  /** Additional keys of a definition; unknown keys are mistakes. Default: all keys are accepted. */
  readonly keys?: readonly string[]
  /** The column of the group key in the owner's table; core creates and indexes it. */
  readonly column: string
  /** The attribute in which the entries of a group differ, such as `locale`: imports refuse two with one value. Default: none. */
  readonly distinct?: string
}

export type AttributeType = ScalarType | LinkType | SiblingsType

recognisable(InvalidValue, 'InvalidValue')

/**
 * Whether a text determines a value that can be compared in its place: for numbers, booleans and dates, not for types
 * that are texts themselves and not for JSON.
 */
export const isComparedAsValue = (type: ScalarType): boolean =>
  type.parameter !== 'text' && type.operators.includes('ordered')
