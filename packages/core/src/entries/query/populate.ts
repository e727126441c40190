/** The type of `populate`, and its checks. */
import type { DoesNotExist } from '../../content-type/types/attribute-options.ts'
import type {
  AttributeOf,
  ComponentOfUid,
  Definition,
  IsUnknown,
  PopulatedName,
  TargetOf,
} from '../../content-type/types/attributes-of.ts'
import type { LinkedAttributes } from '../../content-type/types/values.ts'
import type { Filters, LedTo } from './filters.ts'
import type { AddedChildParameters, OneOrMany, QueryInput } from './query-input.ts'
import type { CheckedSort, Fields, Sort } from './sort.ts'

/** `author`, `author.avatar`, or `*`. */
export type PopulateTerm<D extends Definition> = '*' | PopulatedName<D> | `${PopulatedName<D>}.${string}`

/** `*`, names, or an object with options for each place. */
export type Populate<M, D extends Definition> =
  IsUnknown<D> extends true
    ? OneOrMany<string> | QueryInput
    :
        | OneOrMany<PopulateTerm<D>>
        | { readonly [K in PopulatedName<D>]?: boolean | '*' | ChildQuery<M, AttributeOf<D, K>> }

interface ChildPage extends AddedChildParameters {
  /** Paging within each parent's list: by offset or page number. */
  readonly start?: number
  readonly limit?: number
  readonly page?: number
  readonly pageSize?: number
}

interface ListQuery<M, D extends Definition> extends ChildPage {
  readonly fields?: Fields<D>
  readonly populate?: Populate<M, D>
  readonly sort?: Sort<M, D>
  readonly filters?: Filters<M, D> | undefined
}

/** The options of a link type's attribute, such as a media attribute; names outside of `fields` are not checked. */
interface LinkQuery<Attributes> extends ChildPage {
  readonly fields?: OneOrMany<(keyof Attributes & string) | 'id' | '*'>
  readonly populate?: OneOrMany<string> | QueryInput
  readonly sort?: OneOrMany<string> | OneOrMany<QueryInput>
  readonly filters?: QueryInput
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
      : A extends { readonly type: infer T extends keyof LinkedAttributes }
        ? LinkQuery<LinkedAttributes[T]>
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
              ? CheckedChild<M, AttributeOf<D, K>, P[K]>
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
            ? AttributeOf<D, First> extends { readonly type: 'relation' | 'component' }
              ? CheckedPlace<M, LedTo<M, AttributeOf<D, First>>, Rest>
              : unknown
            : DoesNotExist<`There is nothing to populate under the name "${First}"`>
          : Path extends PopulatedName<D>
            ? unknown
            : DoesNotExist<`There is nothing to populate under the name "${Path}"`>

type CheckedChild<M, A, C> = C extends object
  ? A extends { readonly type: 'relation' | 'component' }
    ? CheckedOptions<M, LedTo<M, A>, ChildQuery<M, A>, C>
    : A extends { readonly type: 'dynamiczone' }
      ? { readonly [K in keyof C]: K extends 'on' ? CheckedOn<M, C[K]> : CheckedKey<K, ChildQuery<M, A>> }
      : { readonly [K in keyof C]: CheckedKey<K, ChildQuery<M, A>> }
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
