/** The renames of attributes that the definitions declare. */
import type {
  Attribute,
  Model,
  MorphAttribute,
  Registry,
  RelationAttribute,
} from '../../content-type/model.ts'
import { columnsOf } from '../../content-type/storage/row-columns.ts'
import {
  joinTableOf,
  keyColumns,
  morphTableOf,
  scalarColumn,
} from '../../content-type/storage/storage-names.ts'

/** A name in the database that follows a renamed attribute (`renamedFrom`). */
export type Rename =
  | { readonly kind: 'column'; readonly table: string; readonly from: string; readonly to: string }
  | { readonly kind: 'table'; readonly from: string; readonly to: string }
  /** The rows of components, media and polymorphic relations have the name of the attribute. */
  | {
      readonly kind: 'field'
      readonly table: string
      readonly owner: string
      readonly from: string
      readonly to: string
    }

/** A rename of a column or a table. */
export type Named = Exclude<Rename, { kind: 'field' }>

/** A rename of rows, which have the name of their attribute. */
export type FieldRename = Extract<Rename, { kind: 'field' }>

/** The renames that the definitions declare, without those of names that are the same in the database: `metaTitle` and `meta_title`. */
export function renamesOf(registry: Registry): readonly Rename[] {
  const renames = modelsOf(registry).flatMap((model) =>
    attributesOf(model).flatMap((attribute) => {
      const from: unknown = attribute.definition.renamedFrom
      if (typeof from !== 'string') return 'sides' in attribute ? [] : toOwnColumn(model, attribute)
      // An attribute of the old name has its values.
      return isAttribute(model, from) ? [] : renamesFrom(model, attribute, from, registry)
    }),
  )
  return renames.filter(({ from, to }) => from !== to)
}

/** A rename of an attribute whose former name another attribute has. */
export interface TakenRename {
  readonly rename: Named
  /** The uid of the content-type or component, and the attribute. */
  readonly uid: string
  readonly name: string
  readonly former: string
}

/** The renames of columns and tables whose former name another attribute has, so that a start leaves the values there. */
export const takenRenamesOf = (registry: Registry): readonly TakenRename[] =>
  modelsOf(registry).flatMap((model) =>
    attributesOf(model).flatMap((attribute) => {
      const former: unknown = attribute.definition.renamedFrom
      if (typeof former !== 'string' || !isAttribute(model, former)) return []
      return renamesFrom(model, attribute, former, registry).flatMap((rename) =>
        rename.kind === 'field' || rename.from === rename.to
          ? []
          : [{ rename, uid: model.uid, name: attribute.name, former }],
      )
    }),
  )

const modelsOf = (registry: Registry): readonly Model[] => [
  ...registry.contentTypes.values(),
  ...registry.components.values(),
]

const attributesOf = (model: Model): readonly (Attribute | MorphAttribute)[] => [
  ...model.attributes.values(),
  ...model.morphs.values(),
]

const isAttribute = (model: Model, name: string): boolean =>
  model.attributes.has(name) || model.morphs.has(name)

const renamesFrom = (
  model: Model,
  attribute: Attribute | MorphAttribute,
  from: string,
  registry: Registry,
): readonly Rename[] =>
  'sides' in attribute
    ? [{ kind: 'table', from: morphTableOf(model.table, from), to: attribute.table }]
    : renamesOfAttribute(model, attribute, from, registry)

/** From the column that an attribute would have to its `columnName`, unless another attribute has the former one. */
function toOwnColumn(model: Model, attribute: Attribute): readonly Rename[] {
  if (attribute.kind !== 'scalar' || attribute.definition.columnName === undefined) return []
  const former = scalarColumn(model, attribute.name)
  const isTaken = [...model.attributes.values()].some((other) => columnsOf(other).includes(former))
  return isTaken ? [] : [column(model, former, attribute.column)]
}

function renamesOfAttribute(
  model: Model,
  attribute: Attribute,
  from: string,
  registry: Registry,
): readonly Rename[] {
  const field = (table: string): Rename => ({
    kind: 'field',
    table,
    owner: model.uid,
    from,
    to: attribute.name,
  })
  switch (attribute.kind) {
    case 'computed':
      return []
    case 'scalar':
      return [column(model, scalarColumn(model, from), attribute.column)]
    case 'component':
      return [field(registry.component(attribute.component).table)]
    case 'zone':
      return attribute.components.map((uid) => field(registry.component(uid).table))
    case 'relation':
      return renamesOfRelation(model, attribute, from, field)
  }
}

function renamesOfRelation(
  model: Model,
  { storage }: RelationAttribute,
  from: string,
  field: (table: string) => Rename,
): readonly Rename[] {
  switch (storage.kind) {
    case 'own': {
      const old = keyColumns(model, from)
      const position = storage.position ? [column(model, old.position, storage.position)] : []
      return [column(model, old.column, storage.column), ...position]
    }
    case 'join':
      return storage.owner ? [{ kind: 'table', from: joinTableOf(model.table, from), to: storage.table }] : []
    case 'link':
      return [field(storage.table)]
    default:
      // The other side, or the entries themselves, have the values.
      return []
  }
}

const column = ({ table }: Model, from: string, to: string): Rename => ({ kind: 'column', table, from, to })
