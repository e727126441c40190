import { sql } from 'kysely'
import { InvalidValue, type ScalarType } from '../attribute-type.ts'
import { isDecimalText } from './decimal-text.ts'
import { checkBounds } from './definition-checks.ts'
import { numberConstraints } from './number-constraints.ts'

/** A number of double precision. */
export const float: ScalarType = {
  kind: 'scalar',
  name: 'float',
  column: () => 'float8',
  parameter: 'float8',
  operators: ['any', 'ordered'],
  search: 'number',
  secret: false,
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
  // Also 1e400, which reads as infinity.
  if (!Number.isFinite(number)) throw new InvalidValue('a number')
  return number
}
