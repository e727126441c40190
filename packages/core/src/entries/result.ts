/** The type of a result, from the definition and from the `fields` and `populate` of the query. */
import type {
  Answered,
  AttributeOf,
  ComponentOfUid,
  Definition,
  Flat,
  IsUnknown,
  PopulatedName,
  TargetOf,
  ToMany,
  ValueName,
} from '../content-type/types/attributes-of.ts'
import type { UnknownComponent, UnknownEntry } from '../content-type/types/entry-types.ts'
import type { LinkedAttributes } from '../content-type/types/values.ts'
import type { PopulateTerm } from './query/populate.ts'

/** An entry of `D` with the selected fields `F` and the populated places `P`; `never` for an absent parameter. */
export type ResultOf<M, D extends Definition, F = never, P = never> =
  IsUnknown<D> extends true
    ? UnknownEntry
    : {
        readonly id: number
        readonly attributes: ResultAttributes<M, D, F, P>
        readonly meta?: Readonly<Record<string, unknown>>
      }

type ResultAttributes<M, D extends Definition, F, P> = Flat<
  { readonly [K in SelectedName<D, F>]: Answered<AttributeOf<D, K>> } & {
    readonly [K in GivenName<D, P>]: PopulatedResult<M, AttributeOf<D, K>, Child<P, K>> | Unless<P, K>
  }
>

/** `undefined` where a condition of the program decides whether a name is populated: `populate: { author: isLong }`. */
type Unless<P, K> = K extends keyof P ? ([Extract<P[K], LeftOut>] extends [never] ? never : undefined) : never

/** A value of a name in `populate` that does not populate it. */
type LeftOut = false | undefined

type ResultComponent<M, D extends Definition, C> =
  IsUnknown<D> extends true
    ? UnknownComponent
    : Flat<{ readonly id: number } & ResultAttributes<M, D, FieldsIn<C>, PopulateIn<C>>>

type Element<T> = T extends readonly (infer E)[] ? E : T

type SelectedName<D extends Definition, F> = [F] extends [never]
  ? ValueName<D>
  : '*' extends Element<F>
    ? ValueName<D>
    : Extract<ValueName<D>, Element<F>>

/** The first name of a path. */
type Head<Path> = Path extends `${infer First}.${string}` ? First : Path

/**
 * The names in `populate`, in any of its forms. A type that every `populate` fits, as `ReturnType` of a method and variables
 * have it, names nothing.
 */
type GivenName<D extends Definition, P> = [PopulateTerm<D>] extends [P]
  ? never
  : [P] extends [never]
    ? never
    : P extends string | readonly unknown[]
      ? '*' extends Element<P>
        ? PopulatedName<D>
        : Extract<PopulatedName<D>, Head<Element<P>>>
      : Extract<PopulatedName<D>, { [K in keyof P]: P[K] extends LeftOut ? never : K }[keyof P]>

/** The rest of the paths of `populate` after a name. */
type Tail<Path, K> = Path extends `${K & string}.${infer Rest}` ? Rest : never

/** The options of a name in `populate`, in object form. */
type Child<P, K> = P extends string | readonly unknown[]
  ? [Tail<Element<P>, K>] extends [never]
    ? unknown
    : { readonly populate: readonly Tail<Element<P>, K>[] }
  : K extends keyof P
    ? P[K]
    : unknown

type FieldsIn<C> = C extends { readonly fields: infer F } ? F : never
type PopulateIn<C> = C extends { readonly populate: infer P } ? P : never

/** This type and `LinkedEntry` are aliases: an interface would need a public name for the declarations of programs. */
type CountResult = { readonly data: { readonly attributes: { readonly count: number } } }

type PopulatedResult<M, A, C> = A extends { readonly type: 'relation'; readonly relation: infer Kind }
  ? C extends { readonly count: true }
    ? CountResult
    : {
        readonly data: Kind extends ToMany
          ? readonly ResultOf<M, TargetOf<M, A>, FieldsIn<C>, PopulateIn<C>>[]
          : ResultOf<M, TargetOf<M, A>, FieldsIn<C>, PopulateIn<C>> | null
      }
  : A extends { readonly type: 'component'; readonly component: infer Uid }
    ? A extends { readonly repeatable: true }
      ? readonly ResultComponent<M, ComponentOfUid<M, Uid>, C>[]
      : ResultComponent<M, ComponentOfUid<M, Uid>, C> | null
    : A extends { readonly type: 'dynamiczone'; readonly components: readonly (infer Uid)[] }
      ? readonly ZoneItemResult<M, Uid, C>[]
      : A extends { readonly type: infer T extends keyof LinkedAttributes }
        ? { readonly data: Linked<A, LinkedSelection<LinkedAttributes[T], FieldsIn<C>, PopulateIn<C>>> }
        : unknown

/** Link types are null when nothing is linked, even to-many ones. */
type Linked<A, Attributes> = A extends { readonly multiple: true }
  ? readonly LinkedEntry<Attributes>[] | null
  : LinkedEntry<Attributes> | null

/** The attributes of `fields`, and with them those that `populate` names. */
type LinkedSelection<Attributes, F, P> = [F] extends [never]
  ? Attributes
  : '*' extends Element<F>
    ? Attributes
    : Flat<Pick<Attributes, Extract<keyof Attributes, Element<F> | NameIn<P>>>>

type NameIn<P> = [P] extends [never]
  ? never
  : P extends string | readonly unknown[]
    ? Head<Element<P>>
    : keyof P

type LinkedEntry<Attributes> = { readonly id: number; readonly attributes: Attributes }

/** One member per component, discriminated by `__component`. An `on` without names is left out of the query, and the answer has all components. */
type ZoneItemResult<M, Uid, C> = Uid extends unknown
  ? C extends { readonly on: infer On }
    ? [keyof On] extends [never]
      ? ZoneItem<M, Uid, C>
      : Uid extends keyof On
        ? ZoneItem<M, Uid, On[Uid]>
        : never
    : ZoneItem<M, Uid, C>
  : never

type ZoneItem<M, Uid, C> = { readonly __component: Uid } & ResultComponent<M, ComponentOfUid<M, Uid>, C>
