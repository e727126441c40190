/**
 * The declarative form of a content-type: the Strapi 4 `schema.json`. Existing files load unchanged, and
 * `defineContentType()` accepts the same shape. Keys that are not listed here are preserved.
 */

/** The definition of an attribute: `type` and the options of that type. */
export interface AttributeDefinition {
  readonly type: string
  /** Must have a value (except in drafts). Default false. */
  readonly required?: boolean
  /** Whether values are unique; nulls are ignored. Default false. */
  readonly unique?: boolean
  /** The attribute's former name: its values, links or components are moved to the new name at the next start. */
  readonly renamedFrom?: string
  /** Names of attributes with values that scope uniqueness: rows that differ in one of them, or have a null there, may have equal values. Needs `unique`. Default none. */
  readonly uniqueWithin?: readonly string[]
  /**
   * Divides the kept totals of `options.totals`: lists that are filtered or narrowed by this attribute have theirs.
   * `value`: one total for each value (texts and enumerations with few values); `presence`: one for entries with a value and one for those
   * without. Default: not divided.
   */
  readonly countedBy?: 'value' | 'presence'
  /** Whether an entry is public from the time in this attribute on. Set by the plugin for drafts, for other plugins that describe it. Default false. */
  readonly publicFrom?: boolean
  /** Excluded from responses, filters and sorts. Default false. */
  readonly private?: boolean
  /** `false` excludes the attribute from `_q`. Default true. */
  readonly searchable?: boolean
  readonly default?: unknown
  /** Computes the value in place of storing it; made by `computed()`. Default: it is stored. */
  readonly computed?: unknown
  /** A sentence for descriptions of the API. */
  readonly description?: string
  /** A typical value, for descriptions of the API. */
  readonly example?: unknown
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

export interface ModelOptions {
  /** Indexes over columns of the table, for the filters and sorts of large lists. Default: only the indexes of core. */
  readonly indexes?: readonly IndexDefinition[]
  /**
   * `kept`: the database keeps the number of entries, so that a list's total takes the same time for any number of
   * them, and each write a little longer; see docs/pagination.md. `counted` (the default): it is counted.
   */
  readonly totals?: 'kept' | 'counted'
  /** The texts that `_q` searches, with an index. Default: `_q` searches all texts, without an index. */
  readonly search?: TrigramSearch | FullTextSearch
  /** Names of attributes that are excluded from responses, filters and sorts, as by their `private`. Default none. */
  readonly privateAttributes?: readonly string[]
  readonly [key: string]: unknown
}

/** `_q` finds a phrase anywhere in the texts, also within words. */
export interface TrigramSearch {
  /** Names of text attributes. The index also serves `$contains`, `$startsWith`, `$endsWith` and their forms without case. */
  readonly attributes: readonly string[]
  readonly mode?: 'trigrams'
  /**
   * A phrase without three letters or digits in a row, for which the index is of no use. `scan` (the default): the entries are
   * read one by one, within the limits of cost and time of every read. `refuse`: 400.
   */
  readonly shortTerms?: 'scan' | 'refuse'
}

/** `_q` finds words, in any order and inflection, and `sort=_score` puts the best matches first. */
export interface FullTextSearch {
  /** Names of text attributes. */
  readonly attributes: readonly string[]
  readonly mode: 'fulltext'
  /** The language of the texts, for inflections and stop words. Default `simple`: words as they are written. */
  readonly language?: SearchLanguage
  /** The importance of attributes for `_score`, from `A` to `D`. Default `D` for each. */
  readonly weights?: Readonly<Record<string, FullTextWeight>>
}

export type FullTextWeight = 'A' | 'B' | 'C' | 'D'

export type SearchLanguage =
  | 'simple'
  | 'arabic'
  | 'armenian'
  | 'basque'
  | 'catalan'
  | 'danish'
  | 'dutch'
  | 'english'
  | 'finnish'
  | 'french'
  | 'german'
  | 'greek'
  | 'hindi'
  | 'hungarian'
  | 'indonesian'
  | 'irish'
  | 'italian'
  | 'lithuanian'
  | 'nepali'
  | 'norwegian'
  | 'portuguese'
  | 'romanian'
  | 'russian'
  | 'serbian'
  | 'spanish'
  | 'swedish'
  | 'tamil'
  | 'turkish'
  | 'yiddish'

export interface IndexDefinition {
  /** Names of scalars and to-one relations, or `id`; filtered attributes first, then sorted ones. */
  readonly attributes: readonly string[]
  /** Whether the combination is unique; rows whose first value is null are ignored. Default false. */
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
  /** `category.name`; for files it is derived from the path. */
  readonly uid: string
  /** The table's name. Default `components_<category>_<name>`. */
  readonly collectionName?: string
  readonly info?: Readonly<Record<string, unknown>>
  readonly options?: ModelOptions
  readonly attributes: Readonly<Record<string, AttributeDefinition>>
  readonly [key: string]: unknown
}
