/** The types of inputs: the valid inputs of programs, from the definition only. */
import type { ComponentOfUid, Definition, Flat, IsUnknown, MorphTo, ToMany, Value } from './attributes-of.ts'
import type { AttributeValues, LinkedAttributes } from './values.ts'

/**
 * The input of a write: `create` takes all of it, `update` any part. Components have the types of their definitions in the
 * model `M`; without one any values.
 */
export type InputOf<D extends Definition, M = Record<never, never>> = Flat<
  WrittenAttributes<D, M, HasDrafts<D>> & AddedInput
>

type WrittenAttributes<D extends Definition, M, Drafts> = {
  readonly [K in keyof D['attributes'] as D['attributes'][K] extends IsComputed
    ? never
    : Needed<D['attributes'][K], Drafts> extends true
      ? K
      : never]: Written<D['attributes'][K], M, Drafts>
} & {
  readonly [K in keyof D['attributes'] as D['attributes'][K] extends IsComputed
    ? never
    : Needed<D['attributes'][K], Drafts> extends true
      ? never
      : K]?: Written<D['attributes'][K], M, Drafts> | null
}

/** Additional inputs of plugins, added by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins fill it
export interface AddedInput {}

/** A draft may lack required attributes, in its components too. */
type HasDrafts<D> = D extends { readonly options: { readonly draftAndPublish: true } } ? true : false

/** An attribute that is not stored. */
type IsComputed = { readonly computed: object | true }

/** Whether a create requires the attribute: not with a default, and not for types with drafts. */
type Needed<A, Drafts> = Drafts extends true
  ? false
  : A extends { readonly default: unknown }
    ? false
    : A extends { readonly required: true }
      ? true
      : false

type Written<A, M, Drafts> = A extends MorphTo
  ? MorphInput
  : A extends { readonly type: 'biginteger' | 'decimal' | 'timestamp' }
    ? number | string
    : A extends { readonly type: 'password' }
      ? string
      : A extends { readonly type: keyof AttributeValues }
        ? Value<A>
        : A extends { readonly type: 'relation'; readonly relation: infer Kind }
          ? RelationInput<Kind extends ToMany ? true : false>
          : A extends { readonly type: 'component'; readonly component: infer Uid }
            ? A extends { readonly repeatable: true }
              ? readonly WrittenComponent<Uid, M, Drafts>[]
              : WrittenComponent<Uid, M, Drafts>
            : A extends { readonly type: 'dynamiczone'; readonly components: readonly (infer Uid)[] }
              ? readonly ZoneItemInput<Uid, M, Drafts>[]
              : A extends { readonly type: keyof LinkedAttributes }
                ? RelationInput<A extends { readonly multiple: true } ? true : false>
                : unknown

/** A component: a new one, or with its `id` one of the entry, of which the given values are changed. */
type WrittenComponent<Uid, M, Drafts> =
  ComponentOfUid<M, Uid> extends infer C extends Definition
    ? IsUnknown<C> extends true
      ? ComponentInput
      :
          | Flat<{ readonly id: IdInput } & Partial<WrittenAttributes<C, M, Drafts>>>
          | Flat<{ readonly id?: never } & WrittenAttributes<C, M, Drafts>>
    : ComponentInput

type ZoneItemInput<Uid, M, Drafts> = Uid extends unknown
  ? WrittenComponent<Uid, M, Drafts> & { readonly __component: Uid }
  : never

/** Values of a component; with the `id` of a component of the entry, it is changed in place. */
export interface ComponentInput {
  readonly id?: number
  readonly [attribute: string]: unknown
}

type IdInput = number | string

/** One related entry: its id, alone or in an object. */
export type EntryReference = IdInput | { readonly id: IdInput }

/** Related entries: the new list, or a change of the existing one. Source: docs/contract/writing.md#relations. */
export type RelationInput<Many extends boolean = boolean> =
  | (Many extends true ? EntryReference | readonly EntryReference[] : EntryReference)
  | {
      readonly connect?: Connect | readonly Connect[]
      readonly disconnect?: EntryReference | readonly EntryReference[]
      readonly options?: { readonly strict?: boolean }
    }
  | { readonly set: EntryReference | readonly EntryReference[] | null }

/** An entry of any content-type; `field` when it has several inverse attributes. */
export interface MorphReference {
  readonly id: IdInput
  /** The uid of the content-type: `api::article.article`. */
  readonly type: string
  readonly field?: string
}

export type MorphInput =
  | MorphReference
  | readonly MorphReference[]
  | {
      readonly connect?: MorphReference | readonly MorphReference[]
      readonly disconnect?: MorphReference | readonly MorphReference[]
    }
  | { readonly set: MorphReference | readonly MorphReference[] | null }

type Connect =
  | EntryReference
  | {
      readonly id: IdInput
      readonly position?:
        | { readonly before: IdInput }
        | { readonly after: IdInput }
        | { readonly start: true }
        | { readonly end: true }
    }
