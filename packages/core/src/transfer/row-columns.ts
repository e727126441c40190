import { type Model, ownerColumns } from '../content-type/model.ts'
import { idType } from '../schema/tables/tables.ts'
import { uniqueKeys } from '../schema/tables/unique-keys.ts'
import type { RowColumn } from './row-writer.ts'

export const positionType = 'double precision'

export const ownerKey: readonly RowColumn[] = [
  { name: ownerColumns.type, type: 'text' },
  { name: ownerColumns.id, type: idType },
  { name: ownerColumns.field, type: 'text' },
  { name: ownerColumns.position, type: positionType },
]

/** The columns of a model's own table, in the order of the values in `EntryRows`. */
export function modelColumns(model: Model): readonly RowColumn[] {
  const columns: RowColumn[] = [{ name: 'id', type: idType }]
  const indexed = new Set([
    ...uniqueKeys(model).flatMap(({ attribute, within }) => [attribute, ...within]),
    ...model.indexes.flatMap(({ attributes }) => attributes),
  ])
  if (model.kind === 'component') columns.push(...ownerKey)
  for (const attribute of model.attributes.values()) {
    if (attribute.kind === 'scalar') {
      columns.push({
        name: attribute.column,
        type: attribute.type.column(attribute.definition),
        ...(indexed.has(attribute) && { isIndexed: true }),
      })
    } else if (attribute.kind === 'relation') {
      const { storage } = attribute
      if (storage.kind === 'own' || storage.kind === 'siblings')
        columns.push({ name: storage.column, type: idType })
      if (storage.kind === 'own' && storage.position)
        columns.push({ name: storage.position, type: positionType })
    }
  }
  return columns
}
