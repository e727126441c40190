/**
 * The parsed query string: names are unresolved text, values are uninterpreted text. It does not depend on a
 * content-type; only `resolve` looks names up, so an unchecked name cannot reach SQL.
 */
import type { AddedOperator } from '../operator/added.ts'
import type { OperatorName } from '../operator/table.ts'

/** A place in the query string, e.g. `filters[author][name][$eq]`. For error messages. */
export type ParamPath = string & { readonly __brand: 'ParamPath' }

/** A decoded value of a query string. Objects have no prototype. */
export type RawValue = string | readonly RawValue[] | { readonly [key: string]: RawValue }

/** `sort=author.name:desc` → `{ path: ['author', 'name'], direction: 'desc' }` */
export interface RawSort {
  readonly path: readonly string[]
  readonly direction: 'asc' | 'desc'
  readonly at: ParamPath
}

/** Paging before resolution: parsed numbers that are not clamped to bounds. */
export type RawPagination =
  | {
      readonly kind: 'page'
      readonly page?: number
      readonly pageSize?: number
      readonly withCount?: boolean
    }
  | {
      readonly kind: 'offset'
      readonly start?: number
      readonly limit?: number
      readonly withCount?: boolean
    }

/** `pagination[after]` or `[before]`: the page before or after a position in the list. */
export interface RawCursor {
  readonly kind: 'cursor'
  readonly direction: 'after' | 'before'
  /** The cursor as given; empty for the first page (`after`) or the last one (`before`). */
  readonly cursor: string
  readonly pageSize?: number
  readonly withCount?: boolean
  readonly at: ParamPath
}

/** A name in `fields`; `*` is never among them: it makes the whole list `'*'`. */
export interface RawField {
  readonly name: string
  readonly at: ParamPath
}

export type RawFilter =
  | RawGroup
  | { readonly kind: 'not'; readonly child: RawFilter; readonly at: ParamPath }
  /** `filters[author]…`: `child` applies to that attribute. */
  | { readonly kind: 'field'; readonly name: string; readonly child: RawFilter; readonly at: ParamPath }
  /** Applies to the nearest enclosing `field`. The operator's `operand` defines the number of `values`, at least one. */
  | {
      readonly kind: 'compare'
      readonly operator: OperatorName
      readonly values: readonly string[]
      readonly at: ParamPath
    }
  /** A comparison by an operator of a plugin with any of the values, at least one. */
  | {
      readonly kind: 'added'
      readonly operator: AddedOperator
      readonly values: readonly string[]
      readonly at: ParamPath
    }

export interface RawGroup {
  readonly kind: 'and' | 'or'
  /** Written as `$and` or `$or`, not implied by an object with several keys or by a list. */
  readonly explicit: boolean
  readonly children: readonly RawFilter[]
  readonly at: ParamPath
}

/** The parameters of a list of entries, at the root and inside `populate`. */
export interface RawNode {
  /** `undefined`: absent or empty. */
  readonly fields: readonly RawField[] | '*' | undefined
  readonly sort: readonly RawSort[]
  readonly filters: RawFilter | undefined
  readonly populate: RawPopulate
  /** Parameters that plugins declared, by name, unparsed. */
  readonly params: ReadonlyMap<string, { readonly value: RawValue; readonly at: ParamPath }>
}

export interface RawPopulate {
  /** Whether `*` was given: every relation, component and zone, one level. */
  readonly all: boolean
  /** The named places. `false` excludes a place from `*`. */
  readonly named: ReadonlyMap<string, RawChild | false>
}

export interface RawChild extends RawNode {
  readonly at: ParamPath
  /** Paging within each parent's list, without a count. */
  readonly page: RawPagination | undefined
  /** `[count]=true`: the number of entries instead of the entries. */
  readonly count: boolean
  /** `[on][category.name]`: only these components of a zone. `undefined`: all of them. */
  readonly on: ReadonlyMap<string, RawChild | false> | undefined
  /** `[of]=articles`: the attribute that the place shows under its own name. `undefined`: the attribute of that name. */
  readonly of: string | undefined
}

export interface RawQuery extends RawNode {
  readonly pagination: RawPagination | RawCursor
  /** `_q`; `undefined` when absent or empty. */
  readonly search: string | undefined
}
