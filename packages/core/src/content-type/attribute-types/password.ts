import { hash } from '@node-rs/bcrypt'
import type { ScalarType } from '../attribute-type.ts'
import { textConstraints, textual } from './text.ts'

/** bcrypt reads no further, so that what comes after would not count. */
const maxBytes = 72

/** Doublings of the work that a hash takes: about 60 ms on one core. */
const rounds = 10

/** A text of which only the bcrypt hash is stored: writing makes it. What `fromJson` gives is the password itself. */
export const password: ScalarType = {
  ...textual,
  name: 'password',
  // It is not filtered on at all; this only says it once more.
  operators: [],
  search: 'never',
  secret: true,
  constraints: (value, definition) => {
    const violations = textConstraints(value, definition)
    return typeof value === 'string' && Buffer.byteLength(value) > maxBytes
      ? [...violations, `must be at most ${maxBytes} bytes`]
      : violations
  },
  // On a thread of its own: it takes long on purpose.
  isSealed: (value) => typeof value === 'string' && /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(value),
  seal: (value) => (typeof value === 'string' ? hash(value, { cost: rounds }) : Promise.resolve(value)),
}
