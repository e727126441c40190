/** Definitions written in TypeScript, and the types of their entries: what an answer holds, from the definition alone. */
import type { BlockNode } from './attribute-types/blocks.ts'
import type { ComponentDefinition, ContentTypeDefinition } from './definition.ts'

/**
 * Describes a content-type. It only gives the definition its type: it is checked when the server starts.
 *
 *     const article = defineContentType({
 *       kind: 'collectionType',
 *       info: { singularName: 'article', pluralName: 'articles' },
 *       attributes: {
 *         title: { type: 'string', required: true },
 *         status: { type: 'enumeration', enum: ['news', 'review'] },
 *       },
 *     })
 *     type Article = EntryOf<typeof article>
 *     // { id: number; attributes: { title: string; status: 'news' | 'review' | null; createdAt: string; updatedAt: string } }
 */
export const defineContentType = <const D extends ContentTypeDefinition>(definition: D): D => definition

/** Describes a component, as {@link defineContentType} does a content-type. Its `uid` is `category.name`. */
export const defineComponent = <const D extends ComponentDefinition>(definition: D): D => definition

type Definition = ContentTypeDefinition | ComponentDefinition

/** Definitions by uid, so that relations and components have the type of what they lead to: `{ 'shared.seo': typeof seo }`. */
export type DefinitionsByUid = Readonly<Record<string, Definition>>

/** What a value of each attribute type is in JSON. A plugin adds those of its types by declaration merging. */
export interface AttributeValues {
  string: string
  text: string
  richtext: string
  enumeration: string
  email: string
  uid: string
  /** `2024-02-29` */
  date: string
  /** `09:30:00.25` */
  time: string
  /** `2024-01-01T09:00:01.037Z` */
  datetime: string
  /** Milliseconds since 1970, as digits. */
  timestamp: string
  integer: number
  /** Digits. */
  biginteger: string
  float: number
  decimal: number
  boolean: boolean
  json: unknown
  array: readonly unknown[]
  blocks: readonly BlockNode[]
  /** As its base type, which is text unless it says otherwise. */
  customField: string
}

/**
 * An entry as it is answered. Relations, components and zones are there when they are populated; with `All`, they have
 * types too.
 */
export interface EntryOf<D extends Definition, All extends DefinitionsByUid = Record<never, never>> {
  readonly id: number
  readonly attributes: AttributesOf<D, All>
}

/** A component as it stands in an answer: its id beside its attributes. */
export type ComponentOf<D extends Definition, All extends DefinitionsByUid = Record<never, never>> = Flat<
  { readonly id: number } & AttributesOf<D, All>
>

/**
 * The attributes of an answer. What is not `required` may be null; a draft may also miss what is. Private attributes and
 * passwords never appear.
 */
export type AttributesOf<D extends Definition, All extends DefinitionsByUid = Record<never, never>> = Flat<
  {
    readonly [K in keyof D['attributes'] as Placed<D['attributes'][K], 'always', K>]: Scalar<
      D['attributes'][K]
    >
  } & {
    readonly [K in keyof D['attributes'] as Placed<D['attributes'][K], 'populated', K>]?: Populated<
      D['attributes'][K],
      All
    >
  } & (D extends ContentTypeDefinition ? { readonly createdAt: string; readonly updatedAt: string } : unknown)
>

/** An entry of which nothing more is known. */
export interface UnknownEntry {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A component of which nothing more is known. */
export interface UnknownComponent {
  readonly id: number
  readonly [attribute: string]: unknown
}

/** One object type instead of an intersection, for whoever reads it in an editor. */
type Flat<T> = { [K in keyof T]: T[K] }

type MorphTo = { readonly type: 'relation'; readonly relation: 'morphToOne' | 'morphToMany' }

type ToMany = `${string}ToMany` | 'morphMany'

/** The key, if an attribute stands in this place; otherwise none. */
type Placed<A, Where extends 'always' | 'populated', K> = A extends
  | { readonly private: true }
  | { readonly type: 'password' }
  | MorphTo
  ? never
  : A extends { readonly type: keyof AttributeValues }
    ? Where extends 'always'
      ? K
      : never
    : Where extends 'populated'
      ? K
      : never

type Scalar<A> = A extends { readonly required: true } ? Value<A> : Value<A> | null

type Value<A> = A extends { readonly type: 'enumeration'; readonly enum: readonly (infer V)[] }
  ? V
  : A extends { readonly type: infer T extends keyof AttributeValues }
    ? AttributeValues[T]
    : unknown

type Populated<A, All extends DefinitionsByUid> = A extends {
  readonly type: 'relation'
  readonly relation: infer Kind
}
  ? { readonly data: Kind extends ToMany ? readonly Target<A, All>[] : Target<A, All> | null }
  : A extends { readonly type: 'component'; readonly component: infer Uid }
    ? A extends { readonly repeatable: true }
      ? readonly Part<Uid, All>[]
      : Part<Uid, All> | null
    : A extends { readonly type: 'dynamiczone'; readonly components: readonly (infer Uid)[] }
      ? readonly ZoneItem<Uid, All>[]
      : unknown

type Target<A, All extends DefinitionsByUid> = A extends { readonly target: infer Uid extends keyof All }
  ? EntryOf<All[Uid], All>
  : UnknownEntry

type Part<Uid, All extends DefinitionsByUid> = Uid extends keyof All
  ? ComponentOf<All[Uid], All>
  : UnknownComponent

/** One member for each component, told apart by `__component`. */
type ZoneItem<Uid, All extends DefinitionsByUid> = Uid extends unknown
  ? { readonly __component: Uid } & Part<Uid, All>
  : never

/** What a program writes: `create` takes it whole, `update` any part of it. */
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

/** What plugins let be written besides a definition's own attributes; they add to it by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins fill it
export interface AddedInput {}

/** Whether a create must name it. What has a default is there without, and a draft may miss anything. */
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

/** Values of a component; with the `id` of one that the entry has, that one is changed in place. */
export interface ComponentInput {
  readonly id?: number
  readonly [attribute: string]: unknown
}

type Id = number | string

/** One related entry: its id, alone or in an object. */
export type EntryReference = Id | { readonly id: Id }

/** Related entries: exactly these, or a change of those that there are. Source: spec, "Endpoints"; BEHAVIOUR, "Writing". */
export type RelationInput<Many extends boolean = boolean> =
  | (Many extends true ? EntryReference | readonly EntryReference[] : EntryReference)
  | {
      readonly connect?: Connect | readonly Connect[]
      readonly disconnect?: EntryReference | readonly EntryReference[]
      readonly options?: { readonly strict?: boolean }
    }
  | { readonly set: EntryReference | readonly EntryReference[] | null }

/** An entry of any content-type; `field` where several of its attributes lead here. */
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
