import type { ScalarType } from './attribute-type.ts'
import type { AttributeDefinition, ComponentDefinition, ContentTypeDefinition } from './definition.ts'

/** What content-types and components have in common: a table and attributes. Everything is resolved and frozen. */
interface ModelBase {
  /** `api::article.article`, `plugin::upload.file`, or `category.name` for a component. */
  readonly uid: string
  readonly table: string
  /** The primary key; not among `attributes`. */
  readonly id: ScalarAttribute
  /** In the order of the definition, then what plugins added, then `createdAt` and `updatedAt` of a content-type. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Of a content-type: its polymorphic relations. They are written and never read, so they are not among `attributes`. */
  readonly morphs: ReadonlyMap<string, MorphAttribute>
  /** Those that `options.indexes` declares. */
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

/** Its table has `owner_type`, `owner_id`, `field` and `position` besides the attributes; see {@link ownerColumns}. */
export interface Component extends ModelBase {
  readonly kind: 'component'
  readonly category: string
  readonly name: string
  readonly definition: ComponentDefinition
}

export type Model = ContentType | Component

/** The columns by which a component's row (and a link table's row) points to its owner. */
export const ownerColumns = {
  type: 'owner_type',
  id: 'owner_id',
  field: 'field',
  position: 'position',
} as const

interface AttributeBase {
  readonly name: string
  readonly definition: AttributeDefinition
  /** Nobody sees it: `private: true`, or a secret type. */
  readonly private: boolean
}

export interface ScalarAttribute extends AttributeBase {
  readonly kind: 'scalar'
  readonly type: ScalarType
  readonly column: string
}

export interface RelationAttribute extends AttributeBase {
  readonly kind: 'relation'
  /** Name of the attribute type: `relation`, or what a plugin named, e.g. `media`. */
  readonly typeName: string
  /** Uid of a content-type. */
  readonly target: string
  readonly many: boolean
  /** Connecting a target takes it from the owner it had (one-to-one, one-to-many). */
  readonly exclusive: boolean
  /** Name of the attribute on the other side, of a two-way relation. */
  readonly inverse: string | undefined
  readonly storage: RelationStorage
  readonly filterable: boolean
  readonly empty: 'list' | 'null'
  /** Its targets belong to the entry, as components do (media): who may read the entry may read them. */
  readonly part: boolean
}

/**
 * `morphToOne` and `morphToMany`: leads to entries of any content-type. The link table is this attribute's own, and the
 * same rows are the `link` of the attributes that lead here with `morphBy`.
 */
export interface MorphAttribute {
  readonly name: string
  readonly definition: AttributeDefinition
  readonly many: boolean
  readonly table: string
  /** Column of the link table with the id of this attribute's entry. */
  readonly column: string
  /** The attributes that lead here with `morphBy`, by the uid of their model. */
  readonly sides: ReadonlyMap<string, readonly MorphSide[]>
}

export interface MorphSide {
  readonly name: string
  /** `morphMany` takes many; `morphOne` takes one. */
  readonly many: boolean
}

/**
 * Where a relation lives. `position` is the column that orders the related entries as they were connected
 * (double precision, so that one can be put between two); `undefined` where the side is not ordered.
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
      /** This side's definition makes the table (the other side is `mappedBy`). */
      readonly owner: boolean
    }
  /** A link table that serves many owners: the target's key, and {@link ownerColumns}. */
  | { readonly kind: 'link'; readonly table: string; readonly target: string }
  /** Rows of the same table with the same value in `column`, but the row itself. */
  | { readonly kind: 'siblings'; readonly column: string }

export interface ComponentAttribute extends AttributeBase {
  readonly kind: 'component'
  /** Uid of a component. */
  readonly component: string
  readonly repeatable: boolean
}

export interface ZoneAttribute extends AttributeBase {
  readonly kind: 'zone'
  /** Uids of the components it lists, in order. */
  readonly components: readonly string[]
}

export type Attribute = ScalarAttribute | RelationAttribute | ComponentAttribute | ZoneAttribute

/** An index over columns of a model's own table, in this order. */
export interface ModelIndex {
  /** Values, and to-one relations whose key stands in the table. */
  readonly attributes: readonly (ScalarAttribute | RelationAttribute)[]
  readonly unique: boolean
}

/** All models of a server, checked as a whole. */
export interface Registry {
  readonly contentTypes: ReadonlyMap<string, ContentType>
  readonly components: ReadonlyMap<string, Component>
  /** The link tables of polymorphic relations, whose rows point to entries of any type. */
  readonly morphTables: readonly string[]
  /** @throws when there is no model with this uid: a registry never holds a dangling one. */
  model(uid: string): Model
  contentType(uid: string): ContentType
  component(uid: string): Component
  /** By the name in the path, in any case: the plural name of a collection type, the singular name of a single type. */
  byRoute(name: string): ContentType | undefined
}
