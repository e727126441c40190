import { InvalidValue, type ScalarType } from '../attribute-type.ts'
import { textConstraints, textual } from './text.ts'

/** bcrypt ignores further bytes. */
const maxBytes = 72

/** The cost factor of bcrypt: about 60 ms on one core. */
const rounds = 10

/** A text that is stored as a bcrypt hash. `fromJson` returns the password; the write hashes it. */
export const password: ScalarType = {
  ...textual,
  name: 'password',
  // Not filterable anyway: the type is secret.
  operators: [],
  search: 'never',
  secret: true,
  constraints: (value, definition) => {
    const violations = textConstraints(value, definition, maxBytes)
    return typeof value === 'string' && Buffer.byteLength(value) > maxBytes
      ? [...violations, `must be at most ${maxBytes} bytes`]
      : violations
  },
  // Hashed on another thread, since hashing is slow on purpose.
  isHashed: (value) => typeof value === 'string' && /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(value),
  // Data files have passwords too, and are not checked by the constraints.
  hash: (value) => {
    if (typeof value === 'string' && Buffer.byteLength(value) > maxBytes)
      throw new InvalidValue(`a password of at most ${maxBytes} bytes`)
    return typeof value === 'string' ? hashOf(value) : Promise.resolve(value)
  },
}

/** The library is loaded by the first password: no start should wait for it. */
async function hashOf(value: string): Promise<string> {
  const { hash } = await import('@node-rs/bcrypt')
  return hash(value, { cost: rounds })
}
