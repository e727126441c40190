/** The type of a query, from the definition: its names, operators and values. */
import type { DoesNotExist } from '../content-type/attribute-options.ts'
import type {
  Attribute,
  ComponentOfUid,
  Definition,
  IsUnknown,
  PopulatedName,
  TargetOf,
  Value,
  ValueName,
} from '../content-type/attributes-of.ts'
import type { OperatorName, operators } from '../operator/table.ts'

/** A query as an object, with the same names as in a URL: `{ filters: { title: { $eq: 'Emma' } }, populate: '*' }`. */
export type QueryInput = Readonly<Record<string, unknown>>

/** Parameters that plugins add to a query, by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins fill it
export interface AddedParameters {}

/** Parameters that plugins add to populated nodes, by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins fill it
export interface AddedChildParameters {}

type OneOrMany<T> = T | readonly T[]

// Filters

type Unordered = 'json' | 'array' | 'blocks'
/** Types without `$startsWith`; types of plugins may have it. */
type NumberType = 'integer' | 'biginteger' | 'float' | 'decimal'

/** The operand of an operator on a value of type `V`. */
type OperandOf<O extends OperatorName, V> = (typeof operators)[O] extends { readonly operand: 'flag' }
  ? boolean
  : (typeof operators)[O] extends { readonly operand: 'pair' }
    ? readonly [Operated<O, V>, Operated<O, V>]
    : OneOrMany<Operated<O, V>>

type Operated<O extends OperatorName, V> = (typeof operators)[O] extends { readonly on: 'text' | 'prefix' }
  ? string | number
  : V

type OperatorsOn<Class, V> = {
  readonly [O in OperatorName as (typeof operators)[O]['on'] extends Class ? O : never]?: OperandOf<O, V>
}

/** A value in a filter: numbers for digits, and `Date` for times. */
type Given<A> = A extends { readonly type: 'biginteger' | 'decimal' | 'timestamp' | 'integer' | 'float' }
  ? number | string
  : A extends { readonly type: 'date' | 'datetime' }
    ? string | Date
    : A extends { readonly type: Unordered }
      ? string
      : Value<A>

type ValueOperators<A> = OperatorsOn<'any' | 'text', Given<A>> &
  (A extends { readonly type: Unordered } ? unknown : OperatorsOn<'ordered', Given<A>>) &
  (A extends { readonly type: NumberType } ? unknown : OperatorsOn<'prefix', Given<A>>)

/** A value, a list of alternative values, or operators. */
export type ValueFilter<A> = OneOrMany<Given<A>> | (ValueOperators<A> & { readonly $not?: ValueFilter<A> })

type Id = { readonly type: 'integer' }

/** Names of relations and components for filters. */
type FilteredName<D extends Definition> = {
  [K in PopulatedName<D>]: Attribute<D, K> extends { readonly type: 'relation' | 'component' } ? K : never
}[PopulatedName<D>]

/** Conditions on an entry of `D`. */
export type Filters<M, D extends Definition> =
  IsUnknown<D> extends true
    ? QueryInput
    : {
        readonly $and?: readonly Filters<M, D>[]
        readonly $or?: readonly Filters<M, D>[]
        readonly $not?: Filters<M, D>
        readonly id?: ValueFilter<Id>
      } & { readonly [K in ValueName<D>]?: ValueFilter<Attribute<D, K>> } & {
        readonly [K in FilteredName<D>]?: ThroughFilter<M, Attribute<D, K>>
      }

/** Conditions on a related entry: its id or its attributes. */
type ThroughFilter<M, A> =
  | OneOrMany<number | string>
  | OperatorsOn<'any', number | string>
  | Filters<M, LedTo<M, A>>

/** The target definition of a relation or a component. */
export type LedTo<M, A> = A extends { readonly type: 'component'; readonly component: infer Uid }
  ? ComponentOfUid<M, Uid>
  : TargetOf<M, A>

// Sort and fields

type Direction = 'asc' | 'desc'
type Directed<Path extends string> = Path | `${Path}:${Direction}`
type SortName<D extends Definition> = ValueName<D> | 'id'

/** `title`, `title:desc`, and through relations `author.name:desc`. */
export type SortTerm<D extends Definition> =
  IsUnknown<D> extends true ? string : Directed<SortName<D>> | `${FilteredName<D>}.${string}`

/** Terms, most significant first, or an object: `{ author: { name: 'desc' } }`. */
export type Sort<M, D extends Definition> = OneOrMany<SortTerm<D>> | OneOrMany<SortObject<M, D>>

type SortObject<M, D extends Definition> =
  IsUnknown<D> extends true
    ? QueryInput
    : { readonly [K in SortName<D>]?: Direction } & {
        readonly [K in FilteredName<D>]?: SortObject<M, LedTo<M, Attribute<D, K>>>
      }

/** Rejects paths of `sort` whose names do not exist. As a union of all paths they would be too many for TypeScript. */
export type CheckedSort<M, D extends Definition, S> =
  IsUnknown<D> extends true
    ? unknown
    : S extends string
      ? string extends S
        ? unknown
        : S extends `${infer Path}:${infer Order}`
          ? Order extends Direction
            ? CheckedTerm<M, D, Path>
            : DoesNotExist<`A direction is asc or desc, not "${Order}"`>
          : CheckedTerm<M, D, S>
      : S extends readonly unknown[]
        ? { readonly [I in keyof S]: CheckedSort<M, D, S[I]> }
        : unknown

type CheckedTerm<M, D extends Definition, Path extends string> =
  IsUnknown<D> extends true
    ? unknown
    : Path extends `${infer First}.${infer Rest}`
      ? First extends FilteredName<D>
        ? CheckedTerm<M, LedTo<M, Attribute<D, First>>, Rest>
        : NotSortable<First>
      : Path extends SortName<D>
        ? unknown
        : NotSortable<Path>

type NotSortable<Name extends string> = DoesNotExist<`There is nothing to sort by under the name "${Name}"`>

/** `title`, a list of names, or `*`. */
export type Fields<D extends Definition> =
  IsUnknown<D> extends true ? OneOrMany<string> : OneOrMany<ValueName<D> | 'id' | '*'>

// Populate

/** `author`, `author.avatar`, or `*`. */
export type PopulateTerm<D extends Definition> = '*' | PopulatedName<D> | `${PopulatedName<D>}.${string}`

/** `*`, names, or an object with options for each place. */
export type Populate<M, D extends Definition> =
  IsUnknown<D> extends true
    ? OneOrMany<string> | QueryInput
    :
        | OneOrMany<PopulateTerm<D>>
        | { readonly [K in PopulatedName<D>]?: boolean | '*' | ChildQuery<M, Attribute<D, K>> }

interface ListQuery<M, D extends Definition> extends AddedChildParameters {
  readonly fields?: Fields<D>
  readonly populate?: Populate<M, D>
  readonly sort?: Sort<M, D>
  readonly filters?: Filters<M, D>
  /** Paging within each parent's list: by offset or page number. */
  readonly start?: number
  readonly limit?: number
  readonly page?: number
  readonly pageSize?: number
}

interface RelationQuery<M, D extends Definition> extends ListQuery<M, D> {
  /** The number of related entries instead of the entries. Default false. */
  readonly count?: boolean
}

interface ZoneQuery<M, Uid> {
  /** Names in any of the components. */
  readonly populate?: OneOrMany<string> | QueryInput
  /** Returns only these components. */
  readonly on?: { readonly [U in Uid & string]?: boolean | '*' | ListQuery<M, ComponentOfUid<M, U>> }
}

/** The options of one populated place. */
export type ChildQuery<M, A> = A extends { readonly type: 'relation' }
  ? RelationQuery<M, TargetOf<M, A>>
  : A extends { readonly type: 'component'; readonly component: infer Uid }
    ? ListQuery<M, ComponentOfUid<M, Uid>>
    : A extends { readonly type: 'dynamiczone'; readonly components: readonly (infer Uid)[] }
      ? ZoneQuery<M, Uid>
      : QueryInput

/** Rejects unknown names in `populate`. TypeScript does not check excess keys of a type parameter. */
export type CheckedPopulate<M, D extends Definition, P> =
  IsUnknown<D> extends true
    ? unknown
    : P extends string
      ? CheckedPlace<M, D, P>
      : P extends readonly unknown[]
        ? { readonly [I in keyof P]: CheckedPopulate<M, D, P[I]> }
        : {
            readonly [K in keyof P]: K extends PopulatedName<D>
              ? CheckedChild<M, Attribute<D, K>, P[K]>
              : DoesNotExist<`There is nothing to populate under the name "${K & string}"`>
          }

/** Rejects unknown names in a path of `populate`: `author.avatar`. */
type CheckedPlace<M, D extends Definition, Path extends string> =
  IsUnknown<D> extends true
    ? unknown
    : string extends Path
      ? unknown
      : Path extends '*'
        ? unknown
        : Path extends `${infer First}.${infer Rest}`
          ? First extends PopulatedName<D>
            ? Attribute<D, First> extends { readonly type: 'relation' | 'component' }
              ? CheckedPlace<M, LedTo<M, Attribute<D, First>>, Rest>
              : unknown
            : NothingUnder<First>
          : Path extends PopulatedName<D>
            ? unknown
            : NothingUnder<Path>

type NothingUnder<Name extends string> = DoesNotExist<`There is nothing to populate under the name "${Name}"`>

type CheckedChild<M, A, C> = C extends object
  ? A extends { readonly type: 'relation' | 'component' }
    ? CheckedOptions<M, LedTo<M, A>, ChildQuery<M, A>, C>
    : A extends { readonly type: 'dynamiczone' }
      ? { readonly [K in keyof C]: K extends 'on' ? CheckedOn<M, C[K]> : CheckedKey<K, ChildQuery<M, A>> }
      : unknown
  : unknown

type CheckedOn<M, On> = {
  readonly [U in keyof On]: On[U] extends object
    ? CheckedOptions<M, ComponentOfUid<M, U>, ListQuery<M, ComponentOfUid<M, U>>, On[U]>
    : unknown
}

type CheckedOptions<M, D extends Definition, Options, C> = {
  readonly [K in keyof C]: K extends 'populate'
    ? CheckedPopulate<M, D, C[K]>
    : K extends 'sort'
      ? CheckedSort<M, D, C[K]>
      : CheckedKey<K, Options>
}

type CheckedKey<K, Options> = K extends keyof Options
  ? unknown
  : DoesNotExist<`A populated place has no parameter "${K & string}"`>

// Queries

export type PageInput =
  | OnlyKeys<{ page?: number; pageSize?: number; withCount?: boolean }>
  | OnlyKeys<{ start?: number; limit?: number; withCount?: boolean }>
  | OnlyKeys<{ after: string; pageSize?: number; withCount?: boolean }>
  | OnlyKeys<{ before: string; pageSize?: number; withCount?: boolean }>

type PageKey = 'page' | 'pageSize' | 'start' | 'limit' | 'after' | 'before' | 'withCount'

/** The keys of different paging methods exclude each other. */
type OnlyKeys<T> = Readonly<T> & { readonly [K in Exclude<PageKey, keyof T>]?: never }

/** The query of one entry of `D`: its attributes and populated places. */
export interface AnswerQuery<M, D extends Definition, F, P> extends AddedParameters {
  readonly fields?: F
  readonly populate?: P & CheckedPopulate<M, D, P>
}

/** The query of a list of entries of `D`. */
export interface ListingQuery<M, D extends Definition, F, P, S = Sort<M, D>> extends AnswerQuery<M, D, F, P> {
  readonly filters?: Filters<M, D>
  readonly sort?: S & CheckedSort<M, D, S>
  readonly pagination?: PageInput
  /** Finds entries that contain the phrase. */
  readonly _q?: string
}
