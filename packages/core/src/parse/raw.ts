/**
 * What the client asked, as written: names are unchecked text, values are unread text. Nothing here knows a
 * content-type; only `resolve` looks names up, so an unchecked name cannot reach SQL.
 */
import type { OperatorName } from '../operator/table.ts'

/** Where in the query string something was said, e.g. `filters[author][name][$eq]`. For error messages. */
export type ParamPath = string & { readonly __brand: 'ParamPath' }

/** What a query string decodes to. Objects have no prototype. */
export type RawValue = string | readonly RawValue[] | { readonly [key: string]: RawValue }

/** `sort=author.name:desc` → `{ path: ['author', 'name'], direction: 'desc' }` */
export interface RawSort {
  readonly path: readonly string[]
  readonly direction: 'asc' | 'desc'
  readonly at: ParamPath
}

/** Paging as written, whole numbers already read and not yet clamped to any bound. */
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

/** `pagination[after]` or `[before]`: the page next to a place in the list. */
export interface RawCursor {
  readonly kind: 'cursor'
  readonly direction: 'after' | 'before'
  /** As it came; empty for the first page, or the last one. */
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
  /** `filters[author]…`: `child` speaks of that attribute. */
  | { readonly kind: 'field'; readonly name: string; readonly child: RawFilter; readonly at: ParamPath }
  /** Speaks of the nearest `field` around it. `values` has what the operator's `operand` says, at least one. */
  | {
      readonly kind: 'compare'
      readonly operator: OperatorName
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

/** What may be said of a list of entries, at the root and inside `populate` alike. */
export interface RawNode {
  /** `undefined`: not given, or given empty. */
  readonly fields: readonly RawField[] | '*' | undefined
  readonly sort: readonly RawSort[]
  readonly filters: RawFilter | undefined
  readonly populate: RawPopulate
  /** Parameters that plugins declared, by name; unread. */
  readonly params: ReadonlyMap<string, { readonly value: RawValue; readonly at: ParamPath }>
}

export interface RawPopulate {
  /** `*` was said: every relation, component and zone, one level. */
  readonly all: boolean
  /** What was named, by name. `false` leaves it out of `*`. */
  readonly named: ReadonlyMap<string, RawChild | false>
}

export interface RawChild extends RawNode {
  readonly at: ParamPath
  /** Paging within each parent's list; unlike the root's it has no count. */
  readonly page: RawPagination | undefined
  /** `[count]=true`: the number of entries in their place. */
  readonly count: boolean
  /** `[on][category.name]`: keeps only these components of a zone. `undefined`: all of them. */
  readonly on: ReadonlyMap<string, RawChild | false> | undefined
}

export interface RawQuery extends RawNode {
  readonly pagination: RawPagination | RawCursor
  /** `_q`; `undefined` when absent or empty. */
  readonly search: string | undefined
}
