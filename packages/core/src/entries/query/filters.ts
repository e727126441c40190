/** The type of `filters`, and of the names that lead to related entries. */
import type {
  AttributeOf,
  ComponentOfUid,
  Definition,
  IsUnknown,
  PopulatedName,
  TargetOf,
  Value,
  ValueName,
} from '../../content-type/types/attributes-of.ts'
import type { AddedOperators } from '../../operator/added.ts'
import type { OperatorName, operators } from '../../operator/table.ts'
import type { OneOrMany, QueryInput } from './query-input.ts'

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

/** `keyof` itself, not `OperatorName`, takes over the docstrings of the table, which editors show. */
type OperatorsOn<Class, V> = {
  readonly [O in keyof typeof operators as (typeof operators)[O]['on'] extends Class ? O : never]?:
    | OperandOf<O, V>
    | undefined
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

/** The operators of plugins for the type of an attribute. */
type AddedFilters<A> = {
  readonly [O in keyof AddedOperators as AddedOperators[O] extends { readonly on: infer On }
    ? A extends { readonly type: On }
      ? O
      : never
    : never]?: AddedOperators[O] extends { readonly operand: infer Operand }
    ? OneOrMany<Operand> | undefined
    : never
}

/** `unknown` for a type without keys: in an intersection, it would accept every key. */
type OrUnknown<T> = [keyof T] extends [never] ? unknown : T

/** A value, a list of alternative values, or operators. */
export type ValueFilter<A> =
  | OneOrMany<Given<A>>
  | (ValueOperators<A> & OrUnknown<AddedFilters<A>> & { readonly $not?: ValueFilter<A> | undefined })

type IdAttribute = { readonly type: 'integer' }

/** Names of relations and components for filters. */
export type FilteredName<D extends Definition> = {
  [K in PopulatedName<D>]: AttributeOf<D, K> extends { readonly type: 'relation' | 'component' } ? K : never
}[PopulatedName<D>]

/** Conditions on an entry of `D`. A condition without a value (`undefined`) is left out, also with `exactOptionalPropertyTypes`. */
export type Filters<M, D extends Definition> =
  IsUnknown<D> extends true
    ? QueryInput
    : {
        readonly $and?: readonly Filters<M, D>[] | undefined
        readonly $or?: readonly Filters<M, D>[] | undefined
        readonly $not?: Filters<M, D> | undefined
        readonly id?: ValueFilter<IdAttribute> | undefined
      } & { readonly [K in ValueName<D>]?: ValueFilter<AttributeOf<D, K>> | undefined } & {
        readonly [K in FilteredName<D>]?: ThroughFilter<M, AttributeOf<D, K>> | undefined
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
