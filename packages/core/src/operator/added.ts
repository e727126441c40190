import type { Sql } from '@octavo/database'

/**
 * Operators that plugins add to `filters`, by declaration merging, for the types of queries: the attribute types that an operator is
 * for, and the operand that a program writes.
 *
 *     declare module '@octavo/core' {
 *       interface AddedOperators {
 *         $near: { readonly on: 'geo-point'; readonly operand: `${number},${number},${number}` }
 *       }
 *     }
 */
// biome-ignore lint/suspicious/noEmptyInterface: plugins fill it
export interface AddedOperators {}

type RowOf<N> = N extends keyof AddedOperators ? AddedOperators[N] : unknown

/** The declaration of an operator in `filters`, for `host.operator`. `T` is the operand as read. */
export interface FilterOperator<T, N extends string = string> {
  /** The names of the attribute types that the operator is for: `geo-point`. Other attributes refuse it with 400. */
  readonly on: readonly (RowOf<N> extends { readonly on: infer On extends string } ? On : string)[]
  /** The purpose of the operator and the form of its operand, as a phrase for descriptions of the API. */
  readonly meaning: string
  /** A valid operand, for descriptions. The start reads it and has PostgreSQL check the condition that it makes. */
  readonly example: RowOf<N> extends { readonly operand: infer Operand extends string } ? Operand : string
  /**
   * Reads an operand of a query string. A list of operands means any of them; each is read alone. Called once per cached
   * statement, so the result may only depend on the text.
   * @throws InvalidValue with the valid operands; the client gets 400 with the place.
   */
  readonly read: (text: string) => T
  /**
   * The condition on a value of the attribute, null for a null value. Each part of the operand is a parameter with its type:
   * `${operand.metres}::float8`.
   */
  readonly sql: (value: Sql, operand: T) => Sql
  /**
   * The uids of the content-types whose rows `sql` reads, for cache tags; `[]` for SQL that reads the value only. Default: any, so that
   * each write makes cached answers to such filters stale.
   */
  readonly reads?: readonly string[] | undefined
}

/** An operator that a plugin declared. */
export interface AddedOperator {
  /** With `$`: `$near`. */
  readonly name: string
  readonly plugin: string
  readonly on: readonly string[]
  readonly meaning: string
  readonly example: string
  /** Uids of content-types; `undefined`: any. */
  readonly reads: readonly string[] | undefined
  /**
   * Reads an operand and returns the condition on a value with it.
   * @throws InvalidValue for the client; PluginError for a mistake of the plugin
   */
  readonly read: (text: string) => (value: Sql) => Sql
}

/** The operators that plugins declared, by name. */
export type DeclaredOperators = ReadonlyMap<string, AddedOperator>

export const noOperators: DeclaredOperators = new Map()
