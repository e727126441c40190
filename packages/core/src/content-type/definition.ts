/**
 * The declarative form of a content-type: the Strapi 4 `schema.json`. Existing files load as they are, and
 * `defineContentType()` takes the same shape. Keys that are not listed here are kept, not refused.
 */

/** One attribute as written: `type` and whatever that type reads. */
export interface AttributeDefinition {
  readonly type: string
  /** Must have a value (drafts may miss it). Default false. */
  readonly required?: boolean
  /** No two entries share a value; null is not compared. Default false. */
  readonly unique?: boolean
  /** Names of attributes: a unique value may occur again in rows that differ in one of them. Default none. */
  readonly uniqueWithin?: readonly string[]
  /** Appears in no answer, filter or sort. Default false. */
  readonly private?: boolean
  /** `false` keeps it out of `_q`. Default true. */
  readonly searchable?: boolean
  readonly default?: unknown
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

export interface ModelOptions {
  /** Indexes over columns of the table, for the filters and sorts of large lists. Default none but our own. */
  readonly indexes?: readonly IndexDefinition[]
  readonly [key: string]: unknown
}

export interface IndexDefinition {
  /** Names of values and to-one relations, `id` too; those that are filtered by first, then those that are sorted by. */
  readonly attributes: readonly string[]
  /** No two rows share these values; where the first is null nothing is compared. Default false. */
  readonly unique?: boolean
}

export interface ContentTypeDefinition {
  readonly kind: 'collectionType' | 'singleType'
  /** Default `api::<singularName>.<singularName>`. */
  readonly uid?: string
  /** The table's name. Default: the plural name in snake_case. */
  readonly collectionName?: string
  readonly info: {
    readonly singularName: string
    readonly pluralName: string
    readonly displayName?: string
    readonly description?: string
    readonly [key: string]: unknown
  }
  readonly options?: ModelOptions
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, AttributeDefinition>>
  readonly [key: string]: unknown
}

export interface ComponentDefinition {
  /** `category.name`; from files it is the path. */
  readonly uid: string
  /** The table's name. Default `components_<category>_<name>`. */
  readonly collectionName?: string
  readonly info?: Readonly<Record<string, unknown>>
  readonly options?: ModelOptions
  readonly attributes: Readonly<Record<string, AttributeDefinition>>
  readonly [key: string]: unknown
}
