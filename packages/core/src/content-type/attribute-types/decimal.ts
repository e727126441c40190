import { sql } from '@octavo/database'
import { InvalidValue, type ScalarType } from '../attribute-type.ts'
import { fromHundredths, toHundredths, toNumeric } from './decimal-text.ts'
import { checkBounds } from './definition-checks.ts'
import { numberConstraints } from './number-constraints.ts'

/** 18 digits before the point, in hundredths. */
const limit = 10n ** 20n

/** A number with two places, exact. In JSON it is a number without trailing zeros: `4.25`, `4.2`, `4`. */
export const decimal: ScalarType = {
  kind: 'scalar',
  name: 'decimal',
  column: () => 'numeric(20,2)',
  parameter: 'numeric',
  operators: ['any', 'ordered'],
  search: 'number',
  secret: false,
  emptyOperand: '0',
  check: checkBounds,
  // Not rounded: `rating > 3.005` is not `rating > 3.01`.
  fromQuery: (text) => {
    const number = toNumeric(text.trim())
    if (number === undefined) throw new InvalidValue('a number')
    return number
  },
  fromJson: (value) => {
    const hundredths =
      typeof value === 'number' || typeof value === 'string' ? toHundredths(String(value).trim()) : undefined
    if (hundredths === undefined) throw new InvalidValue('a number')
    if (hundredths <= -limit || hundredths >= limit)
      throw new InvalidValue('a number of at most 18 digits before the point')
    return fromHundredths(hundredths)
  },
  constraints: numberConstraints,
  toJson: (column) => sql`trim_scale(${column})`,
  toText: (column) => sql`trim_scale(${column})::text`,
}
