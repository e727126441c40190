import type { Model } from '../content-type/model.ts'
import type { Sql } from '../sql/sql.ts'

/** A column by the name that programs use. */
export interface SourceColumn {
  /** Its name in the table. */
  readonly column: string
  /** The PostgreSQL type that parameters are cast to. */
  readonly type: string
  /** The SQL whose `to_json` is the value in a row. */
  readonly toJson: (column: Sql) => Sql
}

/**
 * A table whose rows {@link Rows} reads and writes: the table of a model or of a plugin.
 *
 * @typeParam R A row, by the names of its columns.
 */
export interface RowSource<R = Readonly<Record<string, unknown>>> {
  readonly table: string
  readonly columns: ReadonlyMap<string, SourceColumn>
  /** Only for the type. */
  readonly row?: R
}

const asItIs = (column: Sql): Sql => column

const sources = new WeakMap<Model, RowSource>()

/**
 * The rows of a content-type or component: `id`, the scalar attributes, and the foreign keys in the table itself (the
 * id of a to-one relation, the group of siblings), by attribute name. Values are those of responses, including secrets.
 */
export function sourceOf(model: Model): RowSource {
  const known = sources.get(model)
  if (known) return known
  const columns = new Map<string, SourceColumn>([
    [model.id.name, { column: model.id.column, type: 'int8', toJson: asItIs }],
  ])
  for (const attribute of model.attributes.values()) {
    if (attribute.kind === 'scalar') {
      const { parameter, toJson } = attribute.type
      columns.set(attribute.name, { column: attribute.column, type: parameter, toJson })
    } else if (
      attribute.kind === 'relation' &&
      (attribute.storage.kind === 'own' || attribute.storage.kind === 'siblings')
    ) {
      columns.set(attribute.name, { column: attribute.storage.column, type: 'int8', toJson: asItIs })
    }
  }
  const source: RowSource = { table: model.table, columns }
  sources.set(model, source)
  return source
}
