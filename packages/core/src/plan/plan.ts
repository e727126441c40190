/**
 * The resolved query: every name is an attribute of a known model, every value has been parsed by
 * that attribute's type. A plan is frozen and is the only input of compile.
 */

import type { RuntimeValue, Sql } from '@octavo/database'
import type { Bindable } from '../content-type/attribute-type.ts'
import type {
  ComponentAttribute,
  Model,
  RelationAttribute,
  ScalarAttribute,
  UsesAttribute,
  ValueAttribute,
  ZoneAttribute,
} from '../content-type/model.ts'
import type { FullText } from '../content-type/search/full-text.ts'
import type { AddedOperator } from '../operator/added.ts'
import type { OperatorName } from '../operator/table.ts'

import type { AnswerLayout } from './layout.ts'

export type { RuntimeValue } from '@octavo/database'

export type Operand =
  | { readonly kind: 'value'; readonly value: Bindable }
  | { readonly kind: 'runtime'; readonly value: RuntimeValue }
  /** The database's `now()`. */
  | { readonly kind: 'now' }
  /** The id of the entry that the message writes. */
  | { readonly kind: 'written' }

/** Three-valued, as in SQL: a comparison with null is unknown, and only rows for which the condition is true are returned. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly children: readonly Condition[] }
  | { readonly kind: 'not'; readonly child: Condition }
  | {
      readonly kind: 'compare'
      readonly attribute: ValueAttribute
      readonly operator: OperatorName
      /** One for `one`, the whole list as one value for `list`, two for `pair`, none for `flag` (resolved to $null or $notNull). */
      readonly operands: readonly Operand[]
      /** Compares the attribute's text (text operators, `_q`). */
      readonly asText: boolean
    }
  | {
      /** An attribute compared by an operator of a plugin. */
      readonly kind: 'added'
      readonly attribute: ValueAttribute
      readonly operator: AddedOperator
      /** The operand as given, for explanations. */
      readonly operand: string
      /** The condition on the attribute's value. */
      readonly sql: (value: Sql) => Sql
    }
  | {
      /** Some related entry (or component) that meets `within` meets `child`; with `orNone`, or no entry meets `within`. */
      readonly kind: 'related'
      readonly attribute: RelationAttribute | ComponentAttribute
      readonly target: Model
      /** The conditions of plugins on the related entries. */
      readonly within: Condition | undefined
      readonly child: Condition
      readonly orNone: boolean
    }
  | {
      /** The full-text search of the model finds the phrase, in these attributes only. */
      readonly kind: 'matches'
      readonly search: FullText
      /** All attributes of the search, or those that the caller may read. */
      readonly attributes: readonly ScalarAttribute[]
      readonly phrase: string
    }
  | { readonly kind: 'constant'; readonly value: boolean }

export interface OrderStep {
  readonly attribute: RelationAttribute | ComponentAttribute
  readonly target: Model
  /** The conditions of plugins on the related entries. */
  readonly within: Condition | undefined
}

export interface OrderTerm {
  /** The to-one or to-many steps to the attribute; empty for the entry's own. */
  readonly path: readonly OrderStep[]
  readonly attribute: ValueAttribute
  readonly direction: 'asc' | 'desc'
}

export interface PlanNode {
  readonly model: Model
  /** In the model's order; the id is always included. */
  readonly select: readonly ValueAttribute[]
  readonly where: Condition | undefined
  /** Always ends in a unique key, so that pages never overlap. Empty: as connected, then by id. */
  readonly order: readonly OrderTerm[]
  readonly slice: { readonly offset: number; readonly limit: number | undefined } | undefined
  readonly children: readonly PlanChild[]
  /** The `meta` of returned entries; `undefined`: none. */
  readonly meta: readonly PlanMeta[] | undefined
  /** Whether answers have the entries without envelopes, `{ id, title }`, as below a list of uses. Default false. */
  readonly flat?: true
}

/** The entries of one content-type in a list of uses, with the attributes that make one a user. */
export interface PlanOwner {
  readonly node: PlanNode
  /** At least one. */
  readonly attributes: readonly RelationAttribute[]
}

/**
 * A value that `meta` of an answered entry carries: the sorted, distinct values of an attribute over a relation onto
 * entries of the same type, of those that the caller may see.
 */
export interface MetaTerm {
  readonly name: string
  readonly relation: RelationAttribute
  readonly attribute: ScalarAttribute
}

export interface PlanMeta extends MetaTerm {
  /** The conditions of plugins on the related entries. */
  readonly within: Condition | undefined
}

/** A populated attribute, in answers under its own name or under `as`. */
export type PlanChild = PopulatedChild & { readonly as?: string }

type PopulatedChild =
  | { readonly kind: 'relation'; readonly attribute: RelationAttribute; readonly node: PlanNode }
  /** `{ data: { attributes: { count } } }` instead of the entries, or `{ count }` instead of components. */
  | {
      readonly kind: 'count'
      readonly attribute: RelationAttribute | ComponentAttribute
      readonly node: PlanNode
    }
  | { readonly kind: 'component'; readonly attribute: ComponentAttribute; readonly node: PlanNode }
  | { readonly kind: 'zone'; readonly attribute: ZoneAttribute; readonly nodes: readonly PlanNode[] }
  /** In the order of the owners, the `order` of their nodes, and ids; each entry once. */
  | {
      readonly kind: 'uses'
      readonly attribute: UsesAttribute
      readonly owners: readonly PlanOwner[]
      readonly slice: PlanNode['slice']
    }

/** The name of a populated attribute in answers. */
export const nameOf = ({ as, attribute }: PlanChild): string => as ?? attribute.name

/** The paging of a list, for its count and `meta.pagination`. */
export type Paging = OffsetPaging | CursorPaging

export type OffsetPaging =
  | { readonly kind: 'page'; readonly page: number; readonly pageSize: number; readonly withCount: boolean }
  | { readonly kind: 'offset'; readonly start: number; readonly limit: number; readonly withCount: boolean }

export interface CursorPaging {
  readonly kind: 'cursor'
  readonly pageSize: number
  readonly withCount: boolean
  readonly keyset: Keyset
}

/** A page that begins at a position in the list: the entries beyond the position, in list order. */
export interface Keyset {
  /** Identifies the content-type and the sort, for cursors. */
  readonly list: string
  /** The entry's own attributes; ends in the id. */
  readonly order: readonly OrderTerm[]
  /** Whether the page is before the position, nearest entries first. */
  readonly backward: boolean
  /** The text of each term's value at the position; `undefined`: from the end of the list. */
  readonly position: readonly (string | null)[] | undefined
}

export type QueryPlan = PlanKind & {
  /** The form of the answer. Default: that of REST. */
  readonly layout?: AnswerLayout
  /** Uids of the models that filters and sorts of the query pass through. Default: none. */
  readonly named?: ReadonlySet<string>
  /**
   * Whether plugins narrow the entries, or hide an attribute, of any place, so that figures about all rows are not for the caller.
   * Default: not known.
   */
  readonly narrowedAnywhere?: boolean
}

/** A plan, by its result. */
export type PlanKind =
  /** `data` is a list. */
  | {
      readonly kind: 'list'
      readonly root: PlanNode
      readonly paging: Paging
      /** Maximum to count; larger totals are estimated. `undefined`: no maximum. */
      readonly countUpTo: number | undefined
    }
  /** `data` is the first entry that matches, if any. */
  | {
      readonly kind: 'one'
      readonly root: PlanNode
      /** For an entry by its id: whether plugins narrow the entries that may be read. Default true. */
      readonly narrowed?: boolean
    }
  /** `data` is the list of all entries that match: those of a single type, which has few. */
  | { readonly kind: 'all'; readonly root: PlanNode }
  | { readonly kind: 'count'; readonly root: PlanNode }
