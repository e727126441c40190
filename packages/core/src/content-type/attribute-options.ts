/** The options of each attribute type, so that definitions in TypeScript are completed and checked as they are typed. */
import type { AttributeValues } from './values.ts'

/** Options of every attribute. */
export interface CommonOptions {
  /** Must have a value (drafts may miss it). Default false. */
  readonly required?: boolean
  /** Appears in no answer, filter or sort. Default false. */
  readonly private?: boolean
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  /** Read by the reference server's editor only. */
  readonly configurable?: boolean
  readonly writable?: boolean
  readonly visible?: boolean
}

/** Options of every attribute that is one value in a column. */
export interface ScalarOptions<Value> extends CommonOptions {
  /** The value of a new entry that names none, or a function that makes it. */
  readonly default?: Value | null | (() => Value | null)
  /** No two entries share a value; null is not compared. Default false. */
  readonly unique?: boolean
  /** Names of attributes: a unique value may occur again in rows that differ in one of them. Default none. */
  readonly uniqueWithin?: readonly string[]
  /** `false` keeps it out of `_q`. Default true. */
  readonly searchable?: boolean
}

export interface TextOptions extends ScalarOptions<string> {
  /** In UTF-16 units; a whole number from 0. */
  readonly minLength?: number
  readonly maxLength?: number
  /** A regular expression, or its text without slashes around it. */
  readonly regex?: string | RegExp
}

export interface NumberOptions extends ScalarOptions<number> {
  readonly min?: number
  readonly max?: number
}

export interface DigitsOptions extends ScalarOptions<number | string> {
  /** As a number, or as digits beyond 2^53. */
  readonly min?: number | string
  readonly max?: number | string
}

export interface EnumerationOptions extends ScalarOptions<string> {
  /** The values, at least one. */
  readonly enum: readonly [string, ...string[]]
  readonly enumName?: string
}

export interface UidOptions extends TextOptions {
  /** The attribute that a missing value is made of, where `generate` says so. */
  readonly targetField?: string
  readonly generate?: boolean
  readonly options?: Readonly<Record<string, unknown>>
}

interface Target extends CommonOptions {
  /** Uid of a content-type: `api::author.author`. */
  readonly target: string
  readonly useJoinTable?: boolean
}

/** A relation to one content-type, of one way, or of two ways with `inversedBy` on one side and `mappedBy` on the other. */
export interface PlainRelationOptions extends Target {
  readonly relation: 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'
  readonly inversedBy?: string
  readonly mappedBy?: string
}

/** A relation to entries of any content-type; it is written, and read from the attributes that lead back. */
export interface MorphToOptions extends CommonOptions {
  readonly relation: 'morphToOne' | 'morphToMany'
}

/** The other side of a polymorphic relation; `morphBy` names that attribute of the target. */
export interface MorphByOptions extends Target {
  readonly relation: 'morphOne' | 'morphMany'
  readonly morphBy: string
}

interface Counted {
  /** Items that a list has at least, and at most. */
  readonly min?: number
  readonly max?: number
}

export interface ComponentOptions extends CommonOptions, Counted {
  /** Uid of a component: `shared.seo`. */
  readonly component: string
  /** A list of components. Default false. */
  readonly repeatable?: boolean
}

export interface ZoneOptions extends CommonOptions, Counted {
  /** Uids of components. */
  readonly components: readonly string[]
}

export interface CustomFieldOptions extends ScalarOptions<unknown> {
  /** `plugin::color-picker.color` */
  readonly customField: string
  readonly options?: Readonly<Record<string, unknown>>
}

/**
 * The options of attributes, by their type. A plugin adds those of its types by declaration merging, and what their
 * values are to `AttributeValues` or `LinkedAttributes`:
 *
 *     declare module '@octavo/core' {
 *       interface AttributeOptions { color: ScalarOptions<string> & { readonly alpha?: boolean } }
 *       interface AttributeValues { color: string }
 *     }
 */
export interface AttributeOptions {
  string: TextOptions
  text: TextOptions
  richtext: TextOptions
  email: TextOptions
  password: TextOptions
  uid: UidOptions
  enumeration: EnumerationOptions
  date: ScalarOptions<string>
  time: ScalarOptions<string>
  datetime: ScalarOptions<string>
  timestamp: ScalarOptions<number | string>
  integer: NumberOptions
  biginteger: DigitsOptions
  float: NumberOptions
  decimal: DigitsOptions
  boolean: ScalarOptions<boolean>
  json: ScalarOptions<unknown>
  array: ScalarOptions<readonly unknown[]>
  blocks: ScalarOptions<AttributeValues['blocks']>
  customField: CustomFieldOptions
  relation: PlainRelationOptions | MorphToOptions | MorphByOptions
  component: ComponentOptions
  dynamiczone: ZoneOptions
}

/** An attribute as it is written in TypeScript. */
export type TypedAttribute = {
  [T in keyof AttributeOptions]: { readonly type: T } & AttributeOptions[T]
}[keyof AttributeOptions]

/** The keys that some member of a union has. */
type AnyKey<U> = U extends unknown ? keyof U : never

/**
 * The type of a key that does not exist: nothing that is written there has it, and the compiler's message shows `Why`. It is
 * an object, since an intersection of two literals would make the whole object `never` and lose the message.
 */
export interface DoesNotExist<Why extends string> {
  readonly error: Why
}

/** Refuses options that an attribute's type does not read. TypeScript checks no excess keys of a type parameter. */
export type CheckedAttributes<A> = {
  readonly [N in keyof A]: A[N] extends { readonly type: infer T extends keyof AttributeOptions }
    ? {
        readonly [K in Exclude<
          keyof A[N],
          'type' | AnyKey<AttributeOptions[T]>
        >]: DoesNotExist<`Attributes of the type ${T} have no option "${K & string}"`>
      }
    : unknown
}
