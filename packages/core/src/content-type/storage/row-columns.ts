import type { SourceColumn, Sql } from '@octavo/database'
import type { Attribute, ScalarAttribute } from '../model.ts'

const asItIs = (column: Sql): Sql => column

/**
 * The columns of a row of a model, by the names of their attributes: `id`, the scalar attributes, and the foreign keys in the
 * table itself (the id of a to-one relation, the group of siblings). Values are those of responses, including secrets.
 */
export function rowColumns(
  id: ScalarAttribute,
  attributes: ReadonlyMap<string, Attribute>,
): ReadonlyMap<string, SourceColumn> {
  const columns = new Map<string, SourceColumn>([
    [id.name, { column: id.column, type: 'int8', toJson: asItIs }],
  ])
  for (const attribute of attributes.values()) {
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
  return columns
}

/** The columns of an attribute in its owner's table. */
export function columnsOf(attribute: Attribute): readonly string[] {
  if (attribute.kind === 'scalar') return [attribute.column]
  if (attribute.kind !== 'relation') return []
  const { storage } = attribute
  if (storage.kind === 'siblings') return [storage.column]
  return storage.kind === 'own'
    ? [storage.column, storage.position].filter((column) => column !== undefined)
    : []
}
