/**
 * What was asked, as it is understood: every name is an attribute of a known model, every value has been read by
 * that attribute's type. A plan is frozen; compile needs nothing else.
 */
import type { Bindable } from '../content-type/attribute-type.ts'
import type {
  ComponentAttribute,
  Model,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../content-type/model.ts'
import type { OperatorName } from '../operator/table.ts'
import type { RuntimeValue } from '../sql/sql.ts'

export type { RuntimeValue } from '../sql/sql.ts'

export type Operand =
  | { readonly kind: 'value'; readonly value: Bindable }
  | { readonly kind: 'runtime'; readonly value: RuntimeValue }
  /** The database's `now()`. */
  | { readonly kind: 'now' }

/** Three-valued, as in SQL: what compares with null is unknown, and only what is true is answered. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly children: readonly Condition[] }
  | { readonly kind: 'not'; readonly child: Condition }
  | {
      readonly kind: 'compare'
      readonly attribute: ScalarAttribute
      readonly operator: OperatorName
      /** One for `one`, the whole list as one value for `list`, two for `pair`, none for `flag` (resolved to $null or $notNull). */
      readonly operands: readonly Operand[]
      /** Compares the attribute's text (text operators, `_q`). */
      readonly asText: boolean
    }
  | {
      /** Some related entry (or component) within `scope` meets `child`; with `orNone`, or there is none within `scope`. */
      readonly kind: 'related'
      readonly attribute: RelationAttribute | ComponentAttribute
      readonly target: Model
      /** What plugins narrow the related entries to. */
      readonly scope: Condition | undefined
      readonly child: Condition
      readonly orNone: boolean
    }
  | { readonly kind: 'constant'; readonly value: boolean }

export interface OrderStep {
  readonly attribute: RelationAttribute | ComponentAttribute
  readonly target: Model
  /** What plugins narrow the related entries to. */
  readonly scope: Condition | undefined
}

export interface OrderTerm {
  /** The to-one or to-many steps to the attribute; empty for the entry's own. */
  readonly path: readonly OrderStep[]
  readonly attribute: ScalarAttribute
  readonly direction: 'asc' | 'desc'
}

export interface PlanNode {
  readonly model: Model
  /** In the model's order; the id always comes along. */
  readonly select: readonly ScalarAttribute[]
  readonly where: Condition | undefined
  /** Always ends in a unique key, so that pages never overlap. Empty: as connected, then by id. */
  readonly order: readonly OrderTerm[]
  readonly slice: { readonly offset: number; readonly limit: number | undefined } | undefined
  readonly children: readonly PlanChild[]
  /** Of an answered entry; `undefined`: it has no `meta`. */
  readonly meta: readonly PlanMeta[] | undefined
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
  /** What plugins narrow the related entries to. */
  readonly scope: Condition | undefined
}

export type PlanChild =
  | { readonly kind: 'relation'; readonly attribute: RelationAttribute; readonly node: PlanNode }
  /** `{ data: { attributes: { count } } }` in place of the entries. */
  | { readonly kind: 'count'; readonly attribute: RelationAttribute; readonly node: PlanNode }
  | { readonly kind: 'component'; readonly attribute: ComponentAttribute; readonly node: PlanNode }
  | { readonly kind: 'zone'; readonly attribute: ZoneAttribute; readonly nodes: readonly PlanNode[] }

/** How a list is counted and what `meta.pagination` repeats. */
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

/** A page that begins at a place in the list, however deep: the entries beyond that place, in the order of the list. */
export interface Keyset {
  /** Names the content-type and the sort, for cursors. */
  readonly list: string
  /** The entry's own attributes; ends in the id. */
  readonly order: readonly OrderTerm[]
  /** Before the place, nearest first. */
  readonly backward: boolean
  /** The text of each term's value there; `undefined`: from the end of the list. */
  readonly position: readonly (string | null)[] | undefined
}

export type QueryPlan = PlanKind & {
  /** Uids of the models that filters and sorts of the query go through. Default: none. */
  readonly named?: ReadonlySet<string>
}

/** A plan, by what it answers. */
export type PlanKind =
  /** `data` is a list. */
  | {
      readonly kind: 'list'
      readonly root: PlanNode
      readonly paging: Paging
      /** More than these are not counted, but estimated. `undefined`: all are counted. */
      readonly countUpTo: number | undefined
    }
  /** `data` is the first entry that matches, or there is none. */
  | { readonly kind: 'one'; readonly root: PlanNode }
  /** `data` is the list of all entries that match: those of a single type, which has a few. */
  | { readonly kind: 'all'; readonly root: PlanNode }
  | { readonly kind: 'count'; readonly root: PlanNode }
