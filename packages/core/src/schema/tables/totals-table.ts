import { sql } from '@octavo/database'

/**
 * The table of kept totals. A row is a change of the number of rows of `table` within one scope, so that the sum of its
 * rows is the number. `scope` is a JSON list of texts, one for each part; see `totalParts`.
 */
export const totalsTable = {
  name: 'octavo_totals',
  label: 'the kept totals of lists',
  primaryKey: ['id'],
  columns: [
    { name: 'table', type: 'text', nullable: false },
    { name: 'scope', type: 'jsonb', nullable: false },
    { name: 'delta', type: 'bigint', nullable: false },
  ],
  indexes: [{ columns: ['table'], unique: false }],
} as const

export const totals = sql.id(totalsTable.name)
