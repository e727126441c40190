import type { RowSource, Sql } from '@octavo/database'
import type { ScalarType } from './attribute-type.ts'
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
} from './definition/definition.ts'

/**
 * The common part of content-types and components: a table and attributes, resolved and frozen. `rows` of a transaction takes it
 * as the source of its rows.
 */
interface ModelBase {
  /** `api::article.article`, `plugin::upload.file`, or `category.name` for a component. */
  readonly uid: string
  readonly table: string
  /** The primary key; not among `attributes`. */
  readonly id: ScalarAttribute
  /** In the order of the definition, then the attributes of plugins, then `createdAt` and `updatedAt` of a content-type. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** The columns of its rows by attribute name; see {@link RowSource}. */
  readonly columns: RowSource['columns']
  /** The polymorphic relations of a content-type. They are write-only, so they are not in `attributes`. */
  readonly morphs: ReadonlyMap<string, MorphAttribute>
  /** The lists of entries that link to an entry of a content-type. They are read-only, so they are not in `attributes`. */
  readonly uses: ReadonlyMap<string, UsesAttribute>
  /** The indexes in `options.indexes`. */
  readonly indexes: readonly ModelIndex[]
  readonly options: Readonly<Record<string, unknown>>
  readonly pluginOptions: Readonly<Record<string, unknown>>
}

export interface ContentType extends ModelBase {
  readonly kind: 'collectionType' | 'singleType'
  readonly singularName: string
  readonly pluralName: string
  readonly displayName: string
  readonly definition: ContentTypeDefinition
}

/** The table of the component has `owner_type`, `owner_id`, `field` and `position` besides the attributes; see {@link ownerColumns}. */
export interface Component extends ModelBase {
  readonly kind: 'component'
  readonly category: string
  readonly name: string
  readonly definition: ComponentDefinition
}

export type Model = ContentType | Component

/** The columns by which a row of a component or a link table refers to its owner. */
export const ownerColumns = {
  type: 'owner_type',
  id: 'owner_id',
  field: 'field',
  position: 'position',
} as const

/** Whether entries have siblings, one in each locale. */
export const hasSiblings = ({ attributes }: Model): boolean =>
  [...attributes.values()].some((one) => one.kind === 'relation' && one.storage.kind === 'siblings')

interface AttributeBase {
  readonly name: string
  readonly definition: AttributeDefinition
  /** Never readable: `private: true`, or a secret type. */
  readonly private: boolean
}

export interface ScalarAttribute extends AttributeBase {
  readonly kind: 'scalar'
  readonly type: ScalarType
  readonly column: string
}

/** A value that is not stored: an SQL expression or a function computes it from columns of the same row. */
export interface ComputedAttribute extends AttributeBase {
  readonly kind: 'computed'
  /** The type of the value. */
  readonly type: ScalarType
  readonly from: readonly ScalarAttribute[]
  readonly compute:
    | { readonly kind: 'sql'; readonly sql: (columns: Readonly<Record<string, Sql>>) => Sql }
    /** Gets the values by name, in JSON. @throws Error for a result that the type does not have */
    | { readonly kind: 'function'; readonly value: (values: Readonly<Record<string, unknown>>) => unknown }
  /** `api::article.article.words`, for messages. */
  readonly place: string
  /** The plugin that added it in `attribute:computed`. */
  readonly plugin: string | undefined
}

/** An attribute with one value in answers, stored or computed. */
export type ValueAttribute = ScalarAttribute | ComputedAttribute

export const isValue = (attribute: Attribute): attribute is ValueAttribute =>
  attribute.kind === 'scalar' || attribute.kind === 'computed'

/** A value that filters and sorts can use: one that the database has. */
type ComparableAttribute =
  | ScalarAttribute
  | (ComputedAttribute & { readonly compute: { readonly kind: 'sql' } })

export const isComparable = (attribute: Attribute): attribute is ComparableAttribute =>
  attribute.kind === 'scalar' || (attribute.kind === 'computed' && attribute.compute.kind === 'sql')

export interface RelationAttribute extends AttributeBase {
  readonly kind: 'relation'
  /** Name of the attribute type: `relation`, or a plugin's link type, e.g. `media`. */
  readonly typeName: string
  /** Uid of a content-type. */
  readonly target: string
  readonly many: boolean
  /** Connecting a target removes it from its former owner (one-to-one, one-to-many). */
  readonly exclusive: boolean
  /** Name of the attribute on the other side, of a two-way relation. */
  readonly inverse: string | undefined
  readonly storage: RelationStorage
  readonly filterable: boolean
  readonly empty: 'list' | 'null'
  /** The targets belong to the entry, like components (media): callers who may read the entry may read them. */
  readonly part: boolean
}

/**
 * `morphToOne` and `morphToMany`: relations to entries of any content-type. Each attribute has its own link table, whose
 * rows are the `link` storage of the inverse attributes with `morphBy`.
 */
export interface MorphAttribute {
  readonly name: string
  readonly definition: AttributeDefinition
  readonly many: boolean
  readonly table: string
  /** Column of the link table with the id of this attribute's entry. */
  readonly column: string
  /** The inverse attributes (`morphBy`), by the uid of their model. */
  readonly sides: ReadonlyMap<string, readonly MorphSide[]>
}

/** The entries of all content-types that link to an entry through the attributes of a link type: `related` of files. */
export interface UsesAttribute {
  readonly kind: 'uses'
  readonly name: string
  /** The link table, with {@link ownerColumns}, and its column with the id of the entry that is linked to. */
  readonly table: string
  readonly column: string
  /** The attributes with such links that are not private, by the uid of their content-type, in the order of uids. */
  readonly owners: ReadonlyMap<string, readonly RelationAttribute[]>
}

export interface MorphSide {
  readonly name: string
  /** `morphMany` is to-many; `morphOne` is to-one. */
  readonly many: boolean
}

/**
 * The storage of a relation. `position` is the column that orders the related entries in order of connection
 * (double precision, so that entries can be inserted between two others); `undefined` for an unordered side.
 */
export type RelationStorage =
  /** A foreign key in the owner's own table. `position` orders this row among those with the same key, for the other side. */
  | { readonly kind: 'own'; readonly column: string; readonly position: string | undefined }
  /** A foreign key in the target's table: the other side of an `own`. */
  | { readonly kind: 'foreign'; readonly column: string; readonly position: string | undefined }
  /** A join table. `own` and `target` are its two key columns as seen from this side. */
  | {
      readonly kind: 'join'
      readonly table: string
      readonly own: string
      readonly target: string
      readonly position: string
      /** The other side's position column; `undefined` for a one-way relation. */
      readonly inversePosition: string | undefined
      /** Whether this side owns the table (the other side has `mappedBy`). */
      readonly owner: boolean
    }
  /** A link table that serves many owners: the target's key, and {@link ownerColumns}. */
  | { readonly kind: 'link'; readonly table: string; readonly target: string }
  /** Rows of the same table with the same value in `column`, without the row itself. */
  | { readonly kind: 'siblings'; readonly column: string; readonly distinct?: string | undefined }

export interface ComponentAttribute extends AttributeBase {
  readonly kind: 'component'
  /** Uid of a component. */
  readonly component: string
  readonly repeatable: boolean
}

export interface ZoneAttribute extends AttributeBase {
  readonly kind: 'zone'
  /** Uids of the allowed components, in order. */
  readonly components: readonly string[]
}

export type Attribute =
  | ScalarAttribute
  | ComputedAttribute
  | RelationAttribute
  | ComponentAttribute
  | ZoneAttribute

/** The uids of the components that an attribute may hold; none for an attribute of another kind. */
export const componentsOf = (attribute: Attribute): readonly string[] =>
  attribute.kind === 'zone'
    ? attribute.components
    : attribute.kind === 'component'
      ? [attribute.component]
      : []

/** An index over columns of a model's own table, in this order. */
export interface ModelIndex {
  /** Scalars, and to-one relations whose key is in the table. */
  readonly attributes: readonly (ScalarAttribute | RelationAttribute)[]
  readonly unique: boolean
}

/** All models of a server, checked as a whole. */
export interface Registry {
  readonly contentTypes: ReadonlyMap<string, ContentType>
  readonly components: ReadonlyMap<string, Component>
  /** The link tables of polymorphic relations, whose rows point to entries of any type. */
  readonly morphTables: readonly string[]
  /** @throws Error for an unknown uid; references within a registry are always valid. */
  model(uid: string): Model
  contentType(uid: string): ContentType
  component(uid: string): Component
  /** By the name in the path, case-insensitive: the plural name of a collection type, the singular name of a single type. */
  byRoute(name: string): ContentType | undefined
}
