import { sql } from '@octavo/database'
import { InvalidValue, type ScalarType } from '../attribute-type.ts'
import { isDecimalText } from './decimal-text.ts'
import { checkBounds } from './definition-checks.ts'
import { numberConstraints } from './number-constraints.ts'

/** A double precision number. */
export const float: ScalarType = {
  kind: 'scalar',
  name: 'float',
  column: () => 'float8',
  parameter: 'float8',
  operators: ['any', 'ordered'],
  search: 'number',
  secret: false,
  emptyOperand: '0',
  check: checkBounds,
  fromQuery: read,
  fromJson: read,
  constraints: numberConstraints,
  toJson: (column) => column,
  toText: (column) => sql`${column}::text`,
}

function read(value: unknown): number {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && isDecimalText(value.trim())
        ? Number(value)
        : Number.NaN
  // Also rejects 1e400, which is parsed as Infinity.
  if (!Number.isFinite(number)) throw new InvalidValue('a number')
  return number
}
