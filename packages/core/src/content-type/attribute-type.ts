import { recognisable } from '../error/recognisable.ts'
import type { OperatorClass } from '../operator/table.ts'
import type { Bindable, Sql } from '../sql/sql.ts'
import type { AttributeDefinition } from './definition.ts'

export type { Bindable } from '../sql/sql.ts'

/** Thrown by the readers of an attribute type; `message` says what would be right: `a whole number`. */
export class InvalidValue extends Error {
  /** The reference server answers some of these without a path in `details.errors`; then this is false. Default true. */
  readonly located: boolean
  constructor(expected: string, located = true) {
    super(expected)
    this.name = 'InvalidValue'
    this.located = located
  }
}

/** One thing that is wrong with a definition: where below the attribute, what, and what would be right. */
export interface DefinitionMistake {
  readonly path: readonly string[]
  readonly message: string
}

/**
 * A type whose values live in one column of the owner's table. One record says all there is to know: the column,
 * how query text and JSON become a value, how the value becomes JSON, which operators compare it.
 */
export interface ScalarType {
  readonly kind: 'scalar'
  /** As in `{ "type": "integer" }`. */
  readonly name: string
  /** PostgreSQL type of the column, e.g. `numeric(20,2)`. */
  readonly column: (definition: AttributeDefinition) => string
  /** PostgreSQL type that parameters are cast to, wide enough that no accepted value overflows, e.g. `int8`. */
  readonly parameter: string
  /** The operator classes it takes. */
  readonly operators: readonly OperatorClass[]
  /** Looked into by `_q`: always, when the phrase is a number, or never. */
  readonly search: 'text' | 'number' | 'never'
  /** Never answered, filtered or sorted on, whatever the definition says: passwords and tokens. */
  readonly secret: boolean
  /** Keys of a definition that the type reads, besides those of every attribute; any other is a mistake. Default: any may stand there. */
  readonly keys?: readonly string[]
  /** Keys of the definition that are wrong, e.g. an enumeration without `enum`. */
  readonly check: (definition: AttributeDefinition) => readonly DefinitionMistake[]
  /** Reads a filter's operand. @throws InvalidValue */
  readonly fromQuery: (text: string, definition: AttributeDefinition) => Bindable
  /** Reads a value of a body or an import (never null). Texts that read as the type are taken. @throws InvalidValue */
  readonly fromJson: (value: unknown, definition: AttributeDefinition) => Bindable
  /** What a value that was read violates of `min`, `max`, `minLength`, `maxLength`, `regex`...; one sentence each. */
  readonly constraints: (value: Bindable, definition: AttributeDefinition) => readonly string[]
  /** What is stored in place of a value that was checked: the hash of a password. Absent: the value itself. */
  readonly seal?: (value: Bindable) => Promise<Bindable>
  /**
   * Whether a value of an import is what an export gave, sealed already. Absent: never. Writes do not ask: what a client
   * sends is always sealed.
   */
  readonly isSealed?: (value: Bindable) => boolean
  /** The SQL whose `to_json` is the value in an answer, e.g. `to_char(...)` for a timestamp. */
  readonly toJson: (column: Sql) => Sql
  /** The SQL that text operators and `_q` compare. */
  readonly toText: (column: Sql) => Sql
}

/**
 * A type whose values are entries of another content-type, reached through a link table that serves all its owners
 * (media). `setup` plugins add these; the plain `relation` type is core's own.
 */
export interface LinkType {
  readonly kind: 'link'
  readonly name: string
  /** Uid of the content-type whose entries are linked, e.g. `plugin::upload.file`. */
  readonly target: string
  /** The link table, e.g. `files_related`, and its column that holds the target's id, e.g. `file_id`. */
  readonly table: string
  readonly column: string
  readonly many: (definition: AttributeDefinition) => boolean
  /** Whether `filters` may go through it. */
  readonly filterable: boolean
  /** What an unset to-many one populates as: `{ "data": [] }` or `{ "data": null }`. */
  readonly empty: 'list' | 'null'
  /** Keys of a definition that the type reads, besides those of every attribute; any other is a mistake. Default: any may stand there. */
  readonly keys?: readonly string[]
  readonly check: (definition: AttributeDefinition) => readonly DefinitionMistake[]
}

/** Entries of the same content-type that share a group key (localizations): to-many, the entry itself left out. */
export interface SiblingsType {
  readonly kind: 'siblings'
  readonly name: string
  /** Keys of a definition that the type reads, besides those of every attribute; any other is a mistake. Default: any may stand there. */
  readonly keys?: readonly string[]
  /** The column of the owner's table that holds the group key; core makes and indexes it. */
  readonly column: string
}

export type AttributeType = ScalarType | LinkType | SiblingsType

recognisable(InvalidValue, 'InvalidValue')
