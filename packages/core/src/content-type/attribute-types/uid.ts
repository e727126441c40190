import type { ScalarType } from '../attribute-type.ts'
import { textConstraints, textual } from './text.ts'

/** Characters that need no encoding in URLs. */
const characters = /^[A-Za-z0-9\-_.~]*$/

/** A text for URLs, such as a slug. Always unique, unless the definition has `unique: false`. */
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
