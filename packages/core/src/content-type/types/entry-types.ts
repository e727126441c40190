/** The types of entries: the possible content of responses, from the definition only. */
import type {
  Answered,
  AttributeOf,
  Definition,
  DefinitionsByUid,
  Flat,
  PopulatedName,
  ToMany,
  ValueName,
} from './attributes-of.ts'

/**
 * An entry in a response. Relations, components and zones are included when they are populated; with `All`, they are
 * typed too.
 */
export interface EntryOf<D extends Definition, All extends DefinitionsByUid = Record<never, never>> {
  readonly id: number
  readonly attributes: AttributesOf<D, All>
}

/** A component in a response: its id beside its attributes. */
export type ComponentOf<D extends Definition, All extends DefinitionsByUid = Record<never, never>> = Flat<
  { readonly id: number } & AttributesOf<D, All>
>

/**
 * The attributes of a response. Attributes that are not `required` are nullable; a draft may lack required ones too. Private
 * attributes and passwords are excluded.
 */
export type AttributesOf<D extends Definition, All extends DefinitionsByUid = Record<never, never>> = Flat<
  { readonly [K in ValueName<D>]: Answered<AttributeOf<D, K>> } & {
    readonly [K in PopulatedName<D>]?: Populated<AttributeOf<D, K>, All>
  }
>

/** An untyped entry. */
export interface UnknownEntry {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** An untyped component. */
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
      ? readonly ComponentEntry<Uid, All>[]
      : ComponentEntry<Uid, All> | null
    : A extends { readonly type: 'dynamiczone'; readonly components: readonly (infer Uid)[] }
      ? readonly ZoneItem<Uid, All>[]
      : unknown

type Target<A, All extends DefinitionsByUid> = A extends { readonly target: infer Uid extends keyof All }
  ? EntryOf<All[Uid], All>
  : UnknownEntry

type ComponentEntry<Uid, All extends DefinitionsByUid> = Uid extends keyof All
  ? ComponentOf<All[Uid], All>
  : UnknownComponent

/** One member per component, discriminated by `__component`. */
type ZoneItem<Uid, All extends DefinitionsByUid> = Uid extends unknown
  ? { readonly __component: Uid } & ComponentEntry<Uid, All>
  : never
