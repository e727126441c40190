import type { ScalarType } from '../attribute-type.ts'
import { textConstraints, textual } from './text.ts'

/** What stands in an address as it is. */
const characters = /^[A-Za-z0-9\-_.~]*$/

/** A text for addresses, such as a slug. No two entries have the same one, whether or not it says `unique`. */
export const uid: ScalarType = {
  ...textual,
  name: 'uid',
  constraints: (value, definition) => {
    const violations = textConstraints(value, definition)
    return typeof value !== 'string' || characters.test(value)
      ? violations
      : [...violations, 'may only have the characters A-Z a-z 0-9 - _ . ~']
  },
}
