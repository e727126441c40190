/** The types of inputs: the valid inputs of programs, from the definition only. */
import type { Definition, Flat, MorphTo, ToMany, Value } from './attributes-of.ts'
import type { AttributeValues } from './values.ts'

/** The input of a write: `create` takes all of it, `update` any part. */
export type InputOf<D extends Definition> = Flat<
  {
    readonly [K in keyof D['attributes'] as Needed<D, D['attributes'][K]> extends true ? K : never]: Written<
      D['attributes'][K]
    >
  } & {
    readonly [K in keyof D['attributes'] as Needed<D, D['attributes'][K]> extends true ? never : K]?: Written<
      D['attributes'][K]
    > | null
  } & AddedInput
>

/** Additional inputs of plugins, added by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins fill it
export interface AddedInput {}

/** Whether a create requires the attribute: not with a default, and not for types with drafts. */
type Needed<D, A> = D extends { readonly options: { readonly draftAndPublish: true } }
  ? false
  : A extends { readonly default: unknown }
    ? false
    : A extends { readonly required: true }
      ? true
      : false

type Written<A> = A extends MorphTo
  ? MorphInput
  : A extends { readonly type: 'biginteger' | 'decimal' | 'timestamp' }
    ? number | string
    : A extends { readonly type: 'password' }
      ? string
      : A extends { readonly type: keyof AttributeValues }
        ? Value<A>
        : A extends { readonly type: 'relation'; readonly relation: infer Kind }
          ? RelationInput<Kind extends ToMany ? true : false>
          : A extends { readonly type: 'component'; readonly repeatable: true }
            ? readonly ComponentInput[]
            : A extends { readonly type: 'component' }
              ? ComponentInput
              : A extends { readonly type: 'dynamiczone'; readonly components: readonly (infer Uid)[] }
                ? readonly (ComponentInput & { readonly __component: Uid })[]
                : unknown

/** Values of a component; with the `id` of a component of the entry, it is changed in place. */
export interface ComponentInput {
  readonly id?: number
  readonly [attribute: string]: unknown
}

type Id = number | string

/** One related entry: its id, alone or in an object. */
export type EntryReference = Id | { readonly id: Id }

/** Related entries: the new list, or a change of the existing one. Source: spec, "Endpoints"; BEHAVIOUR, "Writing". */
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
  readonly id: Id
  /** Its uid: `api::article.article`. */
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
      readonly id: Id
      readonly position?:
        | { readonly before: Id }
        | { readonly after: Id }
        | { readonly start: true }
        | { readonly end: true }
    }
