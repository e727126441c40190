/** JSON types of values, by attribute type. */
import type { BlockNode } from '../attribute-types/blocks.ts'

/** The JSON type of each attribute type. A plugin adds its types by declaration merging. */
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
  /** Like its base type; default text. */
  customField: string
}

/**
 * The attributes of a link type's target entries, by the type's name: `media` refers to files. A plugin adds those
 * of its link types by declaration merging; with `multiple: true` the attribute is to-many.
 */
// biome-ignore lint/suspicious/noEmptyInterface: plugins fill it
export interface LinkedAttributes {}

/**
 * The attributes that every content-type has, or that plugins add to it, in the form of a definition;
 * `never` when `D` does not have it. A plugin extends it by declaration merging:
 *
 *     declare module '@octavo/core' {
 *       interface AddedAttributes<D> {
 *         publishedAt: D extends { readonly options: { readonly draftAndPublish: true } } ? { readonly type: 'datetime' } : never
 *       }
 *     }
 */
export interface AddedAttributes<D> {
  createdAt: Stamp<D>
  updatedAt: Stamp<D>
}

/** Attributes of every content-type. */
type Stamp<D> = D extends unknown ? { readonly type: 'datetime'; readonly required: true } : never
