import type { SchemaDifference } from '@mikro-orm/postgresql'
import type { SchemaRefusal } from './schema-error.ts'
import { constraintSuffixes } from './tables/object-names.ts'
import { typeChangeSql } from './type-changes.ts'

/**
 * Removes destructive changes from the difference, in place, so that the rest only adds.
 *
 * @returns The removed changes that the definitions need, with their SQL.
 */
export function makeAdditive(
  difference: SchemaDifference,
  toSql: (difference: SchemaDifference) => string,
): readonly SchemaRefusal[] {
  difference.removedTables = {}
  difference.orphanedForeignKeys = []
  difference.removedNamespaces.clear()
  difference.removedNativeEnums = []
  difference.removedViews = {}
  difference.removedRoutines = {}

  const refusals: SchemaRefusal[] = []
  for (const [key, table] of Object.entries(difference.changedTables)) {
    // A removed and an added column of one type are not a rename: the values of the old column are not moved.
    for (const added of Object.values(table.renamedColumns)) table.addedColumns[added.name] = added
    table.renamedColumns = {}
    table.removedColumns = {}
    delete table.changedComment

    const declared = (columns: readonly string[]) =>
      columns.every((column) => table.toTable.hasColumn(column))
    const ours = (name: string, columns: readonly string[]) =>
      constraintSuffixes.some((suffix) => name.endsWith(`_${suffix}`)) && declared(columns)
    for (const [name, index] of Object.entries(table.removedIndexes)) {
      if (!ours(name, index.columnNames)) delete table.removedIndexes[name]
    }
    for (const [name, foreignKey] of Object.entries(table.removedForeignKeys)) {
      if (!ours(name, foreignKey.columnNames)) delete table.removedForeignKeys[name]
    }
    table.removedChecks = {}
    table.changedChecks = {}
    table.removedTriggers = {}
    table.removedPolicies = {}

    for (const [name, change] of Object.entries(table.changedColumns)) {
      // A column that may be null from now on loses nothing.
      const loosened =
        change.changedProperties.size === 1 &&
        change.changedProperties.has('nullable') &&
        change.column.nullable
      if (loosened) continue
      delete table.changedColumns[name]
      if (!change.changedProperties.has('type') && !change.changedProperties.has('nullable')) continue
      refusals.push({
        table: table.name,
        column: name,
        reason: `it is ${describe(change.fromColumn)}, and the definition needs ${describe(change.column)}; the values would have to be rewritten.`,
        sql: change.changedProperties.has('nullable')
          ? toSql({
              ...empty(difference),
              changedTables: { [key]: only(table, { changedColumns: { [name]: change } }) },
            })
          : typeChangeSql({
              table: table.name,
              column: name,
              from: change.fromColumn.type,
              to: change.column.type,
            }),
      })
    }
  }
  return refusals
}

type TableDifference = SchemaDifference['changedTables'][string]
type ColumnState = TableDifference['addedColumns'][string]

const describe = ({ type, nullable }: ColumnState): string => `${type}${nullable ? '' : ' not null'}`

const empty = (difference: SchemaDifference): SchemaDifference => ({
  ...difference,
  newTables: {},
  changedTables: {},
})

/** The difference of a table, reduced to `parts`. */
function only(table: TableDifference, parts: Partial<TableDifference>): TableDifference {
  const preserved = ['name', 'fromTable', 'toTable']
  const cleared = Object.entries(table)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, preserved.includes(key) ? value : {}])
  return { ...(Object.fromEntries(cleared) as TableDifference), ...parts }
}
