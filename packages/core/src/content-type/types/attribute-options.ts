/** The options of each attribute type, which give editors completion and checks of definitions in TypeScript. */
import type { Computed } from './computed.ts'
import type { AttributeValues } from './values.ts'

/** Options of every attribute. */
export interface CommonOptions {
  /** Must have a value (except in drafts). Default false. */
  readonly required?: boolean
  /** The attribute's former name: its values, links or components are moved to the new name at the next start. */
  readonly renamedFrom?: string
  /** Excluded from responses, filters and sorts. Default false. */
  readonly private?: boolean
  /** A sentence for descriptions of the API. */
  readonly description?: string
  /** A typical value, for descriptions of the API. */
  readonly example?: unknown
  /** The options of plugins for the attribute, by their names: `{ i18n: { localized: true } }`. Default none. */
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  /** Accepted for definitions of the reference server, whose editor uses it. It has no effect. */
  readonly configurable?: boolean
  /** `false`: only programs and plugins write it; bodies of callers and editors are taken without its value. In components, only inputs of GraphQL lack it. Default true. */
  readonly writable?: boolean
  /** `false`: a value that forms do not show. Each localization of an entry has its own. Default true. */
  readonly visible?: boolean
}

/** Options of every scalar attribute. */
export interface ScalarOptions<Value> extends CommonOptions {
  /** The value of a new entry without one, or a function that returns it. */
  readonly default?: Value | null | (() => Value | null)
  /** Whether values are unique; nulls are ignored. Default false. */
  readonly unique?: boolean
  /** Names of attributes with values that scope uniqueness: rows that differ in one of them, or have a null there, may have equal values. Needs `unique`. Default none. */
  readonly uniqueWithin?: readonly string[]
  /**
   * Divides the kept totals of `options.totals`: lists that are filtered or narrowed by this attribute have theirs.
   * `value`: one total for each value (texts and enumerations with few values); `presence`: one for entries with a value and one for those
   * without. Default: not divided.
   */
  readonly countedBy?: 'value' | 'presence'
  /** `false` excludes the attribute from `_q`. Default true. */
  readonly searchable?: boolean
  /**
   * The column of the values, for an attribute whose own one is that of another attribute: small letters, digits and `_`. Default: the name of
   * the attribute in snake_case.
   */
  readonly columnName?: string
  /** Computes the value in place of storing it; made by `computed()`. Default: it is stored. */
  readonly computed?: Computed
}

export interface TextOptions extends ScalarOptions<string> {
  /** The least length, in UTF-16 units; a whole number from 0. */
  readonly minLength?: number
  /** The greatest length, in UTF-16 units; a whole number from 0. */
  readonly maxLength?: number
  /** A regular expression that values match, or its text without slashes around it. */
  readonly regex?: string | RegExp
}

export interface NumberOptions extends ScalarOptions<number> {
  /** The least value. */
  readonly min?: number
  /** The greatest value. */
  readonly max?: number
}

export interface DigitsOptions extends ScalarOptions<number | string> {
  /** The least value: a number, or digits beyond 2^53. */
  readonly min?: number | string
  /** The greatest value, in the same form. */
  readonly max?: number | string
}

export interface EnumerationOptions extends ScalarOptions<string> {
  /** The values, at least one. */
  readonly enum: readonly [string, ...string[]]
  /** Accepted and unused. */
  readonly enumName?: string
}

export interface UidOptions extends TextOptions {
  /** The attribute from which `generate` derives a missing value. Alone it has no effect: in Strapi 4 the content manager used it, not REST. */
  readonly targetField?: string
  /** Whether a missing value is made from the first 1,000 characters of `targetField`. Default false. */
  readonly generate?: boolean
  /** Accepted and unused. */
  readonly options?: Readonly<Record<string, unknown>>
}

interface RelationTarget extends CommonOptions {
  /** Uid of a content-type: `api::author.author`. */
  readonly target: string
  /** `false` on a `manyToOne` or `oneToOne`; accepted and unused. */
  readonly useJoinTable?: boolean
}

/** A relation to one content-type, one-way, or two-way with `inversedBy` on one side and `mappedBy` on the other. */
export interface PlainRelationOptions extends RelationTarget {
  /** The number of entries on each side. */
  readonly relation: 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'
  /** The attribute of the target that is the other side. */
  readonly inversedBy?: string
  /** Name of the attribute of the target that leads back, on the side that has no foreign key or positions of its own. */
  readonly mappedBy?: string
}

/** A relation to entries of any content-type; it is write-only, and read through the inverse attributes. */
export interface MorphToOptions extends CommonOptions {
  readonly relation: 'morphToOne' | 'morphToMany'
}

/** The inverse of a polymorphic relation; `morphBy` names the attribute of the target. */
export interface MorphByOptions extends RelationTarget {
  /** Whether one entry or several refer to the entry. */
  readonly relation: 'morphOne' | 'morphMany'
  /** The polymorphic attribute of the target. */
  readonly morphBy: string
}

interface CountedOption {
  /** The least number of items of a list. */
  readonly min?: number
  /** The greatest number of items. */
  readonly max?: number
}

export interface ComponentOptions extends CommonOptions, CountedOption {
  /** Uid of a component: `shared.seo`. */
  readonly component: string
  /** A list of components. Default false. */
  readonly repeatable?: boolean
}

export interface ZoneOptions extends CommonOptions, CountedOption {
  /** Uids of components. */
  readonly components: readonly string[]
}

export interface CustomFieldOptions extends ScalarOptions<unknown> {
  /** Name of the custom field: `plugin::color-picker.color`. */
  readonly customField: string
  /** Accepted and unused. */
  readonly options?: Readonly<Record<string, unknown>>
}

/**
 * The options of attributes, by type. A plugin adds those of its types by declaration merging, and their
 * values to `AttributeValues` or `LinkedAttributes`:
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

/** An attribute in a TypeScript definition. */
export type TypedAttribute = {
  [T in keyof AttributeOptions]: { readonly type: T } & AttributeOptions[T]
}[keyof AttributeOptions]

/** All keys of the members of a union. */
type AnyKey<U> = U extends unknown ? keyof U : never

/**
 * The type of a key that does not exist: no value has it, and the compiler's message shows `Why`. It is
 * an object, since an intersection of two literals would be `never` and lose the message.
 */
export interface DoesNotExist<Why extends string> {
  readonly error: Why
}

/** Rejects unknown options of an attribute. TypeScript does not check excess keys of a type parameter. */
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
