/** The names of columns and tables that follow from the name of an attribute. */

import { ownerColumns } from '../model.ts'
import { identifier, snakeCase } from './identifier.ts'

const ofComponents: ReadonlySet<string> = new Set(Object.values(ownerColumns))

/** Columns that PostgreSQL gives every table. */
const ofSystem: ReadonlySet<string> = new Set(['tableoid', 'ctid', 'xmin', 'cmin', 'xmax', 'cmax'])

export const isSystemColumn = (name: unknown): boolean => typeof name === 'string' && ofSystem.has(name)

type Of = { readonly kind: string }

/**
 * The tables of components have columns of their own, such as `field` and `owner_id`, and so has every table, such as `xmin`. Columns of
 * attributes with these names get a prefix.
 */
const unlessReserved = ({ kind }: Of, column: string): string =>
  ofSystem.has(column) || (kind === 'component' && ofComponents.has(column)) ? `attr_${column}` : column

/** The column of a scalar, unless its definition has a `columnName`. */
export const scalarColumn = (of: Of, attribute: string): string =>
  unlessReserved(of, identifier(snakeCase(attribute)))

/** The columns of a relation whose key is in a row: the key, and the position among the rows with the same key. */
export const keyColumns = (of: Of, attribute: string) => ({
  column: unlessReserved(of, identifier(snakeCase(attribute), 'id')),
  position: identifier(snakeCase(attribute), 'position'),
})

/** The join table of a relation; `table` is the table of the side that owns it. */
export const joinTableOf = (table: string, attribute: string): string =>
  identifier(table, snakeCase(attribute), 'links')

/** The link table of a polymorphic relation; `table` is the table of its content-type. */
export const morphTableOf = (table: string, attribute: string): string =>
  identifier(table, snakeCase(attribute), 'morphs')

/** The columns of a join table: the two keys, and the positions on either side. */
export const joinColumns = {
  owner: 'owner_id',
  target: 'target_id',
  position: 'position',
  inversePosition: 'inverse_position',
} as const
