/** The types of entries: what an answer may hold, from the definition alone. */
import type {
  Answered,
  Attribute,
  Definition,
  DefinitionsByUid,
  Flat,
  PopulatedName,
  ToMany,
  ValueName,
} from './attributes-of.ts'

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
  { readonly [K in ValueName<D>]: Answered<Attribute<D, K>> } & {
    readonly [K in PopulatedName<D>]?: Populated<Attribute<D, K>, All>
  }
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
